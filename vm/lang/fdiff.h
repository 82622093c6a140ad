/* fdiff.h: two formulas compared: the words that differ, and what a formula reads.
 * Everything is in the arena that is given; texts are kept, not copied, where they come from the arguments. */
#ifndef KR_FDIFF_H
#define KR_FDIFF_H

#include "vm/lang/expr.h"

/* A stretch of words: in both texts (' '), only in the old ('-'), only in the new ('+'). An old stretch stands before the new one that
 * takes its place. */
typedef struct kr_words { char kind; const char *text; int count; } kr_words;
typedef struct kr_word_diff { kr_words *parts; size_t count, capacity; } kr_word_diff;

/* Words are names, numerals, quoted texts and signs; how they are spaced does not count. The fewest words differ (a longest common
 * subsequence), for texts of up to some thousand words; beyond that what lies between a common beginning and end is shown as replaced. */
kr_word_diff kr_fdiff_words(kr_arena *arena, const char *old_text, const char *new_text);
/* `a + [-b-]{+c+}`, with at most `context` equal words beside what differs, … for the rest; context < 0: all of them. */
char *kr_fdiff_text(kr_arena *arena, const kr_word_diff *diff, int context);
/* The last (at_end) or first words of a text, at most n, with … where some are left out. */
char *kr_fdiff_clip(kr_arena *arena, const char *text, int n, bool at_end);

/* Call visit for this expression and all below it: arguments, matches, conditions, counts, edges. */
typedef void kr_expr_visit(void *context, const kr_expr *expr);
void kr_expr_walk(const kr_expr *expr, kr_expr_visit *visit, void *context);

#endif
