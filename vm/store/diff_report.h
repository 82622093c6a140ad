/* diff_report.h: what the forms of a report (diff_text.c, diff_json.c, diff_html.c) share. */
#ifndef KR_DIFF_REPORT_H
#define KR_DIFF_REPORT_H

#include "vm/store/diff_internal.h"

/* A value in its unit, with the raw one beside it where they are not the same text: `25% (0.25)`, `1,234.57 USD (1234.567890)`. */
const char *kr_report_value(kr_arena *arena, const char *text, const char *raw, const char *unit);
const char *kr_report_number(kr_arena *arena, kr_num n, const char *unit);
const char *kr_report_signed(kr_arena *arena, kr_num n);                 /* rounded, + before gains */
const char *kr_report_group(kr_arena *arena, const kr_diff *d, int group); /* names of the changes that count as one */
const char *kr_report_summary(kr_arena *arena, const kr_diff *d);
const char *kr_report_days(kr_arena *arena, const kr_diff *d);           /* NULL: the days are the same */
const char *kr_report_period(kr_arena *arena, const kr_diff *d);
const char *kr_report_reaches(kr_arena *arena, const char *const *names, int count, bool full);
bool kr_report_is_day(const kr_change *c);
extern const kr_change_kind kr_report_order[KR_CH_KINDS];                /* in which kinds of change are told */
extern const char *const kr_how_words[];                                 /* by kr_change_how */

char *kr_diff_json(kr_arena *arena, const kr_diff *d);
char *kr_diff_html(kr_arena *arena, const kr_diff *d, const kr_report_options *o);

#endif
