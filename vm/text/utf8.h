/* utf8.h: characters of UTF-8 text and how wide a terminal shows them. Pure functions over constant tables. */
#ifndef KR_UTF8_H
#define KR_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The character at *at (which must be below len), moving *at behind it. A byte that begins no valid character gives U+FFFD and
 * counts as one. */
uint32_t kr_utf8_next(const char *text, size_t len, size_t *at);
/* Columns on a terminal: 0 for combining and format characters, 2 for East Asian wide ones, else 1. Control characters: 1. */
int kr_char_width(uint32_t c);
size_t kr_text_width(const char *text, size_t len);

#endif
