/* diff_internal.h: shared by vm/store/diff*.c and sweep.c. */
#ifndef KR_DIFF_INTERNAL_H
#define KR_DIFF_INTERNAL_H

#include "vm/store/diff.h"
#include "vm/text/buf.h"

/* ---- growing text */
void kr_buf_json(kr_buf *buf, const char *text);  /* quoted; NULL: null */
void kr_buf_html(kr_buf *buf, const char *text);  /* escaped */

/* ---- diff.c */
const char *kr_diff_text_of(kr_arena *arena, const kr_num n); /* exact */
const char *kr_diff_short(kr_arena *arena, kr_num n);         /* rounded for reading, thousands apart */
const char *kr_diff_day(kr_arena *arena, int64_t day);
bool kr_diff_publishes(const kr_model *model, const kr_column_def *column);
bool kr_diff_is_key(const kr_column_def *column);
extern const char *const kr_change_words[KR_CH_KINDS][2];     /* "parameter", "parameters" */

/* ---- diff_reach.c: reaches, all_reached, state of every change */
void kr_diff_reach(kr_diff *diff);
/* Whether a formula uses a define (or a function) by name, by itself or through other defines. */
bool kr_diff_calls(const kr_model *model, const kr_node *node, const char *name, int depth);
bool kr_diff_only_renamed(const kr_change *change); /* and means the same */

/* ---- diff_compose.c */
/* Groups of changes that need each other: change.group; gives their number. A change that can move no number gets -1. */
int kr_diff_group(kr_diff *diff);
/* The old file with the changes of these groups (bit g; `all`: every group), checked, in the arena. NULL: they do not fit together (diags). */
kr_model *kr_diff_compose(const kr_diff *diff, kr_arena *arena, const bool *in_force, kr_diags *diags);

/* ---- each.c: items on all cores; which thread takes which must not matter */
void kr_each(int threads, size_t count, void (*work)(void *context, size_t item), void *context);
int kr_cores(int threads); /* threads, or all cores when 0 */

#endif
