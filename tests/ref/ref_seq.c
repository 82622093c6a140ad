/* ref_seq.c: rows in an order: the own sequence (PREV, LAST, DAYS, RUN…) and those of other sheets (ASOF, NEXT, FIRST, TWA, VALUE_AT). */
#define _GNU_SOURCE /* qsort_r */
#include "tests/ref/ref_internal.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

kr_cell ref_number_of(const mpz_t raw)
{
    mpz_t t;
    kr_num out = KR_E_NUM;
    mpz_init_set(t, raw);
    if (mpz_sizeinbase(t, 2) <= 127) {
        uint64_t limb[2] = { 0, 0 };
        mpz_export(limb, NULL, -1, 8, 0, 0, t); /* the magnitude */
        out = (kr_num){ limb[0], (int64_t)limb[1] };
        if (mpz_sgn(t) < 0) {
            out.hi = (int64_t)(~limb[1] + (limb[0] == 0));
            out.lo = 0 - limb[0];
        }
        if (kr_is_special(out))
            out = KR_E_NUM;
    }
    mpz_clear(t);
    return out;
}

/* ---- the own sequence */

typedef struct sequence_order {
    kr_ref *ref;
    kr_column_def *const *columns;
    int count;
} sequence_order;

static int compare_rows(kr_ref *ref, kr_column_def *const *columns, int count, size_t p, size_t q)
{
    for (int k = 0; k < count; k++) {
        int cmp = kr_cell_cmp(ref->env.pool, columns[k]->type, ref_cell(ref, columns[k], p), ref_cell(ref, columns[k], q));
        if (cmp)
            return cmp;
    }
    return p < q ? -1 : p > q; /* rows stand in key order */
}

static int row_order(const void *a, const void *b, void *context)
{
    const sequence_order *o = context;
    return compare_rows(o->ref, o->columns, o->count, *(const uint32_t *)a, *(const uint32_t *)b);
}

void ref_need_sequence(kr_ref *ref, const kr_sheet *sheet)
{
    ref_need_rows(ref, sheet);
    ref_sheet *s = ref_sheet_of(ref, sheet);
    if (s->sequence)
        return;
    size_t n = s->count;
    kr_column_def *columns[sheet->per_n + sheet->order_n + 1];
    memcpy(columns, sheet->per, (size_t)sheet->per_n * sizeof *columns);
    memcpy(columns + sheet->per_n, sheet->order, (size_t)sheet->order_n * sizeof *columns);
    sequence_order order = { ref, columns, sheet->per_n + sheet->order_n };
    uint32_t *sequence = kr_alloc((n + 1) * sizeof *sequence);
    for (size_t i = 0; i < n; i++)
        sequence[i] = (uint32_t)i;
    qsort_r(sequence, n, sizeof *sequence, row_order, &order);
    s->place = kr_alloc((n + 1) * sizeof(uint32_t));
    s->part_start = kr_alloc((n + 1) * sizeof(uint32_t));
    s->part_end = kr_alloc((n + 1) * sizeof(uint32_t));
    for (size_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n; end++) {
            bool same = true;
            for (int k = 0; k < sheet->per_n; k++)
                same &= kr_raw_eq(ref_cell(ref, sheet->per[k], sequence[start]), ref_cell(ref, sheet->per[k], sequence[end]));
            if (!same)
                break;
        }
        for (size_t i = start; i < end; i++) {
            s->place[sequence[i]] = (uint32_t)i;
            s->part_start[sequence[i]] = (uint32_t)start;
            s->part_end[sequence[i]] = (uint32_t)end;
        }
    }
    s->sequence = sequence;
}

/* A count of rows: whole and at least 1. */
static bool count_of(kr_ref *ref, const kr_expr *e, int64_t *out)
{
    *out = 1;
    return !e->count || (kr_num_to_int(ref_eval(ref, e->count, (frame){ { NO_ROW, NO_ROW } }), out) && *out >= 1);
}

kr_cell ref_prev(kr_ref *ref, const kr_expr *e, frame at)
{
    int64_t back;
    const kr_sheet *sheet = e->sheet;
    ref_need_sequence(ref, sheet);
    ref_sheet *s = ref_sheet_of(ref, sheet);
    size_t row = at.row[0];
    if (!count_of(ref, e, &back))
        return KR_E_VALUE;
    if (back > (int64_t)s->place[row] - (int64_t)s->part_start[row])
        return e->arg_count > 1 && e->args[1] ? ref_eval(ref, e->args[1], at) : KR_BLANK;
    return ref_eval(ref, e->args[0], (frame){ { s->sequence[(int64_t)s->place[row] - back], NO_ROW } });
}

/* The series of the window, all values that may count, in order. */
kr_cell ref_window(kr_ref *ref, const kr_expr *e, frame at)
{
    const kr_sheet *sheet = e->sheet;
    int64_t count;
    size_t row = at.row[0], n = 0;
    if (!count_of(ref, e, &count))
        return KR_E_VALUE;
    ref_need_sequence(ref, sheet);
    ref_sheet *s = ref_sheet_of(ref, sheet);
    size_t start = s->part_start[row], end = s->part_end[row], most = end - start;
    uint32_t *inside = kr_alloc((most + 1) * sizeof *inside);
    if (e->form == KR_FORM_LAST) { /* backwards from this row, rows that are known, until there are enough */
        for (size_t i = s->place[row] + 1; i > start && n < (size_t)count; i--) {
            kr_cell x[e->series_count + 1], special;
            for (int k = 0; k < e->series_count; k++)
                x[k] = ref_eval(ref, e->args[k], (frame){ { s->sequence[i - 1], NO_ROW } });
            if (!kr_spread(x, (size_t)e->series_count, &special) || kr_is_error(special))
                inside[n++] = s->sequence[i - 1];
        }
        for (size_t i = 0; i < n / 2; i++) {
            uint32_t t = inside[i];
            inside[i] = inside[n - 1 - i];
            inside[n - 1 - i] = t;
        }
    } else { /* rows of the days from count - 1 before this one's to this one's, up to this row: a sequence looks back only */
        int64_t today = kr_cell_int(ref_cell(ref, sheet->clock, row));
        for (size_t i = start; i <= s->place[row]; i++) {
            int64_t day = kr_cell_int(ref_cell(ref, sheet->clock, s->sequence[i]));
            if (day <= today && today - day < count)
                inside[n++] = s->sequence[i];
        }
    }
    kr_cell *series[e->series_count + 1];
    for (int k = 0; k < e->series_count; k++) {
        series[k] = kr_alloc((n + 1) * sizeof(kr_cell));
        for (size_t i = 0; i < n; i++)
            series[k][i] = ref_eval(ref, e->args[k], (frame){ { inside[i], NO_ROW } });
    }
    kr_cell out = ref_aggregate(ref, e, series, n, at);
    for (int k = 0; k < e->series_count; k++)
        kr_free(series[k]);
    kr_free(inside);
    return out;
}

kr_cell ref_run(kr_ref *ref, const kr_expr *e, frame at)
{
    ref_need_sequence(ref, e->sheet);
    ref_sheet *s = ref_sheet_of(ref, e->sheet);
    size_t row = at.row[0], rows = s->place[row] - s->part_start[row] + 1;
    if (e->form == KR_FORM_RUNCOUNT && (e->arg_count == 0 || !e->args[0]))
        return kr_num_of_int((int64_t)rows);
    int64_t known = 0;
    kr_cell best = KR_BLANK;
    mpz_t sum, x;
    mpz_inits(sum, x, NULL);
    for (size_t i = s->part_start[row]; i <= s->place[row]; i++) {
        kr_cell cell = ref_eval(ref, e->args[0], (frame){ { s->sequence[i], NO_ROW } });
        if (kr_is_error(cell)) {
            mpz_clears(sum, x, NULL);
            return cell;
        }
        if (kr_is_blank(cell))
            continue;
        known++;
        mpz_set_si(x, cell.hi);
        mpz_mul_2exp(x, x, 64);
        mpz_add_ui(x, x, cell.lo);
        mpz_add(sum, sum, x);
        int cmp = kr_is_blank(best) ? 0 : kr_cell_cmp(ref->env.pool, e->args[0]->type, cell, best);
        if (kr_is_blank(best) || (e->form == KR_FORM_RUNMAX ? cmp > 0 : cmp < 0))
            best = cell;
    }
    kr_cell out = best;
    if (e->form == KR_FORM_RUNCOUNT)
        out = kr_num_of_int(known);
    else if (e->form == KR_FORM_RUNSUM)
        out = ref_number_of(sum);
    mpz_clears(sum, x, NULL);
    return out;
}

/* ---- sequences of other sheets */

typedef struct point {
    size_t row;
    int64_t at; /* the order column's day or time */
    kr_cell value;
} point;

typedef struct point_order {
    kr_ref *ref;
    const kr_sheet *sheet;
} point_order;

static int by_place(const void *a, const void *b, void *context)
{
    const point_order *o = context;
    const point *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return compare_rows(o->ref, o->sheet->order, o->sheet->order_n, p->row, q->row);
}

/* Rows that match, satisfy WHERE and have a known place in the order; sorted by it, then by the sheet's order and keys. */
static bool candidates(kr_ref *ref, const kr_expr *e, frame at, point **out, size_t *count, kr_cell *error)
{
    row_list list;
    if (!ref_match(ref, e->sheet, e->match, e->match_count, at, &list, error))
        return false;
    point *points = kr_alloc((list.count + 1) * sizeof *points);
    size_t n = 0;
    bool fine = true;
    for (size_t i = 0; i < list.count && fine; i++) {
        frame both = { { at.row[0], list.rows[i] } };
        kr_cell condition = e->where ? ref_eval(ref, e->where, both) : kr_cell_of_bool(true);
        kr_cell place = ref_cell(ref, e->order, list.rows[i]);
        if (kr_is_error(condition)) {
            *error = condition;
            fine = false;
        } else if (kr_cell_is_true(condition) && !kr_is_special(place)) {
            points[n++] = (point){ list.rows[i], kr_cell_int(place), KR_BLANK };
        }
    }
    kr_free(list.rows);
    point_order order = { ref, e->sheet };
    if (fine && n > 0)
        qsort_r(points, n, sizeof *points, by_place, &order);
    *out = points;
    *count = n;
    if (!fine)
        kr_free(points);
    return fine;
}

static void rational(mpq_t out, kr_num a)
{
    mpz_set_si(mpq_numref(out), a.hi);
    mpz_mul_2exp(mpq_numref(out), mpq_numref(out), 64);
    mpz_add_ui(mpq_numref(out), mpq_numref(out), a.lo);
    mpz_set_ui(mpq_denref(out), 1);
}

/* Nearest count of 10^-18, half to even. */
static kr_cell rounded(const mpq_t a)
{
    mpz_t q, r;
    mpz_inits(q, r, NULL);
    mpz_fdiv_qr(q, r, mpq_numref(a), mpq_denref(a));
    mpz_mul_2exp(r, r, 1);
    int cmp = mpz_cmp(r, mpq_denref(a));
    if (cmp > 0 || (cmp == 0 && mpz_odd_p(q)))
        mpz_add_ui(q, q, 1);
    kr_cell out = ref_number_of(q);
    mpz_clears(q, r, NULL);
    return out;
}

/* The line from p to q at time t. */
static void line_at(mpq_t out, const point *p, const point *q, int64_t t)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    rational(a, p->value);
    rational(b, q->value);
    mpq_sub(b, b, a);
    mpq_set_si(out, t - p->at, (unsigned long)(q->at - p->at));
    mpq_canonicalize(out);
    mpq_mul(b, b, out);
    mpq_add(out, a, b);
    mpq_clears(a, b, NULL);
}

/* The line's value at t; before the first point `before` (blank: *out is not set and the result false). */
static bool value_at(mpq_t out, const point *points, size_t n, int64_t t, kr_cell before)
{
    if (t < points[0].at) {
        if (kr_is_blank(before))
            return false;
        rational(out, before);
        return true;
    }
    size_t last = 0;
    while (last + 1 < n && points[last + 1].at <= t)
        last++;
    if (last + 1 < n)
        line_at(out, &points[last], &points[last + 1], t);
    else
        rational(out, points[last].value);
    return true;
}

/* The integral over [from, to) is a sum of trapezoids between the points (and `before` as a rectangle), then divided by its length. */
static bool average(mpq_t out, const point *points, size_t n, int64_t from, int64_t to, kr_cell before)
{
    mpq_t left, right, width;
    bool known = true;
    mpq_inits(left, right, width, NULL);
    mpq_set_ui(out, 0, 1);
    for (int64_t start = from, end; start < to && known; start = end) {
        end = to;
        for (size_t i = 0; i < n; i++)
            if (points[i].at > start && points[i].at < end)
                end = points[i].at;
        bool jump = start < points[0].at; /* up to the first point the value is `before` */
        known = value_at(left, points, n, start, before);
        if (jump)
            mpq_set(right, left);
        else
            known = known && value_at(right, points, n, end, before);
        mpq_add(left, left, right);
        mpq_set_si(width, end - start, 2);
        mpq_canonicalize(width);
        mpq_mul(left, left, width);
        mpq_add(out, out, left);
    }
    mpq_set_si(width, to - from, 1);
    mpq_div(out, out, width);
    mpq_clears(left, right, width, NULL);
    return known;
}

/* TWA(v, from, to, limit, before), VALUE_AT(v, t, limit, before). */
static kr_cell on_line(kr_ref *ref, const kr_expr *e, const kr_cell *args, point *points, size_t n, frame at)
{
    bool is_average = e->form == KR_FORM_TWA;
    int64_t from = kr_cell_int(args[1]), to = is_average ? kr_cell_int(args[2]) : from, limit = kr_cell_int(args[is_average ? 3 : 2]);
    int before_at = is_average ? 4 : 3;
    kr_cell before = before_at < e->arg_count ? args[before_at] : KR_BLANK, out = KR_BLANK;
    size_t kept = 0;
    if (is_average && to <= from)
        return KR_E_NUM;
    for (size_t i = 0; i < n; i++) {
        if (points[i].at >= limit)
            continue;
        kr_cell v = ref_eval(ref, e->args[0], (frame){ { at.row[0], points[i].row } });
        if (kr_is_error(v))
            return v;
        if (kr_is_blank(v))
            continue;
        if (kept > 0 && points[kept - 1].at == points[i].at)
            kept--; /* the later of two at one time counts */
        points[kept] = points[i];
        points[kept++].value = v;
    }
    if (kept == 0)
        return KR_BLANK;
    mpq_t result;
    mpq_init(result);
    if (is_average ? average(result, points, kept, from, to, before) : value_at(result, points, kept, from, before))
        out = rounded(result);
    mpq_clear(result);
    return out;
}

kr_cell ref_other_sequence(kr_ref *ref, const kr_expr *e, frame at)
{
    kr_cell args[e->arg_count + 1], out;
    int must = e->form == KR_FORM_TWA ? 4 : e->form == KR_FORM_VALUE_AT ? 3 : e->arg_count; /* `before` may be blank */
    for (int k = 1; k < e->arg_count; k++)
        args[k] = ref_eval(ref, e->args[k], at);
    point *points;
    size_t n;
    if (!candidates(ref, e, at, &points, &n, &out))
        return out;
    kr_cell special;
    if (e->arg_count > 1 && kr_spread(args + 1, (size_t)e->arg_count - 1, &special) && kr_is_error(special)) {
        out = special;
    } else if (must > 1 && kr_spread(args + 1, (size_t)must - 1, &special)) {
        out = special;
    } else if (e->form == KR_FORM_TWA || e->form == KR_FORM_VALUE_AT) {
        out = on_line(ref, e, args, points, n, at);
    } else {
        size_t chosen = NO_ROW;
        for (size_t i = 0; i < n; i++) {
            if (e->form == KR_FORM_ASOF && points[i].at < kr_cell_int(args[1]))
                chosen = points[i].row;
            if (e->form == KR_FORM_NEXT && chosen == NO_ROW && points[i].at >= kr_cell_int(args[1]) && points[i].at < kr_cell_int(args[2]))
                chosen = points[i].row;
            if (e->form == KR_FORM_FIRST && chosen == NO_ROW)
                chosen = points[i].row;
        }
        out = chosen == NO_ROW ? KR_BLANK : ref_eval(ref, e->args[0], (frame){ { at.row[0], chosen } });
    }
    kr_free(points);
    return out;
}
