/* A rule file: scanned, parsed, rewritten, run in the sandbox, checked. It is a book, or there are messages; two readings agree. */
#include <stdlib.h>
#include <string.h>

#include "vm/krules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    bool good[2];
    size_t errors[2];
    for (int pass = 0; pass < 2; pass++) {
        krules *k = krules_new();
        krules_book *book = krules_open_text(k, "fuzz.lua", text);
        good[pass] = book != NULL;
        errors[pass] = krules_error_count(k);
        if (good[pass] == (errors[pass] > 0))
            abort();
        for (size_t i = 0; i < krules_message_count(k); i++)
            if (!*krules_message_text(k, i, true) || !*krules_message_json(k, i))
                abort();
        krules_free(k);
    }
    if (good[0] != good[1] || errors[0] != errors[1])
        abort();
    free(text);
    return 0;
}
