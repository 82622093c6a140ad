/* load_order.c: canonical order of a table; every key that repeats with other values is named. */
#include <string.h>

#include "vm/store/loading.h"

static int keys_cmp(const kr_loading *l, kr_column *const *by, uint32_t a, uint32_t b)
{
    for (int k = 0; k < l->sheet->key_count; k++) {
        int order = kr_cell_cmp(l->pool, by[k]->type, kr_column_get(by[k], a), kr_column_get(by[k], b));
        if (order)
            return order;
    }
    return 0;
}

/* Stable, so that of several rows of one key the first in the file comes first. Only for the message: speed is no matter here. */
static void merge_sort(const kr_loading *l, kr_column *const *by, uint32_t *rows, uint32_t *room, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, a = 0, b = half, to = 0;
    merge_sort(l, by, rows, room, half);
    merge_sort(l, by, rows + half, room, n - half);
    memcpy(room, rows, half * sizeof *rows);
    while (a < half)
        rows[to++] = b < n && keys_cmp(l, by, rows[b], room[a]) < 0 ? rows[b++] : room[a++];
}

static bool report_twice(kr_loading *l, uint32_t first, uint32_t second)
{
    const kr_table *t = l->table;
    int differs = -1;
    for (int i = 0; i < t->column_count && differs < 0; i++)
        if (!kr_raw_eq(kr_column_get(&t->columns[i], first), kr_column_get(&t->columns[i], second)))
            differs = i;
    if (differs < 0)
        return false;
    kr_piece *pieces = KR_NEW_ARRAY(l->arena, kr_piece, l->rule_count);
    for (int i = 0; i < t->column_count; i++)
        pieces[i].text = kr_cell_text(l->arena, l->pool, t->columns[i].type, kr_column_get(&t->columns[i], first), &pieces[i].len);
    const char *one = kr_cell_text(l->arena, l->pool, t->columns[differs].type, kr_column_get(&t->columns[differs], first), NULL);
    const char *two = kr_cell_text(l->arena, l->pool, t->columns[differs].type, kr_column_get(&t->columns[differs], second), NULL);
    kr_diag *d = l->span ? kr_diag_add(l->diags, KR_E_DATA_KEY, *l->span, "example `%s`: row %u has the key of row %u, with another `%s`: `%s`, not `%s`", l->path, t->lines[second],
                                       t->lines[first], t->names[differs], two, one)
                         : kr_diag_at(l->diags, KR_E_DATA_KEY, kr_arena_printf(l->arena, "%s:%u", l->path, t->lines[second]),
                                      "this key stands on line %u already, with another `%s`: `%s` there, `%s` here", t->lines[first], t->names[differs], one, two);
    kr_diag_row(l->diags, d, kr_load_row_text(l->arena, l, pieces, NULL));
    return true;
}

bool kr_load_order(kr_loading *l)
{
    uint32_t a, b;
    if (kr_table_sort(l->table, l->sheet, l->pool, &a, &b))
        return true;
    size_t n = l->table->row_count;
    kr_column **by = KR_NEW_ARRAY(l->arena, kr_column *, l->sheet->key_count);
    for (int k = 0; k < l->sheet->key_count; k++)
        by[k] = kr_table_column(l->table, l->sheet->key_names[k]);
    uint32_t *rows = kr_alloc(sizeof *rows * n), *room = kr_alloc(sizeof *room * n), first = 0;
    for (size_t i = 0; i < n; i++)
        rows[i] = (uint32_t)i;
    merge_sort(l, by, rows, room, n);
    for (size_t i = 1, shown = 0; i < n && shown < KR_DIAG_SHOWN; i++) {
        if (keys_cmp(l, by, rows[first], rows[i]) == 0)
            shown += report_twice(l, rows[first], rows[i]);
        else
            first = (uint32_t)i;
    }
    kr_free(rows);
    kr_free(room);
    return false;
}
