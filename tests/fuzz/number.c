/* The text of a number: refused with a place inside the text, or read so that its canonical text reads back as the same number. */
#include <stdlib.h>

#include "vm/num/num.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size ? size : 1), canonical[KR_NUM_TEXT];
    for (size_t i = 0; i < size; i++)
        text[i] = (char)data[i];
    kr_num x, again;
    size_t at = 0;
    if (kr_num_read(text, size, &x, &at) == KR_READ_OK) {
        size_t len = kr_num_write(x, canonical);
        if (kr_is_special(x) || kr_num_read(canonical, len, &again, &at) != KR_READ_OK || again.hi != x.hi || again.lo != x.lo)
            abort();
    } else if (at > size) {
        abort();
    }
    free(text);
    return 0;
}
