/* ref_group.c: the rows of a sheet that agree on some columns (RANK, SHARE, PRORATE, APPORTION), and connected components. */
#include "tests/ref/ref_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- shares */

static void integer(mpz_t out, kr_num a)
{
    mpz_set_si(out, a.hi);
    mpz_mul_2exp(out, out, 64);
    mpz_add_ui(out, out, a.lo);
}

/* n / d, half to even. */
static kr_cell quotient(const mpz_t n, const mpz_t d)
{
    mpz_t q, r;
    mpz_inits(q, r, NULL);
    mpz_fdiv_qr(q, r, n, d); /* r has d's sign */
    mpz_mul_2exp(r, r, 1);
    int cmp = mpz_cmpabs(r, d);
    if (cmp > 0 || (cmp == 0 && mpz_odd_p(q)))
        mpz_add_ui(q, q, 1);
    kr_cell out = ref_number_of(q);
    mpz_clears(q, r, NULL);
    return out;
}

/* Largest remainders: the units of part `own` of x[0 .. n), whose sum is above 0. */
static kr_cell apportion(const kr_cell *x, size_t n, size_t own, kr_cell whole)
{
    mpz_t sum, units, left, one, t;
    mpz_t *rest = kr_alloc((n + 1) * sizeof *rest);
    mpz_inits(sum, units, left, one, t, NULL);
    integer(one, KR_NUM_ONE);
    integer(left, whole);
    mpz_divexact(left, left, one);
    mpz_t all;
    mpz_init_set(all, left);
    for (size_t i = 0; i < n; i++) {
        integer(t, x[i]);
        mpz_add(sum, sum, t);
    }
    for (size_t i = 0; i < n; i++) {
        mpz_init(rest[i]);
        integer(t, x[i]);
        mpz_mul(t, t, all);
        mpz_fdiv_qr(t, rest[i], t, sum);
        mpz_sub(left, left, t);
        if (i == own)
            mpz_set(units, t);
    }
    /* how many parts come before `own` when the left units go out */
    size_t before = 0;
    for (size_t i = 0; i < n; i++) {
        int cmp = mpz_cmp(rest[i], rest[own]);
        before += cmp > 0 || (cmp == 0 && i < own);
    }
    if (mpz_cmp_ui(left, before) > 0)
        mpz_add_ui(units, units, 1);
    mpz_mul(units, units, one);
    kr_cell out = ref_number_of(units);
    for (size_t i = 0; i < n; i++)
        mpz_clear(rest[i]);
    kr_free(rest);
    mpz_clears(sum, units, left, one, t, all, NULL);
    return out;
}

/* Whether row a comes before row b by the columns of RANK, then by the keys. */
static bool ranks_before(kr_ref *ref, const kr_expr *e, const kr_cell *a, const kr_cell *b, uint32_t row_a, uint32_t row_b)
{
    for (int k = 0; k < e->arg_count; k++) {
        int cmp = kr_cell_cmp(ref->env.pool, e->args[k]->type, a[k], b[k]);
        if (cmp)
            return (cmp < 0) != e->descending[k];
    }
    return row_a < row_b;
}

kr_cell ref_share(kr_ref *ref, const kr_expr *e, frame at)
{
    size_t own_row = at.row[0], own = NO_ROW, n = 0;
    kr_cell values[e->by_count + 1], special;
    for (int k = 0; k < e->by_count; k++)
        values[k] = ref_cell(ref, e->by[k], own_row);
    if (kr_spread(values, (size_t)e->by_count, &special))
        return special;
    /* which argument is x: PRORATE(total, x), the others x first; RANK has several */
    int x_at = e->form == KR_FORM_PRORATE ? 1 : 0, xs = e->form == KR_FORM_RANK ? e->arg_count : 1;
    row_list list = ref_rows_where(ref, e->sheet, e->by, values, e->by_count);
    kr_cell *x = kr_alloc((list.count + 1) * (size_t)xs * sizeof *x), out = KR_BLANK;
    uint32_t *rows = kr_alloc((list.count + 1) * sizeof *rows);
    bool own_is_out = false;
    for (size_t i = 0; i < list.count; i++) {
        frame row = { { list.rows[i], NO_ROW } };
        kr_cell *cell = x + n * (size_t)xs;
        kr_cell condition = e->where ? ref_eval(ref, e->where, row) : kr_cell_of_bool(true);
        if (kr_is_error(condition)) {
            out = condition;
            goto done;
        }
        if (!kr_cell_is_true(condition)) {
            own_is_out |= list.rows[i] == own_row;
            continue;
        }
        for (int k = 0; k < xs; k++)
            cell[k] = ref_eval(ref, e->args[x_at + k], row);
        if (kr_spread(cell, (size_t)xs, &special)) {
            if (kr_is_error(special)) {
                out = special;
                goto done;
            }
            continue; /* blank: steps aside, its own cell is blank */
        }
        if (list.rows[i] == own_row)
            own = n;
        rows[n++] = list.rows[i];
    }
    if (own_is_out) {
        out = e->form == KR_FORM_RANK ? KR_BLANK : KR_NUM_ZERO;
        goto done;
    }
    if (e->form == KR_FORM_RANK) {
        int64_t rank = 1;
        for (size_t i = 0; i < n && own != NO_ROW; i++)
            rank += ranks_before(ref, e, x + i * (size_t)xs, x + own * (size_t)xs, rows[i], rows[own]);
        out = own == NO_ROW ? KR_BLANK : kr_num_of_int(rank);
        goto done;
    }
    if (e->form == KR_FORM_APPORTION)
        for (size_t i = 0; i < n; i++)
            if (x[i].hi < 0) {
                out = KR_E_NUM;
                goto done;
            }
    kr_cell whole = KR_NUM_ONE; /* what is shared out */
    if (e->form != KR_FORM_SHARE)
        whole = ref_eval(ref, e->args[1 - x_at], at);
    if (kr_is_special(whole) || own == NO_ROW) {
        out = kr_is_error(whole) ? whole : KR_BLANK;
        goto done;
    }
    if (e->form == KR_FORM_APPORTION && (!kr_num_is_int(whole) || whole.hi < 0)) {
        out = kr_num_is_int(whole) ? KR_E_NUM : KR_E_VALUE;
        goto done;
    }
    mpz_t sum, t;
    mpz_inits(sum, t, NULL);
    for (size_t i = 0; i < n; i++) {
        integer(t, x[i]);
        mpz_add(sum, sum, t);
    }
    if (mpz_sgn(sum) == 0) {
        out = KR_NUM_ZERO;
    } else if (e->form == KR_FORM_APPORTION) {
        out = apportion(x, n, own, whole);
    } else {
        mpz_t product;
        mpz_init(product);
        integer(t, x[own]);
        integer(product, whole);
        mpz_mul(product, product, t);
        out = quotient(product, sum);
        mpz_clear(product);
    }
    mpz_clears(sum, t, NULL);
done:
    kr_free(x);
    kr_free(rows);
    kr_free(list.rows);
    return out;
}

/* ---- components */

/* The labels of all nodes as of one time, for one COMPONENT and one match: remembered, since many rows ask for the same. */
struct label_cache {
    const kr_expr *expr;
    bool has_time;
    int64_t time;
    kr_cell *match; /* the near values of all edges, one after another */
    int match_count;
    uint32_t *node, *label; /* texts and the smallest member of their part */
    size_t count;
    label_cache *next;
};

static size_t node_of(label_cache *c, uint32_t text, size_t *room)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->node[i] == text)
            return i;
    if (c->count == *room) {
        *room = *room ? 2 * *room : 16;
        c->node = kr_realloc(c->node, *room * sizeof *c->node);
        c->label = kr_realloc(c->label, *room * sizeof *c->label);
    }
    c->node[c->count] = c->label[c->count] = text;
    return c->count++;
}

/* All nodes of two parts get the smaller of their labels. */
static void join_parts(kr_ref *ref, label_cache *c, size_t a, size_t b)
{
    uint32_t p = c->label[a], q = c->label[b];
    uint32_t least = kr_pool_cmp(ref->env.pool, p, q) <= 0 ? p : q;
    for (size_t i = 0; i < c->count; i++)
        if (c->label[i] == p || c->label[i] == q)
            c->label[i] = least;
}

static bool add_edges(kr_ref *ref, label_cache *c, const kr_edges *edge, frame at, kr_cell *error)
{
    row_list list;
    size_t room = c->count;
    bool fine = true;
    if (!ref_match(ref, edge->sheet, edge->match, edge->match_count, at, &list, error))
        return false;
    for (size_t i = 0; i < list.count && fine; i++) {
        frame both = { { at.row[0], list.rows[i] } };
        kr_cell condition = edge->where ? ref_eval(ref, edge->where, both) : kr_cell_of_bool(true);
        kr_cell a = ref_cell(ref, edge->a, list.rows[i]), b = ref_cell(ref, edge->b, list.rows[i]);
        kr_cell time = edge->time ? ref_cell(ref, edge->time, list.rows[i]) : KR_BLANK;
        kr_cell all[4] = { condition, a, b, time };
        if (kr_is_error(condition) || (kr_cell_is_true(condition) && kr_spread(all, 4, error) && kr_is_error(*error))) {
            if (kr_is_error(condition))
                *error = condition;
            fine = false;
            continue;
        }
        if (!kr_cell_is_true(condition) || kr_is_blank(a) || kr_is_blank(b))
            continue;
        if (c->has_time && edge->time && (kr_is_blank(time) || kr_cell_int(time) >= c->time))
            continue;
        size_t p = node_of(c, (uint32_t)a.lo, &room), q = node_of(c, (uint32_t)b.lo, &room);
        join_parts(ref, c, p, q);
    }
    kr_free(list.rows);
    return fine;
}

kr_cell ref_component(kr_ref *ref, const kr_expr *e, frame at)
{
    kr_cell x[2], special;
    int n = e->arg_count > 1 && e->args[1] ? 2 : 1, match_count = 0, k = 0;
    for (int i = 0; i < n; i++)
        x[i] = ref_eval(ref, e->args[i], at);
    for (int i = 0; i < e->edges_count; i++)
        match_count += e->edges[i].match_count;
    kr_cell near[match_count + 1];
    for (int i = 0; i < e->edges_count; i++)
        for (int j = 0; j < e->edges[i].match_count; j++)
            near[k++] = ref_eval(ref, e->edges[i].match[j].near, at);
    if (kr_spread(x, (size_t)n, &special) || (kr_spread(near, (size_t)match_count, &special) && kr_is_error(special)))
        return special;
    label_cache *c = ref->labels;
    for (; c; c = c->next)
        if (c->expr == e && (n == 1 || c->time == kr_cell_int(x[1])) && memcmp(c->match, near, (size_t)match_count * sizeof *near) == 0)
            break;
    if (!c) {
        c = kr_alloc(sizeof *c);
        c->expr = e;
        c->has_time = n == 2;
        c->time = n == 2 ? kr_cell_int(x[1]) : 0;
        c->match = kr_alloc((size_t)(match_count + 1) * sizeof *near);
        memcpy(c->match, near, (size_t)match_count * sizeof *near);
        bool fine = true;
        for (int i = 0; i < e->edges_count && fine; i++)
            fine = add_edges(ref, c, &e->edges[i], at, &special);
        c->next = ref->labels;
        ref->labels = c;
        if (!fine) {
            ref->labels = c->next;
            kr_free(c->match);
            kr_free(c->node);
            kr_free(c->label);
            kr_free(c);
            return special;
        }
    }
    for (size_t i = 0; i < c->count; i++)
        if (c->node[i] == (uint32_t)x[0].lo)
            return kr_cell_of_int(c->label[i]);
    return x[0];
}

void ref_free_labels(kr_ref *ref)
{
    for (label_cache *c = ref->labels, *next; c; c = next) {
        next = c->next;
        kr_free(c->match);
        kr_free(c->node);
        kr_free(c->label);
        kr_free(c);
    }
}
