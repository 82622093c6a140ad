#include "vm/store/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm/lang/canon.h"
#include "vm/store/file.h"

void kr_model_digest(const kr_model *model, char hex[KR_HEX])
{
    kr_arena *arena = kr_arena_new();
    const char *text = kr_model_print(arena, model);
    kr_sha_of(text, strlen(text), hex);
    kr_arena_free(arena);
}

void kr_entry_describe(kr_arena *arena, kr_entry *e, const kr_version *v)
{
    char hex[KR_HEX];
    const kr_model *m = v->model;
    kr_model_digest(m, hex);
    e->version = m->version;
    e->file_sha256 = kr_arena_copy(arena, v->sha256, strlen(v->sha256));
    e->model_sha256 = kr_arena_copy(arena, hex, strlen(hex));
    e->language = m->language;
    e->effective_from = m->effective_from;
    e->notice_days = m->notice_days;
    e->emergency_days = m->has_emergency ? m->emergency_days : -1;
}

bool kr_entry_fits(const kr_ledger *l, const kr_entry *e, const kr_version *v, kr_diags *diags)
{
    kr_entry is = { 0 };
    kr_entry_describe(l->arena, &is, v);
    const char *what = NULL;
    if (strcmp(is.model_sha256, e->model_sha256) != 0)
        what = "its meaning (model_sha256)";
    else if (is.version != e->version || is.language != e->language)
        what = "its version or language";
    else if (is.effective_from != e->effective_from)
        what = "the day on which it takes effect";
    else if (is.notice_days != e->notice_days || is.emergency_days != e->emergency_days)
        what = "the notice it demands";
    if (!what)
        return true;
    kr_diag *d = kr_diag_at(diags, KR_E_GOV_MODEL, kr_arena_printf(l->arena, "%s:%d", l->path, e->seq), "version %d: the ledger and the file do not agree on %s", e->version, what);
    if (what[4] == 'm')
        kr_diag_help(diags, d, "an engine that reads the file otherwise than the one that published it computes other numbers: use that one");
    return false;
}

bool kr_version_carries(const kr_book *book, const kr_model *model, int index, kr_states *states, kr_diags *diags)
{
    *states = (kr_states){ 0 };
    if (index < 1)
        return true;
    const kr_model **older = KR_NEW_ARRAY(book->arena, const kr_model *, index);
    int count = 0;
    for (int i = index - 2; i >= 0; i--)
        older[count++] = book->versions[i].model;
    return kr_state_compare(book->arena, book->versions[index - 1].model, model, older, count, states, diags);
}

int kr_folder_lock(const char *folder, kr_diags *diags)
{
    int fd = kr_make_folder(folder, diags) ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (fd >= 0) {
        kr_diag_at(diags, KR_E_STORE_WRITE, folder, "`%s` is being written by another krules: %s", folder, strerror(errno));
        close(fd);
    }
    return -1;
}

void kr_folder_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

bool kr_publish_file(const char *from, const char *to, const char *sha256, kr_diags *diags)
{
    char hex[KR_HEX], problem[200];
    struct stat st;
    if (stat(to, &st) == 0) {
        if (!kr_sha_file(to, hex, diags))
            return false;
        if (!strcmp(hex, sha256))
            return true;
        kr_diag *d = kr_diag_at(diags, KR_E_GOV_FILE, to, "there is another file `%s` in the place of this version", to);
        kr_diag_help(diags, d, "it was not published: move it away, or publish it itself");
        return false;
    }
    kr_file file;
    if (!kr_file_open(&file, from, problem, sizeof problem)) {
        kr_diag_at(diags, KR_E_STORE_READ, from, "`%s` cannot be read: %s", from, problem);
        return false;
    }
    kr_sha_of(file.data, file.size, hex);
    bool same = !strcmp(hex, sha256);
    kr_out *out = same ? kr_out_open(to, diags) : NULL;
    if (!same)
        kr_diag_at(diags, KR_E_GOV_FILE, from, "`%s` was changed while it was being published", from);
    if (out)
        kr_out_bytes(out, file.data, file.size);
    kr_file_done(&file);
    return out && kr_out_commit(out, diags);
}
