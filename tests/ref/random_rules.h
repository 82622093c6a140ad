/* random_rules.h: random rule files over a few sheets, typed so that most of them pass the checker.
 *
 * The skeleton (sheets, keys, inputs, where rows come from) is drawn once; then columns are proposed one by one, or in small groups that
 * need each other through time. The caller tries each proposal and keeps or drops it, so a file never grows around a refused formula.
 * The text is a rule file as an author writes one, and so is what a failure prints. */
#ifndef KR_TESTS_RANDOM_RULES_H
#define KR_TESTS_RANDOM_RULES_H

#include "vm/engine/dataset.h"

typedef struct random_rules random_rules;

random_rules *random_rules_new(uint64_t seed);
void random_rules_free(random_rules *rules);
uint64_t random_next(random_rules *rules);

/* Draw the next proposal; random_rules_text has it until the verdict. */
void random_rules_propose(random_rules *rules);
void random_rules_verdict(random_rules *rules, bool keep);
const char *random_rules_text(random_rules *rules); /* the whole file, with the proposal; borrowed until the next call */
const char *random_rules_proposal(const random_rules *rules);

/* Tables for the file's data sheets: the same rows for one rules object, in another order each time, then brought into canonical order. */
kr_dataset *random_rules_data(random_rules *rules, const kr_model *model);
int64_t random_rules_last_day(void); /* of the data */

#endif
