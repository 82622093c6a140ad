/* host.c: loading in its order: read, parse, rewrite, run, and what can be said only when the whole file has been declared. */
#include "vm/host/host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "vm/host/internal.h"

/* ---- formulas */

static bool parse(kr_host *h, kr_formula *formula)
{
    if (!formula->fragment)
        return true;
    formula->tree = kr_parse_formula(h->arena, formula->fragment, h->diags);
    return formula->tree != NULL;
}

static bool parse_rows(kr_host *h, kr_rows *rows)
{
    bool good = parse(h, &rows->where);
    good &= parse(h, &rows->low);
    good &= parse(h, &rows->high);
    for (int i = 0; rows->key && i < rows->column_count; i++)
        good &= parse(h, &rows->key[i]);
    for (int i = 0; i < rows->part_count; i++)
        good &= parse_rows(h, rows->parts[i]);
    if (rows->fold)
        good &= parse(h, &rows->fold->where);
    return good;
}

static bool parse_all(kr_host *h)
{
    kr_model *m = h->model;
    bool good = parse(h, &m->days_from);
    good &= parse(h, &m->days_to);
    good &= parse(h, &m->governed_by);
    for (int i = 0; i < m->define_count; i++)
        good &= parse(h, &m->defines[i].body);
    for (int i = 0; i < m->sheet_count; i++) {
        kr_sheet *sheet = m->sheets[i];
        good &= parse_rows(h, sheet->rows);
        good &= parse(h, &sheet->where);
        for (int k = 0; k < sheet->column_count; k++) {
            good &= parse(h, &sheet->columns[k]->formula);
            good &= parse(h, &sheet->columns[k]->history_value);
        }
    }
    for (int i = 0; i < m->assert_count; i++)
        good &= parse(h, &m->asserts[i].formula);
    return good;
}

/* ---- what holds between declarations */

static bool resolve_carries(kr_host *h)
{
    bool good = true;
    for (size_t i = 0; i < h->late_count; i++) {
        kr_sheet *found = NULL;
        int count = 0;
        for (int k = 0; k < h->model->sheet_count; k++)
            if (kr_sheet_column(h->model->sheets[k], h->late[i].new_name)) {
                found = h->model->sheets[k];
                count++;
            }
        if (count != 1) {
            kr_diag *diag = kr_diag_add(h->diags, KR_E_DECLARE_VALUE, h->late[i].span, count ? "several sheets have a column `%s`" : "no sheet has a column `%s`",
                                        h->late[i].new_name);
            kr_diag_help(h->diags, diag, "name the sheet: carry { sheet = { %s = \"%s\" } }", h->late[i].new_name, h->late[i].old_name);
            good = false;
            continue;
        }
        kr_carry c = { .sheet = found->name, .new_name = h->late[i].new_name, .old_name = h->late[i].old_name, .span = h->late[i].span };
        KR_PUSH(h->arena, h->model->carries, h->model->carry_count, h->model->carry_capacity) = c;
    }
    return good;
}

/* A bare name in a formula must mean one thing. */
static bool distinct_names(kr_host *h)
{
    kr_model *m = h->model;
    bool good = true;
    for (int i = 0; i < m->sheet_count; i++)
        for (int k = 0; k < m->sheets[i]->column_count; k++) {
            kr_column_def *column = m->sheets[i]->columns[k];
            kr_param *param = kr_model_param(m, column->name);
            if (!param)
                continue;
            kr_diag *diag = kr_diag_add(h->diags, KR_E_DECLARE_TWICE, column->span, "`%s` is a column of `%s` and a parameter", column->name, m->sheets[i]->name);
            kr_diag_window(h->diags, diag, param->span, "the parameter");
            good = false;
        }
    return good;
}

/* ---- loading */

kr_model *kr_load_text(kr_arena *arena, kr_pool *pool, kr_families families, const char *name, const char *text, size_t len, kr_diags *diags)
{
    kr_host h = { .arena = arena, .pool = pool, .diags = diags, .site = -1 };
    if (len > KR_HOST_FILE_MAX) {
        kr_diag_at(diags, KR_E_RULE_FILE, name, "a rule file is at most %d MB", KR_HOST_FILE_MAX >> 20);
        return NULL;
    }
    kr_source *source = kr_source_new(arena, name, text, len);
    h.tree = kr_lua_parse(arena, source, diags);
    if (!h.tree || !kr_lua_rewrite(h.tree, &h.code, diags))
        return NULL;
    h.model = kr_model_new(arena, pool, families);
    h.model->source = source;
    if (!kr_host_run(&h))
        return NULL;
    if (!h.has_header) {
        kr_diag *diag = kr_diag_add(diags, KR_E_HEADER, (kr_span){ source, 0, 0 }, "the file declares no rulebook");
        kr_diag_help(diags, diag, "begin with rulebook { id = \"book/name\", version = 1, language = 1, title = \"…\" }");
        return NULL;
    }
    bool good = parse_all(&h);
    good &= resolve_carries(&h);
    good &= distinct_names(&h);
    return good ? h.model : NULL;
}

/* The whole file, in the arena; NULL and a diagnostic. */
static char *read_file(kr_arena *arena, const char *path, size_t *len, kr_diags *diags)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (!file || fstat(fileno(file), &info) != 0) {
        kr_diag_at(diags, KR_E_RULE_FILE, path, "cannot open the rule file: %s", strerror(errno));
        goto done;
    }
    if (!S_ISREG(info.st_mode) || info.st_size > KR_HOST_FILE_MAX) {
        kr_diag_at(diags, KR_E_RULE_FILE, path, S_ISREG(info.st_mode) ? "the rule file is larger than %d MB" : "this is no file",
                   KR_HOST_FILE_MAX >> 20);
        goto done;
    }
    text = kr_arena_alloc(arena, (size_t)info.st_size + 1);
    *len = fread(text, 1, (size_t)info.st_size, file);
    if (*len != (size_t)info.st_size) {
        kr_diag_at(diags, KR_E_RULE_FILE, path, "cannot read the rule file");
        text = NULL;
    }
done:
    if (file)
        fclose(file);
    return text;
}

kr_model *kr_load_file(kr_arena *arena, kr_pool *pool, kr_families families, const char *path, kr_diags *diags)
{
    size_t len = 0;
    char *text = read_file(arena, path, &len, diags);
    return text ? kr_load_text(arena, pool, families, path, text, len, diags) : NULL;
}
