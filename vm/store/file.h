/* file.h: whole files in, whole files out. Private to vm/store.
 *
 * Reading: a file is mapped, or inflated when it is gzip (by its first bytes, whatever its name).
 * Writing: text goes to a temporary file beside the target; only kr_out_commit (flush, fsync, rename, fsync of the folder) makes it
 * visible, so a killed run leaves the old file or the new one. */
#ifndef KR_STORE_FILE_H
#define KR_STORE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "vm/text/diag.h"

typedef struct kr_file {
    const char *data; /* not NUL-terminated */
    size_t size;
    bool mapped;
} kr_file;

/* false: errno-like text in problem. An empty file has size 0 and data "". */
bool kr_file_open(kr_file *file, const char *path, char *problem, size_t problem_size);
void kr_file_done(kr_file *file);
/* The pages of [from, to) were used and need not stay in memory. */
void kr_file_forget(const kr_file *file, size_t from, size_t to);

typedef struct kr_out kr_out;

/* path "-": standard output, written as it comes. NULL and E0701: cannot create. */
kr_out *kr_out_open(const char *path, kr_diags *diags);
void kr_out_bytes(kr_out *out, const char *bytes, size_t len);
void kr_out_text(kr_out *out, const char *text);
bool kr_out_commit(kr_out *out, kr_diags *diags); /* closes and frees in any case */
void kr_out_discard(kr_out *out);                 /* NULL is fine */

/* Make a directory and its parents. */
bool kr_make_folder(const char *path, kr_diags *diags);

#endif
