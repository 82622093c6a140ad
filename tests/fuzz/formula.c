/* A formula of literals: whatever the text is, it gives a value or messages. */
#include <stdlib.h>
#include <string.h>

#include "vm/krules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    krules *k = krules_new();
    krules_value value;
    if (!krules_calc(k, text, &value) && krules_error_count(k) == 0)
        abort();
    for (size_t i = 0; i < krules_message_count(k); i++)
        if (!*krules_message_text(k, i, false) || !*krules_message_json(k, i))
            abort();
    krules_free(k);
    free(text);
    return 0;
}
