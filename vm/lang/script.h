/* script.h: bodies of `fn` and `fold`: our own subset of Lua with exact numbers (MEANING.md section 8), translated from the parse
 * of the rule file by vm/host and run here, by the engine and by the row-at-a-time interpreter. */
#ifndef KR_SCRIPT_H
#define KR_SCRIPT_H

#include "vm/lang/model.h"

enum { KR_SCRIPT_STEPS = 1000000 }; /* budget of one call */

/* Types of a fn: kr_script_arg_count arguments of any type; the result's type is what its returns agree on, given the arguments' types.
 * KR_T_NONE and a diagnostic at `use` when they do not. */
int kr_script_arg_count(const kr_script *script);
kr_type kr_script_check(const kr_script *script, const kr_model *model, const kr_type *args, kr_span use, kr_diags *diags);

typedef struct kr_script_run kr_script_run; /* one thread's machine: registers, budget, tables of a fold's state */
kr_script_run *kr_script_run_new(const kr_model *model, kr_env *env);
void kr_script_run_free(kr_script_run *run);
/* Call a fn. Errors of the script itself (blank as a condition, budget) put a message in *problem (borrowed until the next call) and give #VALUE!. */
kr_cell kr_script_call(kr_script_run *run, const kr_script *script, const kr_cell *args, const char **problem);

/* Of the last call that had a problem: its place, and the message without it. */
kr_span kr_script_problem(const kr_script_run *run, const char **what);

/* A fold over one partition: begin, step for each row in order; emitted rows are handed to `emit` (cells in the order of the sheet's columns). */
typedef bool kr_emit(void *context, const kr_cell *cells);
bool kr_fold_check(const kr_model *model, kr_sheet *sheet, kr_diags *diags); /* types of step and of its emits against the sheet's columns */
bool kr_fold_reads(const kr_fold *fold, const char *column); /* the step looks at this column of its row; others may be anything (script_reads.c) */
void kr_fold_begin(kr_script_run *run, const kr_fold *fold);
bool kr_fold_step(kr_script_run *run, const kr_fold *fold, const kr_sheet *over, const kr_cell *row /* over's columns in order */,
                  const kr_sheet *into, kr_emit *emit, void *context, const char **problem);

#endif
