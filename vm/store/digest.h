/* digest.h: SHA-256 of data, files and results.
 *
 * The digest of a dataset is made of one per table and day, so that one more day costs one day, and it is the same for CSV, JSON
 * Lines and SQLite. To recompute it elsewhere:
 *   row     = its cells as CSV (RFC 4180, quoted only where needed, numbers plain, booleans true/false, days YYYY-MM-DD, times in
 *             ms), columns in the order of their names, ended by LF; rows in the order of the sheet's keys (a bag: of all columns)
 *   day     = SHA-256 of the rows of that day: by the first key of type day, else the first key of type time, else the first such
 *             column; rows without one belong to the day `-`
 *   table   = SHA-256 of "NAME\n", "column,column,…\n" and, day by day (`-` first), "DAY HEX\n"
 *   dataset = SHA-256 of "NAME HEX\n" for every table that is there, in the order of their names */
#ifndef KR_DIGEST_H
#define KR_DIGEST_H

#include "vm/engine/dataset.h"
#include "vm/text/diag.h"

enum { KR_HEX = 65 }; /* 64 digits and NUL */

typedef struct kr_sha kr_sha; /* a SHA-256 being computed */
kr_sha *kr_sha_new(void);
void kr_sha_add(kr_sha *sha, const void *bytes, size_t len);
void kr_sha_end(kr_sha *sha, char hex[KR_HEX]);  /* and starts afresh */
void kr_sha_free(kr_sha *sha);
void kr_sha_of(const void *bytes, size_t len, char hex[KR_HEX]);
bool kr_sha_file(const char *path, char hex[KR_HEX], kr_diags *diags); /* E0708 when it cannot be read */

typedef struct kr_day_digest { bool has_day; int64_t day; size_t row_count; char hex[KR_HEX]; } kr_day_digest;
typedef struct kr_table_digest {
    const char *name;
    size_t row_count;
    kr_day_digest *days;
    size_t day_count;
    char hex[KR_HEX];
} kr_table_digest;
typedef struct kr_data_digest {
    kr_table_digest *tables; /* by name; absent ones left out */
    int table_count;
    char hex[KR_HEX];
} kr_data_digest;

kr_data_digest *kr_data_digest_new(kr_arena *arena, const kr_dataset *data, const kr_model *model);

/* One CSV cell, quoted where RFC 4180 wants it (or where it could be taken for something else: leading or trailing space). Returns
 * the length; *text is borrowed from the arena or from `raw`. */
size_t kr_csv_cell(kr_arena *arena, const char *raw, size_t len, const char **text);

#endif
