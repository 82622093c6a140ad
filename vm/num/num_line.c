/* num_line.c: straight lines through points: interpolation, the value at a time, the time-weighted average. */
#include "vm/num/num_exact.h"
#include "vm/num/num_stat.h"
#include "vm/num/num_sum.h"

kr_num kr_stat_interpolate(kr_num x, const kr_num *xs, const kr_num *ys, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (kr_raw_cmp(xs[i - 1], xs[i]) >= 0)
            return KR_E_VALUE;
    if (n == 0)
        return KR_BLANK;
    size_t i = 0;
    while (i < n && kr_raw_cmp(xs[i], x) < 0)
        i++;
    if (i < n && kr_raw_eq(xs[i], x))
        return ys[i];
    if (i == 0 || i == n)
        return KR_E_NA;
    mpz_t num, den, t, u;
    mpz_inits(num, den, t, u, NULL);
    kr_mpz_set_num(t, xs[i - 1]);
    kr_mpz_set_num(den, xs[i]);
    kr_mpz_set_num(num, x);
    mpz_sub(den, den, t);
    mpz_sub(num, num, t);
    kr_mpz_set_num(t, ys[i - 1]);
    kr_mpz_set_num(u, ys[i]);
    mpz_sub(u, u, t);
    mpz_mul(num, num, u);
    mpz_addmul(num, t, den);
    kr_num result = kr_exact_ratio(num, den);
    mpz_clears(num, den, t, u, NULL);
    return result;
}

/* Milliseconds as the unscaled integer that kr_sum_products multiplies. */
static kr_num ms(int64_t from, int64_t to) { return (kr_num){ (uint64_t)to - (uint64_t)from, 0 }; }

/* How many points have a time <= at. */
static size_t points_until(const int64_t *time_ms, size_t n, int64_t at_ms)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (time_ms[middle] <= at_ms)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last of the points that share the time of point i. */
static size_t last_at(const int64_t *time_ms, size_t n, size_t i)
{
    while (i + 1 < n && time_ms[i + 1] == time_ms[i])
        i++;
    return i;
}

kr_num kr_stat_value_at(const int64_t *time_ms, const kr_num *value, size_t n, int64_t at_ms, kr_num before)
{
    if (n == 0)
        return KR_BLANK;
    size_t next = points_until(time_ms, n, at_ms);
    if (next == 0)
        return before;
    if (next == n || time_ms[next - 1] == at_ms)
        return value[next - 1];
    kr_sum_products sum = { { 0 } };
    kr_sum_products_add(&sum, value[next - 1], ms(at_ms, time_ms[next]));
    kr_sum_products_add(&sum, value[last_at(time_ms, n, next)], ms(time_ms[next - 1], at_ms));
    return kr_sum_products_over(&sum, (uint64_t)time_ms[next] - (uint64_t)time_ms[next - 1]);
}

/* A running 2 * area as whole + num / den. Segments inside the period are whole; only those that the period's ends cut have a
 * denominator, at most two. */
typedef struct area {
    kr_sum_products whole;
    mpz_t num, den;
} area;

static void add_level(area *sum, kr_num value, int64_t from_ms, int64_t to_ms)
{
    kr_num span = ms(from_ms, to_ms);
    kr_sum_products_add(&sum->whole, value, span);
    kr_sum_products_add(&sum->whole, value, span);
}

/* The part [a, b) of the line from (t0, v0) to (t1, v1): (b - a) (v0 (2 t1 - a - b) + v1 (a + b - 2 t0)) / (t1 - t0). */
static void add_cut(area *sum, int64_t t0, kr_num v0, int64_t t1, kr_num v1, int64_t a, int64_t b)
{
    mpz_t part, t, u;
    mpz_inits(part, t, u, NULL);
    kr_mpz_set_u64(t, (uint64_t)t1 - (uint64_t)a);
    kr_mpz_set_u64(u, (uint64_t)t1 - (uint64_t)b);
    mpz_add(t, t, u);
    kr_mpz_set_num(u, v0);
    mpz_mul(part, t, u);
    kr_mpz_set_u64(t, (uint64_t)a - (uint64_t)t0);
    kr_mpz_set_u64(u, (uint64_t)b - (uint64_t)t0);
    mpz_add(t, t, u);
    kr_mpz_set_num(u, v1);
    mpz_addmul(part, t, u);
    kr_mpz_set_u64(t, (uint64_t)b - (uint64_t)a);
    mpz_mul(part, part, t);
    kr_mpz_set_u64(t, (uint64_t)t1 - (uint64_t)t0);
    mpz_mul(sum->num, sum->num, t);
    mpz_addmul(sum->num, part, sum->den);
    mpz_mul(sum->den, sum->den, t);
    mpz_clears(part, t, u, NULL);
}

kr_num kr_stat_twa(const int64_t *time_ms, const kr_num *value, size_t n, int64_t from_ms, int64_t to_ms, kr_num before)
{
    if (from_ms >= to_ms)
        return KR_E_NUM;
    if (n == 0 || (from_ms < time_ms[0] && kr_is_blank(before)))
        return KR_BLANK;
    area sum = { .whole = { { 0 } } };
    mpz_inits(sum.num, sum.den, NULL);
    mpz_set_ui(sum.den, 1);
    if (from_ms < time_ms[0])
        add_level(&sum, before, from_ms, time_ms[0] < to_ms ? time_ms[0] : to_ms);
    size_t i = points_until(time_ms, n, from_ms);
    i = i > 0 ? i - 1 : last_at(time_ms, n, 0);
    while (i + 1 < n && time_ms[i] < to_ms) {
        size_t next = last_at(time_ms, n, i + 1);
        int64_t a = time_ms[i] < from_ms ? from_ms : time_ms[i], b = time_ms[next] < to_ms ? time_ms[next] : to_ms;
        if (a == time_ms[i] && b == time_ms[next]) {
            kr_sum_products_add(&sum.whole, value[i], ms(a, b));
            kr_sum_products_add(&sum.whole, value[next], ms(a, b));
        } else {
            add_cut(&sum, time_ms[i], value[i], time_ms[next], value[next], a, b);
        }
        i = next;
    }
    int64_t last = time_ms[n - 1] < from_ms ? from_ms : time_ms[n - 1];
    if (last < to_ms)
        add_level(&sum, value[n - 1], last, to_ms);

    kr_num result;
    mpz_t span;
    mpz_init(span);
    kr_mpz_set_signed(span, sum.whole.limb, 5);
    mpz_addmul(sum.num, span, sum.den);
    kr_mpz_set_u64(span, (uint64_t)to_ms - (uint64_t)from_ms);
    mpz_mul(sum.den, sum.den, span);
    mpz_mul_2exp(sum.den, sum.den, 1);
    result = kr_exact_ratio(sum.num, sum.den);
    mpz_clears(sum.num, sum.den, span, NULL);
    return result;
}
