/* canon.h: a whole model as text that says what it means and nothing else: comments, layout, the order of declarations, names of
 * Lua locals and how a value is written ("30%", 0.3) leave no trace. Equal text, equal numbers from equal data. Hashed for the ledger. */
#ifndef KR_CANON_H
#define KR_CANON_H

#include "vm/lang/expr.h"

/* The text of a checked model, lines ended by LF. Header fields that say when and by whom (version, days, title) are not in it. */
char *kr_model_print(kr_arena *arena, const kr_model *model);
/* Its lines for one sheet (key, order, rows) and one column. */
char *kr_sheet_print(kr_arena *arena, const kr_model *model, const kr_sheet *sheet);
char *kr_column_print(kr_arena *arena, const kr_model *model, const kr_column_def *column);
/* One `fn` or a fold's step; locals by number. */
char *kr_script_print(kr_arena *arena, const kr_model *model, const kr_script *script);
/* A cell of a parameter or a constant: numbers plain, text quoted. */
char *kr_value_print(kr_arena *arena, const kr_model *model, kr_type type, kr_cell cell);

#endif
