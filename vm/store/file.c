#include "vm/store/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "vm/text/arena.h"

static bool inflate_file(kr_file *file, const unsigned char *data, size_t size, char *problem, size_t problem_size)
{
    size_t room = size * 4 + 4096, used = 0;
    char *out = kr_alloc(room);
    z_stream z;
    memset(&z, 0, sizeof z);
    if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK) {
        kr_free(out);
        snprintf(problem, problem_size, "zlib cannot start");
        return false;
    }
    size_t at = 0;
    int got = Z_OK;
    for (;;) {
        if (used == room)
            out = kr_realloc(out, room *= 2);
        if (!z.avail_in && at < size) {
            size_t n = size - at < (1u << 30) ? size - at : 1u << 30;
            z.next_in = (Bytef *)(data + at);
            z.avail_in = (uInt)n;
            at += n;
        }
        size_t space = room - used < (1u << 30) ? room - used : 1u << 30;
        z.next_out = (Bytef *)(out + used);
        z.avail_out = (uInt)space;
        got = inflate(&z, Z_NO_FLUSH);
        used += space - z.avail_out;
        if (got == Z_STREAM_END) {
            if (!z.avail_in && at == size)
                break;
            inflateReset2(&z, 16 + MAX_WBITS); /* a further member */
            got = Z_OK;
        } else if (got != Z_OK || (!z.avail_in && at == size && z.avail_out)) {
            got = got == Z_OK ? Z_BUF_ERROR : got;
            break;
        }
    }
    inflateEnd(&z);
    if (got != Z_STREAM_END) {
        kr_free(out);
        snprintf(problem, problem_size, "the gzip data is %s", got == Z_BUF_ERROR ? "cut short" : "damaged");
        return false;
    }
    *file = (kr_file){ out, used, false };
    return true;
}

bool kr_file_open(kr_file *file, const char *path, char *problem, size_t problem_size)
{
    *file = (kr_file){ "", 0, false };
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) {
        snprintf(problem, problem_size, "%s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    if (!S_ISREG(st.st_mode)) {
        close(fd);
        snprintf(problem, problem_size, "not a file");
        return false;
    }
    size_t size = (size_t)st.st_size;
    if (!size) {
        close(fd);
        return true;
    }
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    int error = errno;
    close(fd);
    if (data == MAP_FAILED) {
        snprintf(problem, problem_size, "%s", strerror(error));
        return false;
    }
    madvise(data, size, MADV_SEQUENTIAL);
    if (size > 2 && !memcmp(data, "\x1f\x8b", 2)) {
        bool ok = inflate_file(file, data, size, problem, problem_size);
        munmap(data, size);
        return ok;
    }
    *file = (kr_file){ data, size, true };
    return true;
}

void kr_file_done(kr_file *file)
{
    if (file->mapped)
        munmap((void *)file->data, file->size);
    else if (file->size)
        kr_free((void *)file->data);
    *file = (kr_file){ "", 0, false };
}

void kr_file_forget(const kr_file *file, size_t from, size_t to)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    from = (from + page - 1) / page * page;
    to = to == file->size ? to : to / page * page;
    if (file->mapped && to > from)
        madvise((char *)file->data + from, to - from, MADV_DONTNEED);
}

struct kr_out {
    char *path, *temporary; /* NULL: standard output */
    int fd, error;
    size_t used;
    char buffer[1 << 16];
};

static char *copy_text(const char *text, const char *tail)
{
    size_t n = strlen(text), m = strlen(tail);
    char *copy = kr_alloc(n + m + 1);
    memcpy(copy, text, n);
    memcpy(copy + n, tail, m + 1);
    return copy;
}

static kr_out *out_free(kr_out *out)
{
    kr_free(out->path);
    kr_free(out->temporary);
    kr_free(out);
    return NULL;
}

kr_out *kr_out_open(const char *path, kr_diags *diags)
{
    kr_out *out = kr_alloc(sizeof *out);
    if (!strcmp(path, "-")) {
        out->fd = STDOUT_FILENO;
        return out;
    }
    char tail[40];
    snprintf(tail, sizeof tail, ".%ld.part", (long)getpid());
    out->path = copy_text(path, "");
    out->temporary = copy_text(path, tail);
    out->fd = open(out->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out->fd < 0) {
        kr_diag_at(diags, KR_E_STORE_WRITE, path, "`%s` cannot be created: %s", path, strerror(errno));
        return out_free(out);
    }
    return out;
}

static void out_flush(kr_out *out)
{
    for (size_t at = 0; at < out->used && !out->error;) {
        ssize_t n = write(out->fd, out->buffer + at, out->used - at);
        if (n < 0 && errno != EINTR)
            out->error = errno;
        else if (n > 0)
            at += (size_t)n;
    }
    out->used = 0;
}

void kr_out_bytes(kr_out *out, const char *bytes, size_t len)
{
    while (len) {
        size_t n = sizeof out->buffer - out->used;
        if (n > len)
            n = len;
        memcpy(out->buffer + out->used, bytes, n);
        out->used += n;
        bytes += n;
        len -= n;
        if (out->used == sizeof out->buffer)
            out_flush(out);
    }
}

void kr_out_text(kr_out *out, const char *text) { kr_out_bytes(out, text, strlen(text)); }

static void sync_folder(const char *path)
{
    char *folder = copy_text(path, "");
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    kr_free(folder);
}

bool kr_out_commit(kr_out *out, kr_diags *diags)
{
    out_flush(out);
    if (!out->path) { /* a reader that closed its end early is no error of ours */
        bool ok = !out->error || out->error == EPIPE;
        if (!ok)
            kr_diag_at(diags, KR_E_STORE_WRITE, "-", "standard output cannot be written: %s", strerror(out->error));
        out_free(out);
        return ok;
    }
    if (!out->error && fsync(out->fd) < 0 && errno != EINVAL && errno != EROFS)
        out->error = errno;
    if (close(out->fd) < 0 && !out->error)
        out->error = errno;
    if (!out->error && rename(out->temporary, out->path) < 0)
        out->error = errno;
    bool ok = !out->error;
    if (ok) {
        sync_folder(out->path);
    } else {
        unlink(out->temporary);
        kr_diag_at(diags, KR_E_STORE_WRITE, out->path, "`%s` cannot be written: %s", out->path, strerror(out->error));
    }
    out_free(out);
    return ok;
}

void kr_out_discard(kr_out *out)
{
    if (!out)
        return;
    if (out->path) {
        close(out->fd);
        unlink(out->temporary);
    }
    out_free(out);
}

bool kr_make_folder(const char *path, kr_diags *diags)
{
    char *part = copy_text(path, "");
    bool ok = true;
    for (char *p = part + 1; ok; p++) {
        if (*p && *p != '/')
            continue;
        char kept = *p;
        *p = 0;
        struct stat st;
        if (mkdir(part, 0777) < 0 && !(errno == EEXIST && stat(part, &st) == 0 && S_ISDIR(st.st_mode))) {
            kr_diag_at(diags, KR_E_STORE_WRITE, part, "folder `%s` cannot be made: %s", part,
                       errno == EEXIST ? "there is a file of that name" : strerror(errno));
            ok = false;
        }
        if (!(*p = kept))
            break;
    }
    kr_free(part);
    return ok;
}
