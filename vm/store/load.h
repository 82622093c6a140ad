/* load.h: read the input tables of a model.
 *
 * A dataset is a directory with one NAME.csv or NAME.jsonl (plain or .gz) per table, or a SQLite database with tables of those names.
 * Everything is validated against the model: types, domains, keys, blanks; numbers are exact or refused. What is wrong is listed
 * (up to 20) with file, line, column (in characters from 1), the row's key and the cell. Columns that no sheet names are a note.
 * The three forms of one table give the same dataset: an empty cell, an empty text and a null are all blank. */
#ifndef KR_LOAD_H
#define KR_LOAD_H

#include "vm/engine/dataset.h"
#include "vm/text/diag.h"

/* The tables of the model's data sheets, in canonical order. NULL and diagnostics (E05xx) when anything is wrong.
 * The dataset is the caller's (kr_dataset_free) and keeps `pool` and the names of `path`'s files in its own arena. */
kr_dataset *kr_load_data(const char *path, const kr_model *model, kr_pool *pool, kr_diags *diags);

/* The tables of an `example` of the rule file (those that are not expected results). */
kr_dataset *kr_load_example(const kr_example *example, const kr_model *model, kr_pool *pool, kr_diags *diags);

#endif
