/* load_blocks.c: records of a text file into columns, on all cores. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vm/store/loading.h"

static void append(char *buffer, size_t size, size_t *used, const char *text, size_t len)
{
    for (size_t i = 0; i < len && *used + 1 < size; i++)
        buffer[(*used)++] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
    buffer[*used] = 0;
}

const char *kr_load_row_text(kr_arena *arena, const kr_loading *loading, const kr_piece *pieces, const char *column)
{
    char text[600];
    size_t used = 0;
    append(text, sizeof text, &used, loading->sheet->name, strlen(loading->sheet->name));
    bool open = false;
    for (int k = 0; k < loading->sheet->key_count; k++)
        for (int i = 0; i < loading->rule_count; i++) {
            if (strcmp(loading->rules[i].name, loading->sheet->key_names[k]) != 0)
                continue;
            append(text, sizeof text, &used, open ? ", " : "[", open ? 2 : 1);
            append(text, sizeof text, &used, loading->rules[i].name, strlen(loading->rules[i].name));
            append(text, sizeof text, &used, "=", 1);
            append(text, sizeof text, &used, pieces[i].text, pieces[i].len < 100 ? pieces[i].len : 100);
            open = true;
        }
    if (open)
        append(text, sizeof text, &used, "]", 1);
    if (column) {
        append(text, sizeof text, &used, ".", 1);
        append(text, sizeof text, &used, column, strlen(column));
    }
    return kr_arena_copy(arena, text, used);
}

static void flush_rows(kr_worker *w)
{
    for (int i = 0; i < w->loading->rule_count && w->fill; i++)
        kr_column_store(&w->loading->table->columns[i], w->row, w->fill, w->cells + (size_t)i * KR_LOAD_ROWS);
    w->row += w->fill;
    w->fill = 0;
}

void kr_worker_fault(kr_worker *w, kr_code code, const char *at, const char *column, const char *message, const char *help)
{
    kr_block *b = w->block;
    if (b->fault_count == KR_DIAG_SHOWN)
        return;
    if (!b->arena)
        b->arena = kr_arena_new();
    uint32_t line = w->line, place = 1;
    for (const char *p = w->record; at && p < at; p++) {
        if (*p == '\n')
            line++, place = 1;
        else
            place += ((unsigned char)*p & 0xc0) != 0x80;
    }
    b->faults[b->fault_count++] = (kr_fault){
        code, line, place, code == KR_E_DATA_SHAPE && !at ? NULL : kr_load_row_text(b->arena, w->loading, w->pieces, column), /* its cells are not known */
        kr_arena_copy(b->arena, message, strlen(message)), help && *help ? kr_arena_copy(b->arena, help, strlen(help)) : NULL,
    };
}

void kr_worker_row(kr_worker *w)
{
    kr_loading *l = w->loading;
    kr_cell_fault fault;
    if (w->row + w->fill - w->block->first_row >= w->block->row_count) { /* only after a quote that the count of rows took otherwise */
        w->block->broken = true;
        return;
    }
    for (int i = 0; i < l->rule_count; i++) {
        kr_cell *cell = &w->cells[(size_t)i * KR_LOAD_ROWS + w->fill];
        if (!kr_cell_read(w->reader, &l->rules[i], w->pieces[i].text, w->pieces[i].len, cell, &fault)) {
            kr_worker_fault(w, fault.code, w->pieces[i].at, l->rules[i].name, fault.message, fault.help);
            *cell = KR_BLANK;
        }
    }
    l->table->lines[w->row + w->fill] = w->line;
    if (++w->fill == KR_LOAD_ROWS)
        flush_rows(w);
}

typedef struct work {
    kr_loading *loading;
    kr_block *blocks;
    size_t block_count;
    const kr_format *format;
    const void *shared;
    atomic_size_t next;
    atomic_bool stop;
} work;

typedef struct thread {
    work *work;
    void *format;
    pthread_t id;
    bool started;
} thread;

static void *work_main(void *argument)
{
    thread *t = argument;
    work *k = t->work;
    kr_loading *l = k->loading;
    kr_arena *arena = kr_arena_new();
    kr_worker w = { .loading = l, .format = t->format, .reader = kr_cell_reader_new(l->pool), .scratch = kr_arena_new() };
    w.pieces = KR_NEW_ARRAY(arena, kr_piece, l->rule_count);
    w.cells = KR_NEW_ARRAY(arena, kr_cell, (size_t)l->rule_count * KR_LOAD_ROWS);
    for (size_t i; (i = atomic_fetch_add(&k->next, 1)) < k->block_count && !atomic_load(&k->stop);) {
        w.block = &k->blocks[i];
        w.row = w.block->first_row;
        w.fill = 0;
        w.line = w.block->first_line;
        k->format->block(&w);
        flush_rows(&w);
        kr_arena_reset(w.scratch);
        kr_file_forget(&l->file, w.block->start, w.block->end);
        if (w.block->fault_count == KR_DIAG_SHOWN)
            atomic_store(&k->stop, true); /* blocks before this one were taken already, so the first faults are complete */
    }
    kr_cell_reader_free(w.reader);
    kr_arena_free(w.scratch);
    kr_arena_free(arena);
    return NULL;
}

bool kr_load_blocks(kr_loading *l, kr_block *blocks, size_t block_count, const kr_format *format, void *shared)
{
    enum { MOST = 64 };
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = cores < 1 ? 1 : cores > MOST ? MOST : (size_t)cores;
    if (n > block_count)
        n = block_count ? block_count : 1;
    work k = { .loading = l, .blocks = blocks, .block_count = block_count, .format = format, .shared = shared };
    thread threads[MOST];
    for (size_t i = 0; i < n; i++)
        threads[i] = (thread){ .work = &k, .format = format->thread_new(l, shared) };
    for (size_t i = 1; i < n; i++)
        threads[i].started = pthread_create(&threads[i].id, NULL, work_main, &threads[i]) == 0;
    work_main(&threads[0]);
    for (size_t i = 1; i < n; i++)
        if (threads[i].started)
            pthread_join(threads[i].id, NULL);
    for (size_t i = 0; i < n; i++)
        format->thread_end(threads[i].format, shared);
    bool ok = true;
    int shown = 0;
    for (size_t i = 0; i < block_count && ok; i++)
        ok = !blocks[i].broken || blocks[i].fault_count > 0;
    if (!ok)
        kr_diag_at(l->diags, KR_E_DATA_SHAPE, l->path, "the quotes of `%s` do not pair up", l->path);
    bool trusted = ok;
    for (size_t i = 0; i < block_count; i++) {
        kr_block *b = &blocks[i];
        for (int f = 0; f < b->fault_count && trusted && shown < KR_DIAG_SHOWN; f++, shown++) {
            const kr_fault *fault = &b->faults[f];
            char place[32];
            snprintf(place, sizeof place, ":%u:%u", fault->line, fault->column);
            kr_arena *arena = l->arena;
            kr_diag *d = kr_diag_at(l->diags, fault->code, kr_arena_printf(arena, "%s%s", l->path, place), "%s", fault->message);
            if (fault->row)
                kr_diag_row(l->diags, d, fault->row);
            if (fault->help)
                kr_diag_help(l->diags, d, "%s", fault->help);
        }
        ok = ok && !b->fault_count;
        trusted = trusted && !b->broken;
        kr_arena_free(b->arena);
        b->arena = NULL;
    }
    return ok;
}
