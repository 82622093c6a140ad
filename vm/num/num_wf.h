/* num_wf.h: floating point on integers, 128 bits of mantissa, for the fast paths of the statistics (private to vm/num).
 *
 * A value is (hi * 2^64 + lo) * 2^exp, hi's top bit set, or zero (hi = 0). Results are truncated. With u = 2^-124, relative errors:
 * of_limbs and mul at most u, rsqrt and sqrt at most 2^-112, div at most 2^-111; add at most u of the larger operand (not of the result:
 * whoever subtracts accounts for it). Exponents stay far from the ends of int32. Whether such a value may be rounded is
 * kr_wf_round's question; where it says no, exact integers decide (num_exact.h). */
#ifndef KR_NUM_WF_H
#define KR_NUM_WF_H

#include "vm/num/num_limb.h"

typedef struct kr_wf {
    uint64_t hi, lo;
    int32_t exp;
    bool neg;
} kr_wf;

KR_LIMB_INLINE bool kr_wf_is_zero(kr_wf a) { return a.hi == 0; }
KR_LIMB_INLINE kr_wf kr_wf_neg(kr_wf a) { a.neg = !a.neg; return a; }

/* Shifts the mantissa up until its top bit is set. */
KR_LIMB_INLINE kr_wf kr_wf_normal(uint64_t hi, uint64_t lo, int32_t exp, bool neg)
{
    if (hi == 0) {
        if (lo == 0)
            return (kr_wf){ 0, 0, 0, false };
        hi = lo, lo = 0, exp -= 64;
    }
    int up = __builtin_clzll(hi);
    if (up)
        hi = hi << up | lo >> (64 - up), lo <<= up;
    return (kr_wf){ hi, lo, exp - up, neg };
}

KR_LIMB_INLINE kr_wf kr_wf_of_u64(uint64_t v) { return kr_wf_normal(0, v, 0, false); }

/* An unsigned integer of n limbs. */
KR_LIMB_INLINE kr_wf kr_wf_of_limbs(const uint64_t *limb, int n)
{
    int top = n - 1;
    while (top > 0 && limb[top] == 0)
        top--;
    if (top < 2)
        return kr_wf_normal(n > 1 ? limb[1] : 0, limb[0], 0, false);
    int up = __builtin_clzll(limb[top]);
    uint64_t hi = limb[top], lo = limb[top - 1];
    if (up)
        hi = hi << up | lo >> (64 - up), lo = lo << up | limb[top - 2] >> (64 - up);
    return (kr_wf){ hi, lo, 64 * (top - 1) - up, false };
}

/* A two's complement integer of n <= 9 limbs. */
KR_LIMB_INLINE kr_wf kr_wf_of_signed(const uint64_t *limb, int n)
{
    if (!kr_limbs_is_neg(limb, n))
        return kr_wf_of_limbs(limb, n);
    uint64_t t[9];
    for (int i = 0; i < n; i++)
        t[i] = limb[i];
    kr_limbs_neg(t, n);
    return kr_wf_neg(kr_wf_of_limbs(t, n));
}

KR_LIMB_INLINE kr_wf kr_wf_of_num(kr_num a)
{
    uint64_t limb[2];
    kr_limbs_of_num(limb, a);
    return kr_wf_normal(limb[1], limb[0], 0, a.hi < 0);
}

KR_LIMB_INLINE kr_wf kr_wf_mul(kr_wf a, kr_wf b)
{
    if (a.hi == 0 || b.hi == 0)
        return (kr_wf){ 0, 0, 0, false };
    uint64_t cross = kr_mulhi64(a.hi, b.lo), carry = kr_mulhi64(a.lo, b.hi); /* what their low halves and lo * lo add is below 2 units */
    uint64_t lo = kr_limb_muladd(a.hi, b.hi, cross, &carry), hi = carry;
    int up = 1 - (int)(hi >> 63);
    if (up)
        hi = hi << 1 | lo >> 63, lo <<= 1;
    return (kr_wf){ hi, lo, a.exp + b.exp + 128 - up, a.neg != b.neg };
}

KR_LIMB_INLINE bool kr_wf_mag_less(kr_wf a, kr_wf b) /* |a| < |b| */
{
    if (a.hi == 0 || b.hi == 0)
        return b.hi != 0 && a.hi == 0;
    if (a.exp != b.exp)
        return a.exp < b.exp;
    return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo;
}

KR_LIMB_INLINE kr_wf kr_wf_add(kr_wf a, kr_wf b)
{
    if (kr_wf_mag_less(a, b)) {
        kr_wf t = a;
        a = b, b = t;
    }
    if (b.hi == 0 || a.exp - b.exp >= 128)
        return a;
    int down = a.exp - b.exp;
    uint64_t hi = b.hi, lo = b.lo, carry = 0;
    if (down >= 64)
        lo = hi, hi = 0, down -= 64;
    if (down)
        lo = lo >> down | hi << (64 - down), hi >>= down;
    if (a.neg != b.neg) {
        lo = kr_limb_subb(a.lo, lo, &carry);
        hi = kr_limb_subb(a.hi, hi, &carry);
        return kr_wf_normal(hi, lo, a.exp, a.neg);
    }
    lo = kr_limb_addc(a.lo, lo, &carry);
    hi = kr_limb_addc(a.hi, hi, &carry);
    if (!carry)
        return (kr_wf){ hi, lo, a.exp, a.neg };
    return (kr_wf){ hi >> 1 | UINT64_C(1) << 63, lo >> 1 | hi << 63, a.exp + 1, a.neg };
}

KR_LIMB_INLINE kr_wf kr_wf_sub(kr_wf a, kr_wf b) { return kr_wf_add(a, kr_wf_neg(b)); }

/* round(2^15 / sqrt((i + 1/2) / 1024)) for i = 256 .. 1023, at most 65535: 1/sqrt to 10 bits from the top ten. */
static const uint16_t kr_wf_rsqrt_seed[768] = {
    65472, 65345, 65218, 65093, 64967, 64843, 64720, 64597, 64474, 64353, 64232, 64112, 63992, 63873, 63755, 63638, 63521, 63405, 63289, 63174, 63060, 62946, 62833, 62720,
    62609, 62497, 62387, 62276, 62167, 62058, 61949, 61842, 61734, 61628, 61521, 61416, 61311, 61206, 61102, 60999, 60896, 60793, 60691, 60590, 60489, 60389, 60289, 60189,
    60091, 59992, 59894, 59797, 59700, 59603, 59507, 59412, 59316, 59222, 59128, 59034, 58940, 58848, 58755, 58663, 58571, 58480, 58390, 58299, 58209, 58120, 58031, 57942,
    57854, 57766, 57679, 57591, 57505, 57419, 57333, 57247, 57162, 57077, 56993, 56909, 56825, 56742, 56659, 56577, 56494, 56413, 56331, 56250, 56169, 56089, 56009, 55929,
    55850, 55771, 55692, 55613, 55535, 55458, 55380, 55303, 55226, 55150, 55074, 54998, 54923, 54847, 54773, 54698, 54624, 54550, 54476, 54403, 54330, 54257, 54184, 54112,
    54040, 53969, 53897, 53826, 53755, 53685, 53615, 53545, 53475, 53406, 53337, 53268, 53199, 53131, 53063, 52995, 52927, 52860, 52793, 52726, 52660, 52593, 52527, 52462,
    52396, 52331, 52266, 52201, 52136, 52072, 52008, 51944, 51880, 51817, 51754, 51691, 51628, 51566, 51504, 51442, 51380, 51318, 51257, 51196, 51135, 51074, 51014, 50953,
    50893, 50834, 50774, 50714, 50655, 50596, 50537, 50479, 50420, 50362, 50304, 50247, 50189, 50132, 50074, 50017, 49961, 49904, 49847, 49791, 49735, 49679, 49624, 49568,
    49513, 49458, 49403, 49348, 49294, 49239, 49185, 49131, 49077, 49024, 48970, 48917, 48864, 48811, 48758, 48705, 48653, 48600, 48548, 48496, 48445, 48393, 48341, 48290,
    48239, 48188, 48137, 48087, 48036, 47986, 47936, 47886, 47836, 47786, 47737, 47687, 47638, 47589, 47540, 47491, 47443, 47394, 47346, 47297, 47249, 47202, 47154, 47106,
    47059, 47011, 46964, 46917, 46870, 46824, 46777, 46730, 46684, 46638, 46592, 46546, 46500, 46455, 46409, 46364, 46318, 46273, 46228, 46183, 46139, 46094, 46050, 46005,
    45961, 45917, 45873, 45829, 45785, 45742, 45698, 45655, 45612, 45569, 45526, 45483, 45440, 45398, 45355, 45313, 45270, 45228, 45186, 45144, 45103, 45061, 45019, 44978,
    44937, 44895, 44854, 44813, 44773, 44732, 44691, 44651, 44610, 44570, 44530, 44490, 44450, 44410, 44370, 44330, 44291, 44251, 44212, 44173, 44133, 44094, 44055, 44017,
    43978, 43939, 43901, 43862, 43824, 43786, 43748, 43710, 43672, 43634, 43596, 43559, 43521, 43484, 43446, 43409, 43372, 43335, 43298, 43261, 43224, 43187, 43151, 43114,
    43078, 43042, 43005, 42969, 42933, 42897, 42862, 42826, 42790, 42755, 42719, 42684, 42648, 42613, 42578, 42543, 42508, 42473, 42438, 42403, 42369, 42334, 42300, 42265,
    42231, 42197, 42163, 42129, 42095, 42061, 42027, 41993, 41960, 41926, 41893, 41859, 41826, 41793, 41760, 41727, 41694, 41661, 41628, 41595, 41562, 41530, 41497, 41465,
    41432, 41400, 41368, 41336, 41304, 41272, 41240, 41208, 41176, 41144, 41113, 41081, 41050, 41018, 40987, 40956, 40924, 40893, 40862, 40831, 40800, 40769, 40739, 40708,
    40677, 40647, 40616, 40586, 40555, 40525, 40495, 40465, 40435, 40405, 40375, 40345, 40315, 40285, 40255, 40226, 40196, 40167, 40137, 40108, 40079, 40049, 40020, 39991,
    39962, 39933, 39904, 39875, 39846, 39818, 39789, 39760, 39732, 39703, 39675, 39647, 39618, 39590, 39562, 39534, 39506, 39478, 39450, 39422, 39394, 39366, 39339, 39311,
    39283, 39256, 39228, 39201, 39173, 39146, 39119, 39092, 39065, 39037, 39010, 38983, 38957, 38930, 38903, 38876, 38849, 38823, 38796, 38770, 38743, 38717, 38690, 38664,
    38638, 38612, 38586, 38559, 38533, 38507, 38481, 38456, 38430, 38404, 38378, 38353, 38327, 38301, 38276, 38250, 38225, 38200, 38174, 38149, 38124, 38099, 38073, 38048,
    38023, 37998, 37973, 37949, 37924, 37899, 37874, 37850, 37825, 37800, 37776, 37751, 37727, 37702, 37678, 37654, 37630, 37605, 37581, 37557, 37533, 37509, 37485, 37461,
    37437, 37413, 37390, 37366, 37342, 37318, 37295, 37271, 37248, 37224, 37201, 37177, 37154, 37131, 37108, 37084, 37061, 37038, 37015, 36992, 36969, 36946, 36923, 36900,
    36877, 36855, 36832, 36809, 36786, 36764, 36741, 36719, 36696, 36674, 36651, 36629, 36607, 36584, 36562, 36540, 36518, 36496, 36474, 36452, 36430, 36408, 36386, 36364,
    36342, 36320, 36298, 36277, 36255, 36233, 36212, 36190, 36169, 36147, 36126, 36104, 36083, 36061, 36040, 36019, 35998, 35976, 35955, 35934, 35913, 35892, 35871, 35850,
    35829, 35808, 35787, 35767, 35746, 35725, 35704, 35684, 35663, 35642, 35622, 35601, 35581, 35560, 35540, 35519, 35499, 35479, 35458, 35438, 35418, 35398, 35378, 35358,
    35337, 35317, 35297, 35277, 35257, 35238, 35218, 35198, 35178, 35158, 35138, 35119, 35099, 35079, 35060, 35040, 35021, 35001, 34982, 34962, 34943, 34923, 34904, 34885,
    34865, 34846, 34827, 34808, 34789, 34770, 34750, 34731, 34712, 34693, 34674, 34655, 34636, 34618, 34599, 34580, 34561, 34542, 34524, 34505, 34486, 34468, 34449, 34430,
    34412, 34393, 34375, 34356, 34338, 34320, 34301, 34283, 34265, 34246, 34228, 34210, 34192, 34174, 34155, 34137, 34119, 34101, 34083, 34065, 34047, 34029, 34011, 33993,
    33976, 33958, 33940, 33922, 33905, 33887, 33869, 33851, 33834, 33816, 33799, 33781, 33764, 33746, 33729, 33711, 33694, 33676, 33659, 33642, 33624, 33607, 33590, 33573,
    33556, 33538, 33521, 33504, 33487, 33470, 33453, 33436, 33419, 33402, 33385, 33368, 33351, 33334, 33318, 33301, 33284, 33267, 33250, 33234, 33217, 33200, 33184, 33167,
    33151, 33134, 33118, 33101, 33085, 33068, 33052, 33035, 33019, 33002, 32986, 32970, 32954, 32937, 32921, 32905, 32889, 32872, 32856, 32840, 32824, 32808, 32792, 32776,
};

/* 1 / sqrt(a), a > 0. With v in [1/4, 1): the seed is good to 2^-10; two Newton steps on 64 bits (error e to 1.5 e^2) give 2^-38; one
 * step of third order, 1 + d/2 + 3/8 d^2 with d = 1 - v y^2 held to 2^-126 and |d| < 2^-37, leaves 5/16 |d|^3 < 2^-112.5. */
KR_LIMB_INLINE kr_wf kr_wf_rsqrt(kr_wf a)
{
    int odd = (a.exp & 1);                       /* v = m / 2^(128 + odd) */
    uint64_t v1 = a.hi, v0 = a.lo;
    if (odd)
        v0 = v0 >> 1 | v1 << 63, v1 >>= 1;
    uint64_t y = (uint64_t)kr_wf_rsqrt_seed[(v1 >> 54) - 256] << 48; /* 1 .. 2 as y / 2^63 */
    for (int i = 0; i < 2; i++) {
        uint64_t p = kr_mulhi64(kr_mulhi64(y, y), v1), hi = 0; /* v y^2 * 2^62 */
        uint64_t lo = kr_limb_muladd(y, (UINT64_C(3) << 62) - p, 0, &hi);
        y = hi >> 63 ? UINT64_MAX : hi << 1 | lo >> 63;
    }
    /* v y^2 as 256 bits with the point after 2 bits: (y^2 / 2^126) * (v / 2^128); its low limb is not looked at */
    uint64_t q1 = 0, q0 = kr_limb_muladd(y, y, 0, &q1), c1 = kr_mulhi64(q0, v0), c2 = 0, p2, p3 = 0;
    (void)kr_limb_muladd(q1, v0, c1, &c2);
    c1 = 0;
    (void)kr_limb_muladd(q0, v1, 0, &c1);
    p2 = kr_limb_muladd(q1, v1, c2, &p3);
    p2 += c1;
    p3 += p2 < c1;
    /* d = 1 - v y^2 in units of 2^-126, two's complement; |d| < 2^90 of them */
    uint64_t d0 = 0 - p2, d1 = (UINT64_C(1) << 62) - p3 - (p2 != 0);
    uint64_t sign = (uint64_t)((int64_t)d1 >> 63);
    uint64_t m0 = (d0 ^ sign) - sign, m1 = (d1 ^ sign) + (sign & (m0 == 0)); /* |d| */
    /* t = |d|/2 +- 3/8 d^2 in units of 2^-126; d^2 in these units is (|d| >> 32)^2 >> 62 */
    uint64_t m = m1 << 32 | m0 >> 32, s1 = 0, s0 = kr_limb_muladd(m, m, 0, &s1);
    uint64_t extra = (3 * (s1 << 2 | s0 >> 62)) >> 3;
    uint64_t t0 = m0 >> 1 | m1 << 63, t1 = m1 >> 1;
    extra = (extra ^ sign) - sign; /* taken away when d < 0 */
    uint64_t t = t0 + extra;
    t1 += (t < t0) - (sign & 1) + (sign & (extra == 0));
    t0 = t;
    /* y * t, y in units of 2^-63: product in 2^-189; wanted in 2^-127 (y << 64): shift down 62. t < 2^90, so y t < 2^154 */
    uint64_t c = 0, r0 = kr_limb_muladd(y, t0, 0, &c), r2 = 0, r1 = kr_limb_muladd(y, t1, c, &r2);
    uint64_t lo = r0 >> 62 | r1 << 2, hi = r1 >> 62 | r2 << 2;
    /* y +- that; past the top only where v is next to 1/4 */
    uint64_t up = y + hi + 0, down_hi = y - hi - (lo != 0), down_lo = 0 - lo;
    if (sign)
        hi = down_hi, lo = down_lo;
    else if (up < y)
        hi = lo = UINT64_MAX;
    else
        hi = up;
    /* a = v * 2^(exp + 128 + odd), so 1/sqrt(a) = y * 2^-((exp + 128 + odd) / 2) with y = (hi:lo) / 2^127; y >= 1 - 2^-112 */
    return kr_wf_normal(hi, lo, -127 - (a.exp + 128 + odd) / 2, false);
}

KR_LIMB_INLINE kr_wf kr_wf_sqrt(kr_wf a) { return kr_wf_is_zero(a) ? a : kr_wf_mul(a, kr_wf_rsqrt(a)); }

/* a / b, b not 0. */
KR_LIMB_INLINE kr_wf kr_wf_div(kr_wf a, kr_wf b)
{
    bool neg = b.neg;
    b.neg = false;
    kr_wf r = kr_wf_rsqrt(b);
    kr_wf q = kr_wf_mul(a, kr_wf_mul(r, r));
    return neg ? kr_wf_neg(q) : q;
}

/* The integer nearest to a value that lies within a relative 2^-(bits) of a, as a number of so many 10^-18. False when that is not
 * certain (near a half, or near or past the ends of the range). */
KR_LIMB_INLINE bool kr_wf_round(kr_wf a, int bits, kr_num *out)
{
    if (a.hi == 0 || a.exp <= -130) { /* below 1/4: rounds to 0 whatever the last bits */
        *out = KR_NUM_ZERO;
        return true;
    }
    int down = -a.exp; /* bits after the point, of 128 */
    if (down < 2 || down > 129)
        return false;
    uint64_t whole1 = 0, whole0 = 0, frac; /* whole (128 bits) . frac (64 bits, the rest cut) */
    if (down >= 128)
        frac = a.hi >> (down - 128);
    else if (down > 64)
        whole0 = a.hi >> (down - 64), frac = a.hi << (128 - down) | a.lo >> (down - 64);
    else if (down == 64)
        whole0 = a.hi, frac = a.lo;
    else
        whole1 = a.hi >> down, whole0 = a.lo >> down | a.hi << (64 - down), frac = a.lo << (64 - down);
    /* error in units of 2^-64 of one count, rounded up: value < 2^(128 - down), so 2^(128 - down - bits + 64) */
    int error_log = 192 - down - bits;
    if (error_log > 60)
        return false;
    uint64_t error = (error_log < 0 ? 0 : UINT64_C(1) << error_log) + 2;
    uint64_t half = UINT64_C(1) << 63, gap = frac >= half ? frac - half : half - frac;
    if (gap <= error)
        return false;
    if (frac >= half && ++whole0 == 0)
        whole1++;
    if (whole1 >> 62)
        return false;
    *out = (kr_num){ whole0, (int64_t)whole1 };
    if (a.neg) {
        uint64_t t[2] = { whole0, whole1 };
        kr_limbs_neg(t, 2);
        *out = (kr_num){ t[0], (int64_t)t[1] };
    }
    return true;
}

#endif
