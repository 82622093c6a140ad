/* diff_data.c: two rule files over the same data: what changes in the published cells, and which change it comes from. */
#include "vm/store/diff_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "vm/num/num_sum.h"
#include "vm/store/load.h"
#include "vm/text/time.h"

/* One published column that both files have. */
typedef struct pair {
    const kr_column_def *a, *b;
    kr_column_impact *impact;
} pair;

typedef struct sheets { const kr_sheet *a, *b; pair *pairs; int pair_count; bool keyed; } sheets;

typedef struct work {
    kr_diff *d;
    const kr_impact_options *o;
    kr_arena *arena;
    kr_dataset *data_a, *data_b;
    kr_run *before;      /* the old file's run up to the day before the new one takes effect; NULL: in force on every day */
    bool has_days;
    int64_t from, to;
    sheets *sheets;
    int sheet_count;
} work;

/* ------------------------------------------------------------------ runs */

static bool input_of(const work *w, const kr_model *m, const kr_dataset **data, kr_dataset **own, kr_diags *diags)
{
    *own = NULL;
    if (kr_same_inputs(m, w->d->old.model))
        *data = w->data_a;
    else if (kr_same_inputs(m, w->d->new.model))
        *data = w->data_b;
    else
        *data = *own = kr_load_data(w->o->data, m, w->d->pool, diags);
    return *data != NULL;
}

static kr_run *run(const work *w, kr_model *m, const kr_dataset *data, const kr_run *before, int threads, kr_diags *diags)
{
    kr_plan *plan = kr_plan_new(m, diags);
    kr_run_options options = { .has_to = w->o->has_to, .to = w->o->to, .threads = threads, .recorded = before, .first_day = before ? w->o->from : INT64_MIN };
    return plan ? kr_run_new(plan, data, &options, diags) : NULL;
}

/* ------------------------------------------------------------------ rows of the period */

static bool row_day(const kr_column *clock, size_t row, int64_t *day)
{
    kr_cell cell = clock ? kr_column_get(clock, row) : KR_BLANK;
    if (kr_is_special(cell))
        return false;
    *day = clock->type == KR_T_TIME ? kr_day_of_time(kr_cell_int(cell)) : kr_cell_int(cell);
    return true;
}

static bool wanted(const work *w, const kr_column *clock, size_t row)
{
    int64_t day;
    return !w->has_days || !row_day(clock, row, &day) || (day >= w->from && day <= w->to);
}

static const kr_column *clock_of(const kr_run *r, const kr_sheet *sheet) { return sheet->clock ? kr_run_column(r, sheet->clock) : NULL; }

/* A row's account: its keys but for the day. NULL: it has none. */
static const char *account_of(kr_arena *arena, const kr_pool *pool, const kr_run *r, const kr_sheet *sheet, size_t row)
{
    const char *text = NULL;
    for (int k = 0; k < sheet->key_count; k++) {
        const kr_column *c = kr_run_column(r, sheet->keys[k]);
        if (sheet->keys[k] == sheet->clock || !c)
            continue;
        const char *cell = kr_cell_text(arena, pool, c->type, kr_column_get(c, row), NULL);
        text = text ? kr_arena_printf(arena, "%s, %s", text, cell) : cell;
    }
    return text;
}

static const char *place_of(kr_arena *arena, const kr_pool *pool, const kr_run *r, const kr_sheet *sheet, size_t row)
{
    const char *text = sheet->name;
    for (int k = 0; k < sheet->key_count; k++) {
        const kr_column *c = kr_run_column(r, sheet->keys[k]);
        text = kr_arena_printf(arena, "%s%s%s=%s", text, k ? ", " : "[", sheet->keys[k]->name, c ? kr_cell_text(arena, pool, c->type, kr_column_get(c, row), NULL) : "?");
    }
    return sheet->key_count ? kr_arena_printf(arena, "%s]", text) : text;
}

/* ------------------------------------------------------------------ which columns */

static const kr_column_def *old_column(const kr_diff *d, const kr_sheet *old, const kr_column_def *b)
{
    for (size_t i = 0; i < d->change_count; i++)
        if (d->changes[i].kind == KR_CH_COLUMN && d->changes[i].cb == b)
            return d->changes[i].ca;
    return kr_sheet_column(old, b->name);
}

static const kr_sheet *old_sheet(const kr_diff *d, const kr_sheet *b)
{
    for (size_t i = 0; i < d->change_count; i++)
        if (d->changes[i].kind == KR_CH_SHEET && d->changes[i].sb == b)
            return d->changes[i].sa;
    return kr_model_sheet(d->old.model, b->name);
}

static bool is_output(const kr_model *m, const kr_sheet *sheet)
{
    for (int o = 0; o < m->output_count; o++)
        if (m->outputs[o] == sheet)
            return true;
    return false;
}

static bool adds_up(const kr_column_def *c)
{
    bool up = c->unit.known && c->unit.count > 0;
    for (int i = 0; i < c->unit.count; i++)
        up &= c->unit.factor[i].power > 0;
    return up;
}

static bool is_listed(const char *list, const kr_column_def *c)
{
    size_t sheet = strlen(c->sheet->name), column = strlen(c->name);
    for (const char *p = list; *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ',')) {
        while (*p == ' ')
            p++;
        if (strcspn(p, ",") == sheet + 1 + column && !strncmp(p, c->sheet->name, sheet) && p[sheet] == '.' && !strncmp(p + sheet + 1, c->name, column))
            return true;
    }
    return false;
}

static size_t list_count(const char *list)
{
    size_t n = 1;
    for (const char *p = list; *p; p++)
        n += *p == ',';
    return n;
}

static bool keys_agree(const kr_sheet *a, const kr_sheet *b)
{
    for (int k = 0; k < b->key_count; k++)
        if (a->key_count != b->key_count || a->keys[k]->type != b->keys[k]->type)
            return false;
    return a->key_count == b->key_count;
}

static bool choose(work *w, kr_diags *diags)
{
    const kr_model *m = w->d->new.model;
    kr_impact *impact = w->d->impact;
    size_t most = 0, listed = 0;
    for (int s = 0; s < m->sheet_count; s++)
        most += (size_t)m->sheets[s]->column_count;
    impact->columns = KR_NEW_ARRAY(w->arena, kr_column_impact, most + 1);
    w->sheets = KR_NEW_ARRAY(w->arena, sheets, m->sheet_count + 1);
    for (int s = 0; s < m->sheet_count; s++) {
        const kr_sheet *b = m->sheets[s], *a = old_sheet(w->d, b);
        sheets *t = &w->sheets[w->sheet_count];
        *t = (sheets){ a, b, KR_NEW_ARRAY(w->arena, pair, b->column_count + 1), 0, a && keys_agree(a, b) };
        if (a && !t->keyed && is_output(m, b) && is_output(w->d->old.model, a))
            impact->other_keys = impact->other_keys ? kr_arena_printf(w->arena, "%s, %s", impact->other_keys, b->name) : b->name;
        for (int i = 0; a && t->keyed && i < b->column_count; i++) {
            const kr_column_def *now = b->columns[i], *then = old_column(w->d, a, now);
            if (kr_diff_is_key(now) || !then || then->type != now->type || !kr_diff_publishes(m, now) || !kr_diff_publishes(w->d->old.model, then))
                continue;
            kr_column_impact *c = &impact->columns[impact->column_count++];
            bool here = w->o->measure && now->type == KR_T_NUMBER && is_listed(w->o->measure, now);
            listed += here;
            *c = (kr_column_impact){ .sheet = b->name, .column = now->name, .old_column = then->name, .type = kr_type_name(now->type),
                                     .unit = now->unit.known ? kr_unit_write(w->arena, &now->unit) : "",
                                     .adds_up = now->type == KR_T_NUMBER && (w->o->measure ? here : adds_up(now)) };
            t->pairs[t->pair_count++] = (pair){ then, now, c };
        }
        w->sheet_count += t->pair_count > 0;
    }
    if (w->o->measure && listed != list_count(w->o->measure)) {
        kr_diag *diag = kr_diag_at(diags, KR_E_CMD_NAME, "--measure", listed ? "`%s` also names what is no number column that both versions publish" :
                                                                             "`%s` names no number column that both versions publish", w->o->measure);
        kr_diag_help(diags, diag, "SHEET.COLUMN, each once, apart by commas");
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------ cells */

typedef struct rows { uint32_t *list; size_t count; } rows;

static rows rows_of(const work *w, const kr_run *r, const kr_sheet *sheet)
{
    size_t n = kr_run_row_count(r, sheet);
    const kr_column *clock = clock_of(r, sheet);
    rows out = { KR_NEW_ARRAY(w->arena, uint32_t, n + 1), 0 };
    for (size_t i = 0; i < n; i++)
        if (wanted(w, clock, i))
            out.list[out.count++] = (uint32_t)i;
    return out;
}

static int key_cmp(const work *w, const sheets *t, const kr_run *a, size_t i, const kr_run *b, size_t j)
{
    for (int k = 0; k < t->b->key_count; k++) {
        const kr_column *x = kr_run_column(a, t->a->keys[k]), *y = kr_run_column(b, t->b->keys[k]);
        int order = !x || !y ? 0 : kr_cell_cmp(w->d->pool, x->type, kr_column_get(x, i), kr_column_get(y, j));
        if (order)
            return order;
    }
    return 0;
}

typedef struct account { const char *name; kr_sum a, b; size_t passes, fails; } account;
typedef struct accounts { account *list; size_t count, capacity; uint32_t *slots; size_t slot_count; } accounts;

static size_t hash_of(const char *text)
{
    size_t h = 1469598103934665603u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

static account *account_named(kr_arena *arena, accounts *all, const char *name)
{
    if (all->count * 2 >= all->slot_count) {
        all->slot_count = all->slot_count ? all->slot_count * 2 : 64;
        all->slots = KR_NEW_ARRAY(arena, uint32_t, all->slot_count);
        for (size_t i = 0; i < all->count; i++) {
            size_t at = hash_of(all->list[i].name) & (all->slot_count - 1);
            while (all->slots[at])
                at = (at + 1) & (all->slot_count - 1);
            all->slots[at] = (uint32_t)i + 1;
        }
    }
    size_t at = hash_of(name) & (all->slot_count - 1);
    for (; all->slots[at]; at = (at + 1) & (all->slot_count - 1))
        if (!strcmp(all->list[all->slots[at] - 1].name, name))
            return &all->list[all->slots[at] - 1];
    KR_PUSH(arena, all->list, all->count, all->capacity) = (account){ .name = kr_arena_copy(arena, name, strlen(name)), .a = KR_SUM_ZERO, .b = KR_SUM_ZERO };
    all->slots[at] = (uint32_t)all->count;
    return &all->list[all->count - 1];
}

static kr_num change_of(const account *x) { return kr_num_sub(kr_sum_value(&x->b), kr_sum_value(&x->a)); }
static int by_name(const void *a, const void *b) { return strcmp(((const account *)a)->name, ((const account *)b)->name); }

static int by_change(const void *a, const void *b) /* largest gain first; errors last */
{
    kr_num x = change_of(a), y = change_of(b);
    int order = kr_is_special(x) || kr_is_special(y) ? kr_is_special(x) - kr_is_special(y) : -kr_num_cmp(x, y);
    return order ? order : by_name(a, b);
}

static int by_gate(const void *a, const void *b)
{
    const account *x = a, *y = b;
    size_t m = x->passes + x->fails, n = y->passes + y->fails;
    return m != n ? (m < n) - (m > n) : by_name(a, b);
}

static void rank(const work *w, kr_column_impact *c, accounts *all)
{
    size_t top = w->o->top ? w->o->top : KR_DIFF_TOP;
    if (!strcmp(c->type, "boolean") || !strcmp(c->type, "text")) {
        if (all->count)
            qsort(all->list, all->count, sizeof *all->list, by_gate);
        c->gates = KR_NEW_ARRAY(w->arena, kr_gate, all->count + 1);
        for (size_t i = 0; i < all->count && all->list[i].passes + all->list[i].fails; i++) {
            c->accounts_changed++;
            if (c->gate_count < top)
                c->gates[c->gate_count++] = (kr_gate){ all->list[i].name, all->list[i].passes, all->list[i].fails };
        }
        return;
    }
    if (all->count)
        qsort(all->list, all->count, sizeof *all->list, by_change);
    c->gains = KR_NEW_ARRAY(w->arena, kr_moved, top);
    c->losses = KR_NEW_ARRAY(w->arena, kr_moved, top);
    for (size_t i = 0; i < all->count; i++) {
        kr_num up = change_of(&all->list[i]);
        c->accounts_changed += kr_is_special(up) || !kr_raw_eq(up, KR_NUM_ZERO);
        if (!kr_is_special(up) && kr_num_cmp(up, KR_NUM_ZERO) > 0 && c->gain_count < top)
            c->gains[c->gain_count++] = (kr_moved){ all->list[i].name, kr_sum_value(&all->list[i].a), kr_sum_value(&all->list[i].b), up, NULL };
    }
    for (size_t i = all->count; i-- > 0 && c->loss_count < top;) {
        kr_num down = change_of(&all->list[i]);
        if (!kr_is_special(down) && kr_num_cmp(down, KR_NUM_ZERO) < 0)
            c->losses[c->loss_count++] = (kr_moved){ all->list[i].name, kr_sum_value(&all->list[i].a), kr_sum_value(&all->list[i].b), down, NULL };
    }
}

static bool is_true(kr_cell cell) { return !kr_is_special(cell) && kr_cell_is_true(cell); }

/* One column over the rows of both runs, in key order. */
static void compare_column(const work *w, const sheets *t, const pair *p, const kr_run *a, const rows *ra, const kr_run *b, const rows *rb, bool first)
{
    kr_column_impact *c = p->impact;
    kr_impact *impact = w->d->impact;
    const kr_column *x = kr_run_column(a, p->a), *y = kr_run_column(b, p->b);
    bool boolean = p->b->type == KR_T_BOOLEAN, number = p->b->type == KR_T_NUMBER;
    kr_sum total_a = KR_SUM_ZERO, total_b = KR_SUM_ZERO;
    kr_num most_up = KR_NUM_ZERO, most_down = KR_NUM_ZERO;
    accounts all = { 0 };
    kr_arena *scratch = kr_arena_new();
    for (size_t i = 0, j = 0; i < ra->count || j < rb->count;) {
        int order = i >= ra->count ? 1 : j >= rb->count ? -1 : key_cmp(w, t, a, ra->list[i], b, rb->list[j]);
        bool in_a = order <= 0, in_b = order >= 0;
        size_t row_a = in_a ? ra->list[i++] : 0, row_b = in_b ? rb->list[j++] : 0;
        kr_cell from = in_a && x ? kr_column_get(x, row_a) : KR_BLANK, to = in_b && y ? kr_column_get(y, row_b) : KR_BLANK;
        if (first) {
            impact->rows_added += !in_a;
            impact->rows_removed += !in_b;
        }
        c->cells += in_a && in_b;
        bool differs = !kr_raw_eq(from, to);
        c->changed += differs && in_a && in_b;
        if (p->b->type == KR_T_TEXT && differs && in_a && in_b) {
            const char *was = kr_cell_text(scratch, w->d->pool, KR_T_TEXT, from, NULL), *is = kr_cell_text(scratch, w->d->pool, KR_T_TEXT, to, NULL);
            account_named(w->arena, &all, kr_arena_printf(scratch, "%s → %s", *was ? was : "blank", *is ? is : "blank"))->passes++;
            if (kr_arena_bytes(scratch) > 1 << 20)
                kr_arena_reset(scratch);
        }
        if (!c->adds_up && !(boolean && differs)) {
            if (number && differs && !kr_is_special(from) && !kr_is_special(to)) {
                kr_num up = kr_num_sub(to, from);
                if (!kr_is_special(up) && kr_num_cmp(up, most_up) > 0) {
                    most_up = up;
                    c->up_a = from;
                    c->up_b = to;
                    c->up_place = place_of(w->arena, w->d->pool, b, t->b, row_b);
                }
                if (!kr_is_special(up) && kr_num_cmp(up, most_down) < 0) {
                    most_down = up;
                    c->down_a = from;
                    c->down_b = to;
                    c->down_place = place_of(w->arena, w->d->pool, b, t->b, row_b);
                }
            }
            continue;
        }
        const char *name = in_b ? account_of(scratch, w->d->pool, b, t->b, row_b) : account_of(scratch, w->d->pool, a, t->a, row_a);
        account *own = name ? account_named(w->arena, &all, name) : NULL;
        if (boolean) {
            bool passes = is_true(to) && !is_true(from), fails = is_true(from) && !is_true(to);
            c->passes += passes;
            c->fails += fails;
            if (own) {
                own->passes += passes;
                own->fails += fails;
            }
        } else {
            if (!kr_is_special(from)) {
                kr_sum_add(&total_a, from);
                if (own)
                    kr_sum_add(&own->a, from);
            }
            if (!kr_is_special(to)) {
                kr_sum_add(&total_b, to);
                if (own)
                    kr_sum_add(&own->b, to);
            }
        }
        if (kr_arena_bytes(scratch) > 1 << 20)
            kr_arena_reset(scratch);
    }
    kr_arena_free(scratch);
    c->total = (kr_moved){ NULL, kr_sum_value(&total_a), kr_sum_value(&total_b), kr_num_sub(kr_sum_value(&total_b), kr_sum_value(&total_a)), NULL };
    rank(w, c, &all);
    impact->changed_columns += c->changed > 0;
}

/* ------------------------------------------------------------------ shares */

typedef struct measured { /* one number that is shared out */
    const pair *p;
    const sheets *t;
    kr_moved *moved;
} measured;

typedef struct sharing {
    const work *w;
    measured *list;
    size_t count;
    unsigned *sets;          /* groups in force, per run */
    kr_num *values;          /* per run, per measured number */
    int groups;
    atomic_size_t done;
    size_t runs;
    atomic_bool failed;
    pthread_t caller;
} sharing;

/* What is measured, in a run of the old file with some of the changes: names are the old ones. */
static void measure(const sharing *s, kr_arena *arena, const kr_model *m, const kr_run *r, kr_num *out)
{
    for (size_t i = 0; i < s->count;) {
        const pair *p = s->list[i].p;
        size_t end = i;
        while (end < s->count && s->list[end].p == p)
            end++;
        const kr_sheet *sheet = kr_model_sheet(m, p->a->sheet->name);
        const kr_column_def *def = sheet ? kr_sheet_column(sheet, p->a->name) : NULL;
        const kr_column *column = def ? kr_run_column(r, def) : NULL, *clock = sheet ? clock_of(r, sheet) : NULL;
        kr_sum *sums = KR_NEW_ARRAY(arena, kr_sum, end - i);
        size_t n = column ? kr_run_row_count(r, sheet) : 0;
        kr_arena *scratch = kr_arena_new();
        for (size_t row = 0; row < n; row++) {
            kr_cell cell = kr_column_get(column, row);
            if (kr_is_special(cell) || !wanted(s->w, clock, row))
                continue;
            const char *name = end > i + 1 ? account_of(scratch, s->w->d->pool, r, sheet, row) : NULL;
            for (size_t k = i; k < end; k++)
                if (!s->list[k].moved->account || (name && !strcmp(name, s->list[k].moved->account)))
                    kr_sum_add(&sums[k - i], cell);
            if (kr_arena_bytes(scratch) > 1 << 20)
                kr_arena_reset(scratch);
        }
        kr_arena_free(scratch);
        for (size_t k = i; k < end; k++)
            out[k] = column ? kr_sum_value(&sums[k - i]) : KR_E_NA;
        i = end;
    }
}

static void run_set(void *context, size_t item)
{
    sharing *s = context;
    const work *w = s->w;
    if (atomic_load(&s->failed))
        return;
    kr_arena *arena = kr_arena_new();
    kr_diags *diags = kr_diags_new(arena);
    bool *in_force = KR_NEW_ARRAY(arena, bool, s->groups + 1);
    for (int g = 0; g < s->groups; g++)
        in_force[g] = s->sets[item] >> g & 1;
    kr_model *m = kr_diff_compose(w->d, arena, in_force, diags);
    const kr_dataset *data;
    kr_dataset *own = NULL;
    kr_run *r = m && input_of(w, m, &data, &own, diags) ? run(w, m, data, w->before, s->runs > 1 ? 1 : w->o->threads, diags) : NULL;
    if (r)
        measure(s, arena, m, r, s->values + item * s->count);
    else
        atomic_store(&s->failed, true);
    kr_run_free(r);
    kr_dataset_free(own);
    kr_arena_free(arena);
    size_t done = atomic_fetch_add(&s->done, 1) + 1;
    if (w->o->progress && pthread_equal(pthread_self(), s->caller))
        w->o->progress(w->o->progress_context, (unsigned)(done * 1000 / s->runs));
}

static void list_measured(const work *w, sharing *s)
{
    size_t most = 0;
    for (size_t i = 0; i < w->d->impact->column_count; i++)
        most += 1 + w->d->impact->columns[i].gain_count + w->d->impact->columns[i].loss_count;
    s->list = KR_NEW_ARRAY(w->arena, measured, most + 1);
    for (int t = 0; t < w->sheet_count; t++)
        for (int i = 0; i < w->sheets[t].pair_count; i++) {
            const pair *p = &w->sheets[t].pairs[i];
            kr_column_impact *c = p->impact;
            if (!c->adds_up || (!c->changed && kr_raw_eq(c->total.a, c->total.b)))
                continue;
            s->list[s->count++] = (measured){ p, &w->sheets[t], &c->total };
            for (size_t k = 0; k < c->gain_count; k++)
                s->list[s->count++] = (measured){ p, &w->sheets[t], &c->gains[k] };
            for (size_t k = 0; k < c->loss_count; k++)
                s->list[s->count++] = (measured){ p, &w->sheets[t], &c->losses[k] };
        }
}

static void share_out(work *w)
{
    kr_impact *impact = w->d->impact;
    int n = impact->group_count;
    uint64_t budget = w->o->budget ? w->o->budget : KR_DIFF_BUDGET, reads = (uint64_t)impact->input_rows << (n < 32 ? n : 32);
    sharing s = { .w = w, .groups = n, .caller = pthread_self() };
    list_measured(w, &s);
    if (!n || !s.count) {
        bool any = false;
        for (size_t i = 0; i < impact->column_count; i++)
            any |= impact->columns[i].adds_up;
        impact->method = any ? "no total changes" : "none is shown, since no published column has a unit that adds up; --measure names what to add up";
        return;
    }
    impact->shapley = n <= KR_DIFF_SHARED && (n <= 1 || reads <= budget);
    size_t sets = impact->shapley ? (size_t)1 << n : (size_t)n + 1;
    s.sets = KR_NEW_ARRAY(w->arena, unsigned, sets);
    s.runs = sets > 2 ? sets - 2 : 0; /* those in between: the two ends are known */
    s.values = KR_NEW_ARRAY(w->arena, kr_num, (s.runs + 1) * s.count);
    if (!impact->shapley && n > 31) {
        impact->method = kr_arena_printf(w->arena, "not shared out: %d changes are too many", n);
        return;
    }
    for (size_t i = 0; i < s.runs; i++)
        s.sets[i] = impact->shapley ? (unsigned)i + 1 : (1u << (i + 1)) - 1;
    kr_each(w->o->threads, s.runs, run_set, &s);
    impact->runs = s.runs + 2;
    if (atomic_load(&s.failed)) {
        impact->method = "not shared out: some of the changes cannot be made without others";
        return;
    }
    kr_num *values = KR_NEW_ARRAY(w->arena, kr_num, sets);
    for (size_t k = 0; k < s.count; k++) {
        kr_moved *moved = s.list[k].moved;
        moved->shares = KR_NEW_ARRAY(w->arena, kr_num, n);
        values[0] = moved->a;
        values[sets - 1] = moved->b;
        for (size_t i = 0; i < s.runs; i++)
            values[i + 1] = s.values[i * s.count + k];
        bool ok = true;
        for (size_t i = 0; i < sets; i++)
            ok &= !kr_is_special(values[i]);
        if (ok && impact->shapley)
            ok = kr_shapley(values, n, moved->shares);
        for (int g = 0; ok && !impact->shapley && g < n; g++)
            moved->shares[g] = kr_num_sub(values[g + 1], values[g]);
        if (!ok)
            moved->shares = NULL;
    }
    if (n == 1)
        impact->method = "one change: all of the difference is its own";
    else if (impact->shapley)
        impact->method = kr_arena_printf(w->arena, "Shapley value over %d changes, from %zu runs; shares add up exactly", n, impact->runs);
    else
        impact->method = kr_arena_printf(w->arena, "each change in the order of the file, on top of those before it, since %s; shares add up exactly",
                                         n > KR_DIFF_SHARED ? "there are more than 10" : "the runs of a Shapley value would read more rows than the budget allows");
}

/* ------------------------------------------------------------------ checks */

static void judge(work *w, const kr_run *r)
{
    kr_diff *d = w->d;
    const kr_model *m = d->new.model;
    const kr_failed *failed;
    size_t n = kr_run_failed(r, &failed);
    for (int i = 0; i < m->assert_count; i++) {
        const kr_assert *a = &m->asserts[i];
        kr_verdict v = { .title = a->title, .sheet = a->sheet->name, .what = a->require ? "requirement" : a->warning ? "expectation" : "check" };
        for (size_t k = 0; k < n; k++)
            if (failed[k].assert_index == i && wanted(w, clock_of(r, a->sheet), failed[k].row)) {
                if (!v.failed)
                    v.place = place_of(d->arena, d->pool, r, a->sheet, failed[k].row);
                v.failed++;
            }
        KR_PUSH(d->arena, d->verdicts, d->verdict_count, d->verdict_capacity) = v;
    }
}

/* ------------------------------------------------------------------ all of it */

static bool prepare(work *w, kr_diags *diags)
{
    kr_diff *d = w->d;
    w->data_a = kr_load_data(w->o->data, d->old.model, d->pool, diags);
    w->data_b = !w->data_a || kr_same_inputs(d->old.model, d->new.model) ? w->data_a : kr_load_data(w->o->data, d->new.model, d->pool, diags);
    if (!w->data_b)
        return false;
    if (w->o->has_from && !d->new.model->has_days) {
        kr_diag_at(diags, KR_E_CMD_VALUE, "--from", "this rulebook has no days: both versions are compared over all of the data");
        return false;
    }
    kr_data_digest *digest = kr_data_digest_new(w->arena, w->data_b, d->new.model);
    d->impact->data = w->o->data;
    d->impact->data_sha256 = digest->hex;
    for (int t = 0; t < w->data_b->table_count; t++)
        d->impact->input_rows += w->data_b->tables[t].row_count;
    return choose(w, diags);
}

bool kr_diff_impact(kr_diff *d, const kr_impact_options *o, kr_diags *diags)
{
    work w = { .d = d, .o = o, .arena = d->arena };
    d->impact = KR_NEW(d->arena, kr_impact);
    kr_run *a = NULL, *b = NULL;
    bool ok = prepare(&w, diags);
    if (ok && o->has_from) {
        kr_impact_options until = *o;
        work early = w;
        until.has_to = true;
        until.to = o->from - 1;
        early.o = &until;
        ok = (w.before = run(&early, d->old.model, w.data_a, NULL, o->threads, diags)) != NULL;
    }
    ok = ok && (a = run(&w, d->old.model, w.data_a, NULL, o->threads, diags)) && (b = run(&w, d->new.model, w.data_b, w.before, o->threads, diags));
    if (ok) {
        kr_impact *impact = d->impact;
        int64_t first, last;
        w.has_days = kr_run_days(b, &first, &last);
        if (w.has_days) {
            w.from = o->has_from ? o->from : first + d->new.model->days_lead;
            w.to = last;
            impact->from = kr_diff_day(d->arena, w.from);
            impact->to = kr_diff_day(d->arena, w.to);
            impact->in_force_from = o->has_from;
        }
        for (int s = 0; s < w.sheet_count; s++) {
            rows ra = rows_of(&w, a, w.sheets[s].a), rb = rows_of(&w, b, w.sheets[s].b);
            for (int i = 0; i < w.sheets[s].pair_count; i++)
                compare_column(&w, &w.sheets[s], &w.sheets[s].pairs[i], a, &ra, b, &rb, i == 0);
        }
        judge(&w, b);
        impact->group_count = kr_diff_group(d);
        share_out(&w);
        if (impact->group_count && !impact->changed_columns && !impact->rows_added && !impact->rows_removed && !impact->other_keys) {
            kr_diag *diag = kr_diag_at(diags, KR_W_GOV_NOTHING, o->data, "the rules differ, but nothing that is published changes with these data");
            kr_diag_help(diags, diag, "take data in which the change matters");
        }
    }
    kr_run_free(a);
    kr_run_free(b);
    kr_run_free(w.before);
    if (w.data_b != w.data_a)
        kr_dataset_free(w.data_b);
    kr_dataset_free(w.data_a);
    return ok;
}
