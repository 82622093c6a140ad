/* write.h: a view as CSV (RFC 4180, LF), JSON Lines or JSON; whole or not at all. Cells as kr_cell_text gives them; in JSON numbers are
 * numerals with all their digits, booleans true/false, blanks null, errors and everything else strings. */
#ifndef KR_WRITE_H
#define KR_WRITE_H

#include "vm/store/file.h"
#include "vm/store/view.h"

/* format and path as krules_write describes them. false: E0701, or E0803 for a format or path that does not fit. */
bool kr_view_write(const kr_view *view, const char *format, const char *path, kr_diags *diags);

/* SHA-256 of the bytes that kr_view_write gives for one sheet as CSV, and, over "NAME HEX\n" of every sheet by name, of the whole. */
void kr_view_sheet_digest(const kr_view_sheet *sheet, const kr_pool *pool, char hex[KR_HEX]);
void kr_view_digest(const kr_view *view, char hex[KR_HEX]);

/* JSON text of a string, with its quotes. */
void kr_json_string(kr_arena *arena, const char *text, size_t len, const char **out, size_t *out_len);

#endif
