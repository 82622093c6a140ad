/* A table of data as CSV or, when the first byte says so, as JSON Lines: it loads, or there are messages of bad data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm/krules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char rules[] =
    "rulebook { id = \"fuzz/table\", version = 1, language = 1, title = \"Table\", effective_from = \"2024-01-01\" }\n"
    "local t = sheet(\"t\", { \"name\", \"day\" })\n"
    "t.name = text\nt.day = day\nt.at = time\nt.amount = number { min = 0 }\nt.whole = number { whole = true }\nt.on = boolean\n"
    "t.side = one_of(\"buy\", \"sell\")\nt.from = address\nt.key = bytes\n"
    "output { t = { \"amount\" } }\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char folder[] = "/tmp/krules-fuzz-XXXXXX", csv[64], jsonl[64];
    static bool made;
    if (!made) {
        if (!mkdtemp(folder))
            abort();
        snprintf(csv, sizeof csv, "%s/t.csv", folder);
        snprintf(jsonl, sizeof jsonl, "%s/t.jsonl", folder);
        made = true;
    }
    const char *path = size && data[0] == '{' ? jsonl : csv;
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    krules *k = krules_new();
    krules_book *book = krules_open_text(k, "fuzz.lua", rules);
    if (!book)
        abort();
    krules_data *loaded = krules_load(book, folder);
    if (!loaded == (krules_error_count(k) == 0) || (!loaded && krules_status(k) != KRULES_DATA))
        abort();
    if (loaded && strlen(krules_data_digest(loaded)) != 64)
        abort();
    for (size_t i = 0; i < krules_message_count(k); i++)
        if (!*krules_message_text(k, i, false))
            abort();
    krules_free(k);
    unlink(path);
    return 0;
}
