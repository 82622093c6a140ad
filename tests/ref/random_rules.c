/* random_rules.c: see random_rules.h. */
#include "tests/ref/random_rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "vm/text/time.h"

enum { BASE_DAY = 19800, DAYS_OF_DATA = 6, DATA_SHEETS = 5, SHEETS = 12, MAX_COLUMNS = 48, MAX_ROWS = 600, TEXT_MAX = 1 << 18, LINE_MAX_BYTES = 6000 };

enum { ITEM, EVENT, PRICE, STEP, LOG, GRID, DAILY, COMBO, DUO, BACK, ALL, FOLD };

typedef struct gen_column {
    char name[12];
    kr_type type;
    bool input;
} gen_column;

typedef struct gen_sheet {
    const char *name;
    gen_column columns[MAX_COLUMNS];
    int count;
    int keys;        /* the first so many columns */
    kr_type order;   /* type of what its rows follow: time or day; NUMBER: has a sequence that no other sheet can ask; NONE */
    bool by_day;     /* DAYS works */
} gen_sheet;

typedef struct proposal_column {
    int sheet;
    gen_column column;
} proposal_column;

struct random_rules {
    uint64_t state;
    gen_sheet sheets[SHEETS];
    char skeleton[8192];
    char text[TEXT_MAX];       /* kept columns */
    size_t text_len;
    char proposal[3 * LINE_MAX_BYTES + 64];
    size_t proposal_len;
    proposal_column proposed[3];
    int proposed_count, next_name;
    char whole[TEXT_MAX + 3 * LINE_MAX_BYTES + 8192 + 64];
    bool large;
    int row_count[DATA_SHEETS];
    kr_num number[DATA_SHEETS][MAX_ROWS][8]; /* drawn cells of data sheets, as indexes into small worlds of values */
};

uint64_t random_next(random_rules *r)
{
    r->state ^= r->state << 13, r->state ^= r->state >> 7, r->state ^= r->state << 17;
    return r->state * UINT64_C(0x2545F4914F6CDD1D);
}

static int below(random_rules *r, int n) { return (int)(random_next(r) >> 33) % n; }
static bool chance(random_rules *r, int percent) { return below(r, 100) < percent; }

/* ---- text */

typedef struct buffer {
    char at[LINE_MAX_BYTES];
    size_t len;
} buffer;

__attribute__((format(printf, 2, 3))) static void put(buffer *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->at + t->len, sizeof t->at - t->len, format, args);
    va_end(args);
    t->len = t->len + (size_t)n < sizeof t->at ? t->len + (size_t)n : sizeof t->at - 1;
}

/* ---- formulas */

typedef enum place {
    IN_ROW,  /* anything */
    IN_AGG,  /* own and far rows, no further form */
    IN_FAR,  /* far row only */
    IN_CONST /* no row */
} place;

typedef struct scope {
    int own, far;
    place place;
    const gen_column *self; /* may be named inside PREV */
    bool inside_prev;
} scope;

static const kr_type types[] = { KR_T_NUMBER, KR_T_BOOLEAN, KR_T_TEXT, KR_T_DAY, KR_T_TIME };
static const char *const comparisons[] = { "=", "<>", "<", "<=", ">", ">=" };

static void gen(random_rules *r, buffer *t, const scope *s, kr_type type, int depth);

static int columns_of(const gen_sheet *sheet, kr_type type, int *out)
{
    int n = 0;
    for (int i = 0; i < sheet->count; i++)
        if (sheet->columns[i].type == type)
            out[n++] = i;
    return n;
}

static void constant(random_rules *r, buffer *t, kr_type type)
{
    static const char *const numbers[] = { "0", "1", "2", "-1", "0.5", "3.25", "1e-18", "10", "0.333333333333333333", "50%", "1e19" };
    static const char *const texts[] = { "'a'", "'b'", "'c'", "'x'", "''" };
    switch (type) {
    case KR_T_NUMBER: put(t, "%s", chance(r, 3) ? "p_big" : chance(r, 20) ? (chance(r, 50) ? "p" : "q") : numbers[below(r, chance(r, 90) ? 10 : 11)]); break;
    case KR_T_BOOLEAN: put(t, "%s", chance(r, 50) ? "TRUE" : "FALSE"); break;
    case KR_T_TEXT: put(t, "%s", texts[below(r, 5)]); break;
    case KR_T_DAY: put(t, "DATE(2024, 3, %d)", 17 + below(r, 8)); break;
    default: put(t, "TIME('2024-03-%02dT%02d:00')", 17 + below(r, 8), 6 * below(r, 4)); break;
    }
}

static void leaf(random_rules *r, buffer *t, const scope *s, kr_type type)
{
    int found[MAX_COLUMNS], n;
    if (s->inside_prev && s->self && s->self->type == type && chance(r, 40)) {
        put(t, "%s", s->self->name);
        return;
    }
    if ((s->place == IN_AGG && chance(r, 75)) || s->place == IN_FAR) {
        n = columns_of(&r->sheets[s->far], type, found);
        if (n > 0 && chance(r, 88)) {
            put(t, "%s.%s", r->sheets[s->far].name, r->sheets[s->far].columns[found[below(r, n)]].name);
            return;
        }
    } else if (s->place != IN_CONST && s->own >= 0) {
        n = columns_of(&r->sheets[s->own], type, found);
        if (n > 0 && chance(r, 88)) {
            put(t, "%s", r->sheets[s->own].columns[found[below(r, n)]].name);
            return;
        }
    }
    constant(r, t, type);
}

/* BY of columns that both sides have, by name and type. */
static void put_by(random_rules *r, buffer *t, const scope *s, int far, const char *except)
{
    const gen_sheet *own = &r->sheets[s->own], *other = &r->sheets[far];
    const char *common[MAX_COLUMNS];
    int n = 0, chosen = 0;
    for (int i = 0; i < own->count; i++)
        for (int j = 0; j < other->count; j++)
            if (own->columns[i].type == other->columns[j].type && strcmp(own->columns[i].name, other->columns[j].name) == 0
                && (!except || strcmp(own->columns[i].name, except) != 0))
                common[n++] = own->columns[i].name;
    put(t, " BY ");
    for (int i = 0; i < n && chosen < 3; i++)
        if (chance(r, n > 2 ? 45 : 65))
            put(t, "%s%s", chosen++ ? ", " : "", common[i]);
    if (chosen == 0)
        put(t, "()");
}

static int random_sheet(random_rules *r) { return below(r, SHEETS); }

/* As gen, and names the ranging sheet at least once. */
static void gen_far(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    char name[16];
    int found[MAX_COLUMNS], n = columns_of(&r->sheets[s->far], type, found);
    size_t start = t->len;
    gen(r, t, s, type, depth);
    snprintf(name, sizeof name, "%s.", r->sheets[s->far].name);
    if (n > 0 && !strstr(t->at + start, name)) {
        t->len = start;
        put(t, "%s%s", name, r->sheets[s->far].columns[found[below(r, n)]].name);
    }
}

static void where_clause(random_rules *r, buffer *t, const scope *inner, int percent)
{
    if (!chance(r, percent))
        return;
    put(t, " WHERE ");
    if (inner->place == IN_AGG && chance(r, 45)) { /* equalities and bounds between both rows, as joins have them */
        int parts = 1 + below(r, 3);
        put(t, "%s", parts > 1 ? "AND(" : "");
        for (int k = 0; k < parts; k++) {
            kr_type type = types[below(r, 5)];
            put(t, "%s", k ? ", " : "");
            gen_far(r, t, inner, type, 0);
            put(t, " %s ", comparisons[chance(r, 60) ? 0 : below(r, 6)]);
            scope near = { inner->own, 0, IN_ROW, NULL, false };
            leaf(r, t, &near, type);
        }
        put(t, "%s", parts > 1 ? ")" : "");
        return;
    }
    gen(r, t, inner, KR_T_BOOLEAN, 1 + below(r, 2));
}

/* One series argument for each `x`, then what follows. Types say what the series holds. */
typedef struct statistic {
    const char *name;
    int series;
    kr_type type;      /* NONE: any, BOOLEAN: condition */
    const char *rest;
} statistic;

static const statistic statistics[] = {
    { "SUM", 1, KR_T_NUMBER, "" }, { "SUM", 1, KR_T_NUMBER, "" }, { "AVERAGE", 1, KR_T_NUMBER, "" }, { "COUNT", 1, KR_T_NONE, "" },
    { "COUNTIF", 1, KR_T_BOOLEAN, "" }, { "COUNTBLANK", 1, KR_T_NONE, "" }, { "MIN", 1, KR_T_NUMBER, "" }, { "MAX", 1, KR_T_NUMBER, "" },
    { "MEDIAN", 1, KR_T_NUMBER, "" }, { "STDEV.S", 1, KR_T_NUMBER, "" }, { "VAR.P", 1, KR_T_NUMBER, "" }, { "SKEW", 1, KR_T_NUMBER, "" },
    { "PERCENTILE", 1, KR_T_NUMBER, ", 25%" }, { "SUMPRODUCT", 2, KR_T_NUMBER, "" }, { "CORREL", 2, KR_T_NUMBER, "" },
    { "PSR", 1, KR_T_NUMBER, ", 0.03" }, { "GPR", 1, KR_T_NUMBER, ", 10" }, { "PROFITFACTOR", 1, KR_T_NUMBER, "" },
};

static void series_args(random_rules *r, buffer *t, const statistic *f, const scope *inner, const char *before, const char *after, int depth)
{
    for (int k = 0; k < f->series; k++) {
        put(t, "%s%s", k ? ", " : "", before);
        kr_type type = f->type == KR_T_NONE ? types[below(r, 5)] : f->type;
        if (inner->place == IN_AGG)
            gen_far(r, t, inner, type, depth);
        else
            gen(r, t, inner, type, depth);
        put(t, "%s", after);
    }
    put(t, "%s", f->rest);
}

/* The aggregate of a type: a statistic for numbers, ANY or ALL for booleans, MIN or MAX for the rest. */
static statistic aggregate_of(random_rules *r, kr_type type)
{
    if (type == KR_T_NUMBER)
        return statistics[below(r, (int)(sizeof statistics / sizeof *statistics))];
    if (type == KR_T_BOOLEAN)
        return (statistic){ chance(r, 50) ? "ANY" : "ALL", 1, KR_T_BOOLEAN, "" };
    return (statistic){ chance(r, 50) ? "MIN" : "MAX", 1, type, "" };
}

static void over_sheet(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    statistic f = aggregate_of(r, type);
    int far = random_sheet(r);
    scope inner = { s->own, far, IN_AGG, NULL, false };
    put(t, "%s(", f.name);
    series_args(r, t, &f, &inner, "", "", depth > 1 ? 1 : 0);
    where_clause(r, t, &inner, 40);
    if (!chance(r, 15))
        put_by(r, t, s, far, NULL);
    put(t, ")");
}

static void window(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    statistic f = aggregate_of(r, type);
    char before[8], after[16];
    scope inner = *s;
    snprintf(before, sizeof before, "%s(", r->sheets[s->own].by_day && chance(r, 55) ? "DAYS" : "LAST");
    if (chance(r, 10))
        snprintf(after, sizeof after, ", p)");
    else
        snprintf(after, sizeof after, ", %d)", 1 + below(r, 4));
    put(t, "%s(", f.name);
    if (s->self && s->self->type == KR_T_NUMBER && f.type == KR_T_NUMBER && f.series == 1 && chance(r, 25)) {
        put(t, "%sPREV(%s, 1)%s%s)", before, s->self->name, after, f.rest);
        return;
    }
    inner.place = IN_ROW;
    series_args(r, t, &f, &inner, before, after, depth > 1 ? 1 : 0);
    put(t, ")");
}

static void lookup(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    int far = random_sheet(r), found[MAX_COLUMNS], n = columns_of(&r->sheets[far], type, found);
    const gen_sheet *other = &r->sheets[far];
    if (n == 0 || far == s->own) {
        leaf(r, t, s, type);
        return;
    }
    const char *x = other->columns[found[below(r, n)]].name;
    if (other->keys > 0 && s->place == IN_ROW && chance(r, 45)) {
        put(t, "%s.%s", other->name, x);
        return;
    }
    put(t, "LOOKUP(%s.%s", other->name, x);
    int matches = 0;
    for (int i = 0; i < (other->keys ? other->keys : 2); i++) {
        if (other->keys > 0 ? chance(r, 8) : matches > 0 && chance(r, 50))
            continue;
        put(t, ", %s.%s = ", other->name, other->columns[i].name);
        gen(r, t, s, other->columns[i].type, depth > 1 ? 1 : 0);
        matches++;
    }
    if (matches == 0)
        put(t, ", %s.%s = %s.%s", other->name, other->columns[0].name, other->name, other->columns[0].name);
    put(t, ")");
}

static void sequence(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    int far = random_sheet(r);
    const gen_sheet *other = &r->sheets[far];
    if (other->order != KR_T_TIME && other->order != KR_T_DAY) {
        leaf(r, t, s, type);
        return;
    }
    scope target = { s->own, far, IN_FAR, NULL, false }, bound = *s;
    const char *order = other->order == KR_T_DAY ? "day" : "at";
    int form = type == KR_T_NUMBER ? below(r, 5) : below(r, 3);
    static const char *const names[] = { "ASOF", "NEXT", "FIRST", "TWA", "VALUE_AT" };
    static const int bounds[] = { 1, 2, 0, 3, 2 };
    put(t, "%s(", names[form]);
    gen_far(r, t, &target, type, depth > 1 ? 1 : 0);
    for (int k = 0; k < bounds[form]; k++) {
        put(t, ", ");
        if (chance(r, 55) && k == 1) { /* something later than the bound before it, mostly */
            gen(r, t, &bound, other->order, 0);
            put(t, other->order == KR_T_DAY ? " + 3" : " + HOURS(30)");
        } else {
            gen(r, t, &bound, other->order, depth > 1 ? 1 : 0);
        }
    }
    if (form >= 3) {
        put(t, ", ");
        gen(r, t, &bound, KR_T_NUMBER, 0);
    }
    where_clause(r, t, &target, 25);
    put_by(r, t, s, far, order);
    put(t, ")");
}

static void arg(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    int far = random_sheet(r);
    scope inner = { s->own, far, IN_AGG, NULL, false };
    put(t, "%s(", chance(r, 50) ? "ARGMIN" : "ARGMAX");
    gen_far(r, t, &inner, type, depth > 1 ? 1 : 0);
    put(t, ", ");
    gen_far(r, t, &inner, types[below(r, 5)], 0);
    where_clause(r, t, &inner, 35);
    put_by(r, t, s, far, NULL);
    put(t, ")");
}

static void own_by(random_rules *r, buffer *t, const scope *s)
{
    const gen_sheet *own = &r->sheets[s->own];
    int n = 0;
    put(t, " BY ");
    for (int i = 0; i < own->count && n < 2; i++)
        if (chance(r, 25))
            put(t, "%s%s", n++ ? ", " : "", own->columns[i].name);
    if (n == 0)
        put(t, "()");
}

static void share(random_rules *r, buffer *t, const scope *s, int depth)
{
    int sub = depth > 1 ? 1 : 0;
    switch (below(r, 4)) {
    case 0:
        put(t, "RANK(");
        for (int k = below(r, 2); k >= 0; k--) {
            gen(r, t, s, types[below(r, 5)], sub);
            put(t, "%s%s", chance(r, 50) ? (chance(r, 50) ? " ASC" : " DESC") : "", k ? ", " : "");
        }
        break;
    case 1:
        put(t, "SHARE(");
        gen(r, t, s, KR_T_NUMBER, sub);
        break;
    case 2:
        put(t, "PRORATE(");
        gen(r, t, s, KR_T_NUMBER, sub);
        put(t, ", ");
        gen(r, t, s, KR_T_NUMBER, sub);
        break;
    default:
        put(t, "APPORTION(ABS(");
        gen(r, t, s, KR_T_NUMBER, sub);
        put(t, "), ");
        if (chance(r, 70))
            put(t, "%d", below(r, 1000));
        else
            gen(r, t, s, KR_T_NUMBER, 0);
    }
    where_clause(r, t, s, 20);
    own_by(r, t, s);
    put(t, ")");
}

static void component(random_rules *r, buffer *t, const scope *s)
{
    bool timed = chance(r, 50);
    put(t, "COMPONENT(");
    gen(r, t, s, KR_T_TEXT, 0);
    if (timed) {
        put(t, ", ");
        gen(r, t, s, KR_T_TIME, 1);
    }
    put(t, ", EDGES(item.who, item.peer%s", timed ? ", item.at" : "");
    scope far = { s->own, ITEM, IN_FAR, NULL, false };
    where_clause(r, t, &far, 30);
    put(t, ")");
    bool both = chance(r, 50);
    if (both)
        put(t, ", EDGES(event.who, event.tag%s)", timed ? ", event.at" : "");
    const gen_sheet *own = &r->sheets[s->own];
    bool can = false;
    for (int i = 0; i < own->count; i++)
        can |= strcmp(own->columns[i].name, "tag") == 0;
    put(t, " BY %s)", can && chance(r, 40) ? "tag" : "()");
}

static void hops(random_rules *r, buffer *t, const scope *s)
{
    bool days = chance(r, 50); /* of what bars a node */
    put(t, "HOPS(");
    gen(r, t, s, KR_T_TEXT, 0);
    put(t, ", ");
    gen(r, t, s, KR_T_TIME, 1);
    put(t, ", ");
    gen(r, t, s, KR_T_TEXT, 0);
    put(t, ", ");
    gen(r, t, s, KR_T_TIME, 0);
    put(t, "%s, %s, ", chance(r, 60) ? " + HOURS(60)" : "", chance(r, 45) ? "1" : chance(r, 90) ? "2" : "p");
    gen(r, t, s, days ? KR_T_DAY : KR_T_TIME, 1);
    put(t, ", EDGES(item.who, item.peer, item.at%s", chance(r, 40) ? (days ? ", item.day" : ", item.at") : "");
    scope far = { s->own, ITEM, IN_FAR, NULL, false };
    where_clause(r, t, &far, 20);
    put(t, "), EDGES(event.who, event.tag, event.at)");
    if (chance(r, 50))
        put(t, ", EDGES(event.tag, event.who, event.at%s)", chance(r, 40) ? (days ? ", event.day" : ", event.at") : "");
    const gen_sheet *own = &r->sheets[s->own];
    bool can = false;
    for (int i = 0; i < own->count; i++)
        can |= strcmp(own->columns[i].name, "tag") == 0;
    put(t, " BY %s)", can && chance(r, 25) ? "tag" : "()");
}

static void previous(random_rules *r, buffer *t, const scope *s, kr_type type)
{
    scope inner = *s;
    inner.inside_prev = true;
    put(t, "PREV(");
    if (chance(r, 70))
        leaf(r, t, &inner, type);
    else
        gen(r, t, &inner, type, 1);
    if (chance(r, 75)) {
        put(t, ", ");
        constant(r, t, type);
        if (chance(r, 25))
            put(t, ", %d", 1 + below(r, 3));
    }
    put(t, ")");
}

static void run(random_rules *r, buffer *t, const scope *s, kr_type type)
{
    int which = type == KR_T_NUMBER ? below(r, 4) : 2 + below(r, 2);
    static const char *const names[] = { "RUNSUM", "RUNCOUNT", "RUNMAX", "RUNMIN" };
    put(t, "%s(", names[which]);
    if (which != 1 || chance(r, 60))
        gen(r, t, s, which == 1 ? types[below(r, 5)] : type, 1);
    put(t, ")");
}

static void form(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    bool has_sequence = r->sheets[s->own].order != KR_T_NONE;
    switch (below(r, 12)) {
    case 0: case 1: case 2: over_sheet(r, t, s, type, depth); break;
    case 3: lookup(r, t, s, type, depth); break;
    case 4: case 5:
        if (has_sequence)
            window(r, t, s, type, depth);
        else
            over_sheet(r, t, s, type, depth);
        break;
    case 6:
        if (has_sequence)
            previous(r, t, s, type);
        else
            lookup(r, t, s, type, depth);
        break;
    case 7:
        if (has_sequence)
            run(r, t, s, type);
        else
            arg(r, t, s, type, depth);
        break;
    case 8: case 9: sequence(r, t, s, type, depth); break;
    case 10: arg(r, t, s, type, depth); break;
    default:
        if (type == KR_T_NUMBER && chance(r, 25))
            hops(r, t, s);
        else if (type == KR_T_NUMBER)
            share(r, t, s, depth);
        else if (type == KR_T_TEXT)
            component(r, t, s);
        else
            over_sheet(r, t, s, type, depth);
    }
}

static void call(random_rules *r, buffer *t, const scope *s, kr_type type, int depth, const char *before, int args, const char *after)
{
    put(t, "%s", before);
    for (int k = 0; k < args; k++) {
        put(t, "%s", k ? ", " : "");
        gen(r, t, s, type, depth - 1);
    }
    put(t, "%s", after);
}

static void binary(random_rules *r, buffer *t, const scope *s, kr_type a, const char *op, kr_type b, int depth)
{
    put(t, "(");
    gen(r, t, s, a, depth - 1);
    put(t, " %s ", op);
    gen(r, t, s, b, depth - 1);
    put(t, ")");
}

static void choice(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    switch (below(r, 5)) {
    case 0: call(r, t, s, type, depth, "COALESCE(", 2, ")"); break;
    case 1: call(r, t, s, type, depth, "IFERROR(", 2, ")"); break;
    case 2:
        put(t, "IFS(");
        gen(r, t, s, KR_T_BOOLEAN, depth - 1);
        put(t, ", ");
        gen(r, t, s, type, depth - 1);
        put(t, ", TRUE, ");
        gen(r, t, s, type, depth - 1);
        put(t, ")");
        break;
    default:
        put(t, "IF(");
        gen(r, t, s, KR_T_BOOLEAN, depth - 1);
        put(t, ", ");
        gen(r, t, s, type, depth - 1);
        if (chance(r, 75)) {
            put(t, ", ");
            gen(r, t, s, type, depth - 1);
        }
        put(t, ")");
    }
}

static void number(random_rules *r, buffer *t, const scope *s, int depth)
{
    static const char *const ops[] = { "+", "-", "*", "/" };
    switch (below(r, 14)) {
    case 0: case 1: case 2: case 3: binary(r, t, s, KR_T_NUMBER, ops[below(r, 4)], KR_T_NUMBER, depth); break;
    case 4: call(r, t, s, KR_T_NUMBER, depth, chance(r, 50) ? "ABS(" : "SIGN(", 1, ")"); break;
    case 5: call(r, t, s, KR_T_NUMBER, depth, chance(r, 50) ? "MIN(" : "MAX(", 2, ")"); break;
    case 6: call(r, t, s, KR_T_NUMBER, depth, "ROUND(", 1, ", 2)"); break;
    case 7: call(r, t, s, KR_T_NUMBER, depth, "CLIP(", 1, ", -1, 1)"); break;
    case 8: call(r, t, s, KR_T_NUMBER, depth, "RATIO(", 3, ")"); break;
    case 9: binary(r, t, s, KR_T_DAY, "-", KR_T_DAY, depth); break;
    case 10: call(r, t, s, KR_T_TEXT, depth, "LEN(", 1, ")"); break;
    case 12: call(r, t, s, KR_T_NUMBER, depth, "mixed(", 2, ")"); break;
    case 11: call(r, t, s, KR_T_NUMBER, depth, chance(r, 50) ? "SQRT(ABS(" : "MULDOWN(0.7, (", 1, "))"); break;
    default: choice(r, t, s, KR_T_NUMBER, depth);
    }
}

static void boolean(random_rules *r, buffer *t, const scope *s, int depth)
{
    kr_type type = types[below(r, 5)];
    switch (below(r, 9)) {
    case 0: call(r, t, s, KR_T_BOOLEAN, depth, "AND(", 2, ")"); break;
    case 1: call(r, t, s, KR_T_BOOLEAN, depth, "OR(", 2, ")"); break;
    case 2: call(r, t, s, KR_T_BOOLEAN, depth, "NOT(", 1, ")"); break;
    case 3: call(r, t, s, type, depth, "ISBLANK(", 1, ")"); break;
    case 4: call(r, t, s, type, depth, "ISERROR(", 1, ")"); break;
    case 5: choice(r, t, s, KR_T_BOOLEAN, depth); break;
    default: binary(r, t, s, type, comparisons[below(r, 6)], type, depth);
    }
}

static void gen(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    if (depth <= 0 || chance(r, 15)) {
        leaf(r, t, s, type);
        return;
    }
    if (s->place == IN_ROW && s->own >= 0 && chance(r, 38)) {
        form(r, t, s, type, depth);
        return;
    }
    if (s->place == IN_AGG && chance(r, 6)) {
        lookup(r, t, s, type, depth);
        return;
    }
    switch (type) {
    case KR_T_NUMBER: number(r, t, s, depth); break;
    case KR_T_BOOLEAN: boolean(r, t, s, depth); break;
    case KR_T_TEXT:
        if (chance(r, 40))
            binary(r, t, s, KR_T_TEXT, "&", chance(r, 70) ? KR_T_TEXT : types[below(r, 5)], depth);
        else if (chance(r, 30))
            call(r, t, s, KR_T_TEXT, depth, "LEFT(", 1, ", 1)");
        else
            choice(r, t, s, type, depth);
        break;
    case KR_T_DAY:
        if (chance(r, 35))
            call(r, t, s, KR_T_TIME, depth, "DAY(", 1, ")");
        else if (chance(r, 40))
            call(r, t, s, KR_T_DAY, depth, "(", 1, chance(r, 50) ? " + 1)" : " - 1)");
        else
            choice(r, t, s, type, depth);
        break;
    default:
        if (chance(r, 50))
            call(r, t, s, KR_T_DAY, depth, chance(r, 50) ? "START(" : "END(", 1, ")");
        else if (chance(r, 40))
            call(r, t, s, KR_T_TIME, depth, "(", 1, " + HOURS(6))");
        else
            choice(r, t, s, type, depth);
    }
}

/* ---- proposals */

static gen_column *propose_column(random_rules *r, int sheet, kr_type type)
{
    proposal_column *p = &r->proposed[r->proposed_count++];
    p->sheet = sheet;
    p->column.type = type;
    p->column.input = false;
    snprintf(p->column.name, sizeof p->column.name, "c%d", r->next_name++);
    return &p->column;
}

static void propose_line(random_rules *r, int sheet, const gen_column *c, const buffer *formula)
{
    r->proposal_len += (size_t)snprintf(r->proposal + r->proposal_len, sizeof r->proposal - r->proposal_len, "%s.%s = \"%s\"\n", r->sheets[sheet].name, c->name,
                                        formula->at);
}

/* Columns that need each other through time. */
static void propose_group(random_rules *r)
{
    buffer t = { .len = 0 };
    scope grid = { GRID, 0, IN_ROW, NULL, false };
    gen_column *a, *b, *c;
    switch (below(r, 8)) {
    case 7: /* several rows a day */
        a = propose_column(r, LOG, KR_T_NUMBER);
        b = propose_column(r, LOG, KR_T_NUMBER);
        put(&t, "PREV(%s, 1) * q + COALESCE(v, 0)", b->name);
        propose_line(r, LOG, a, &t);
        t.len = 0;
        put(&t, "%s(%s(%s, %d))", chance(r, 50) ? "SUM" : "MAX", chance(r, 50) ? "DAYS" : "LAST", a->name, 1 + below(r, 3));
        propose_line(r, LOG, b, &t);
        break;
    case 0: /* two columns of one sheet */
        a = propose_column(r, GRID, KR_T_NUMBER);
        b = propose_column(r, GRID, KR_T_BOOLEAN);
        put(&t, "IF(PREV(%s, TRUE), PREV(%s, 0) + ", b->name, a->name);
        gen(r, &t, &grid, KR_T_NUMBER, 2);
        put(&t, ", q)");
        propose_line(r, GRID, a, &t);
        t.len = 0;
        put(&t, "%s > ", a->name);
        gen(r, &t, &grid, KR_T_NUMBER, 1);
        propose_line(r, GRID, b, &t);
        break;
    case 1: /* a day's total of the rows, and the day before it looked up */
        a = propose_column(r, DAILY, KR_T_NUMBER);
        b = propose_column(r, GRID, KR_T_NUMBER);
        put(&t, "SUM(grid.%s BY day)", b->name);
        propose_line(r, DAILY, a, &t);
        t.len = 0;
        put(&t, "PREV(%s, 1) * q + COALESCE(LOOKUP(daily.%s, daily.day = day - 1), ", b->name, a->name);
        gen(r, &t, &grid, KR_T_NUMBER, 2);
        put(&t, ")");
        propose_line(r, GRID, b, &t);
        break;
    case 2: /* three columns over two sheets */
        a = propose_column(r, DAILY, KR_T_NUMBER);
        b = propose_column(r, DAILY, KR_T_NUMBER);
        c = propose_column(r, GRID, KR_T_NUMBER);
        put(&t, "PREV(%s, 0) + 1", b->name);
        propose_line(r, DAILY, a, &t);
        t.len = 0;
        put(&t, "%s * q + COALESCE(MAX(grid.%s BY day), 0)", a->name, c->name);
        propose_line(r, DAILY, b, &t);
        t.len = 0;
        put(&t, "PREV(%s, 0) * q + COALESCE(daily.%s, 0) + ", c->name, a->name);
        gen(r, &t, &grid, KR_T_NUMBER, 1);
        propose_line(r, GRID, c, &t);
        break;
    case 3: /* a sequence without a day */
        a = propose_column(r, STEP, KR_T_NUMBER);
        b = propose_column(r, STEP, KR_T_NUMBER);
        put(&t, "PREV(%s, 1) * q + COALESCE(x, 0)", b->name);
        propose_line(r, STEP, a, &t);
        t.len = 0;
        put(&t, "%s(%s)", chance(r, 50) ? "RUNSUM" : "RUNMAX", a->name);
        propose_line(r, STEP, b, &t);
        break;
    case 4: /* a share of what was, and a window of it */
        a = propose_column(r, GRID, KR_T_NUMBER);
        b = propose_column(r, GRID, KR_T_NUMBER);
        put(&t, "PRORATE(100, COALESCE(PREV(%s, 1), 0) + 1 BY day)", b->name);
        propose_line(r, GRID, a, &t);
        t.len = 0;
        put(&t, "%s(DAYS(%s, %d)) + ", chance(r, 50) ? "AVERAGE" : "SUM", a->name, 1 + below(r, 3));
        gen(r, &t, &grid, KR_T_NUMBER, 1);
        propose_line(r, GRID, b, &t);
        break;
    case 5: /* a rank among rows that move */
        a = propose_column(r, GRID, KR_T_NUMBER);
        put(&t, "RANK(COALESCE(PREV(%s, p), 0) * q ASC BY day) + ", a->name);
        gen(r, &t, &grid, KR_T_NUMBER, 1);
        propose_line(r, GRID, a, &t);
        break;
    default: /* windows over itself */
        a = propose_column(r, GRID, KR_T_NUMBER);
        put(&t, "%s(%s(PREV(%s, 1), %d)) * q + ", chance(r, 50) ? "SUM" : "MEDIAN", chance(r, 50) ? "LAST" : "DAYS", a->name, 1 + below(r, 3));
        gen(r, &t, &grid, KR_T_NUMBER, 1);
        propose_line(r, GRID, a, &t);
    }
}

void random_rules_propose(random_rules *r)
{
    r->proposal_len = 0;
    r->proposal[0] = 0;
    r->proposed_count = 0;
    if (chance(r, 12)) {
        propose_group(r);
        return;
    }
    int sheet = random_sheet(r);
    buffer t = { .len = 0 };
    if (chance(r, 4)) {
        scope here = { sheet, 0, IN_ROW, NULL, false };
        gen(r, &t, &here, KR_T_BOOLEAN, 2);
        r->proposal_len = (size_t)snprintf(r->proposal, sizeof r->proposal, "check(%s, \"c%d\", \"%s\")\n", r->sheets[sheet].name, r->next_name++, t.at);
        return;
    }
    gen_column *c = propose_column(r, sheet, chance(r, 55) ? KR_T_NUMBER : types[below(r, 5)]);
    scope s = { sheet, 0, IN_ROW, c, false };
    if (chance(r, 60))
        form(r, &t, &s, c->type, 3);
    else
        gen(r, &t, &s, c->type, 3);
    propose_line(r, sheet, c, &t);
}

void random_rules_verdict(random_rules *r, bool keep)
{
    if (keep && r->text_len + r->proposal_len < sizeof r->text) {
        memcpy(r->text + r->text_len, r->proposal, r->proposal_len + 1);
        r->text_len += r->proposal_len;
        for (int i = 0; i < r->proposed_count; i++) {
            gen_sheet *s = &r->sheets[r->proposed[i].sheet];
            if (s->count < MAX_COLUMNS)
                s->columns[s->count++] = r->proposed[i].column;
        }
    }
    r->proposal_len = 0;
    r->proposal[0] = 0;
    r->proposed_count = 0;
}

const char *random_rules_text(random_rules *r)
{
    snprintf(r->whole, sizeof r->whole, "%s%s%s", r->skeleton, r->text, r->proposal);
    return r->whole;
}

const char *random_rules_proposal(const random_rules *r) { return r->proposal; }

/* ---- the skeleton and its data */

static void add_column(gen_sheet *s, const char *name, kr_type type, bool input)
{
    gen_column *c = &s->columns[s->count++];
    snprintf(c->name, sizeof c->name, "%s", name);
    c->type = type;
    c->input = input;
}

static void new_sheet(gen_sheet *s, const char *name, int keys, kr_type order, bool by_day)
{
    s->name = name;
    s->keys = keys;
    s->order = order;
    s->by_day = by_day;
}

random_rules *random_rules_new(uint64_t seed)
{
    random_rules *r = kr_alloc(sizeof *r);
    r->state = seed * UINT64_C(0x9E3779B97F4A7C15) | 1;
    for (int i = 0; i < 4; i++)
        random_next(r);
    gen_sheet *s = r->sheets;
    new_sheet(&s[ITEM], "item", 2, KR_T_TIME, false);
    add_column(&s[ITEM], "who", KR_T_TEXT, true);
    add_column(&s[ITEM], "at", KR_T_TIME, true);
    add_column(&s[ITEM], "num", KR_T_NUMBER, true);
    add_column(&s[ITEM], "tag", KR_T_TEXT, true);
    add_column(&s[ITEM], "flag", KR_T_BOOLEAN, true);
    add_column(&s[ITEM], "peer", KR_T_TEXT, true);
    add_column(&s[ITEM], "day", KR_T_DAY, false);
    new_sheet(&s[EVENT], "event", 0, KR_T_TIME, false);
    add_column(&s[EVENT], "who", KR_T_TEXT, true);
    add_column(&s[EVENT], "at", KR_T_TIME, true);
    add_column(&s[EVENT], "amount", KR_T_NUMBER, true);
    add_column(&s[EVENT], "tag", KR_T_TEXT, true);
    add_column(&s[EVENT], "ok", KR_T_BOOLEAN, true);
    add_column(&s[EVENT], "day", KR_T_DAY, false);
    new_sheet(&s[PRICE], "price", 2, KR_T_DAY, true);
    add_column(&s[PRICE], "tag", KR_T_TEXT, true);
    add_column(&s[PRICE], "day", KR_T_DAY, true);
    add_column(&s[PRICE], "value", KR_T_NUMBER, true);
    add_column(&s[PRICE], "seen", KR_T_TIME, true);
    new_sheet(&s[STEP], "step", 2, KR_T_NUMBER, false);
    add_column(&s[STEP], "who", KR_T_TEXT, true);
    add_column(&s[STEP], "n", KR_T_NUMBER, true);
    add_column(&s[STEP], "x", KR_T_NUMBER, true);
    add_column(&s[STEP], "mark", KR_T_BOOLEAN, true);
    new_sheet(&s[LOG], "log", 3, KR_T_DAY, true);
    add_column(&s[LOG], "who", KR_T_TEXT, true);
    add_column(&s[LOG], "day", KR_T_DAY, true);
    add_column(&s[LOG], "n", KR_T_NUMBER, true);
    add_column(&s[LOG], "v", KR_T_NUMBER, true);
    add_column(&s[LOG], "w", KR_T_BOOLEAN, true);
    new_sheet(&s[GRID], "grid", 2, KR_T_DAY, true);
    add_column(&s[GRID], "who", KR_T_TEXT, true);
    add_column(&s[GRID], "day", KR_T_DAY, true);
    new_sheet(&s[DAILY], "daily", 1, KR_T_DAY, true);
    add_column(&s[DAILY], "day", KR_T_DAY, true);
    new_sheet(&s[COMBO], "combo", 2, KR_T_NONE, false);
    add_column(&s[COMBO], "who", KR_T_TEXT, true);
    add_column(&s[COMBO], "tag", KR_T_TEXT, true);
    new_sheet(&s[DUO], "duo", 2, KR_T_NONE, false);
    add_column(&s[DUO], "who", KR_T_TEXT, true);
    add_column(&s[DUO], "other", KR_T_TEXT, true);
    new_sheet(&s[BACK], "back", 3, KR_T_DAY, true);
    add_column(&s[BACK], "who", KR_T_TEXT, true);
    add_column(&s[BACK], "day", KR_T_DAY, true);
    add_column(&s[BACK], "ago", KR_T_NUMBER, true);
    new_sheet(&s[ALL], "everyone", 1, KR_T_NONE, false);
    add_column(&s[ALL], "who", KR_T_TEXT, true);
    new_sheet(&s[FOLD], "walk", 2, KR_T_NUMBER, false);
    add_column(&s[FOLD], "who", KR_T_TEXT, true);
    add_column(&s[FOLD], "n", KR_T_NUMBER, true);
    add_column(&s[FOLD], "total", KR_T_NUMBER, true);
    add_column(&s[FOLD], "tag", KR_T_TEXT, true);
    add_column(&s[FOLD], "at", KR_T_TIME, true);

    char bare[64]; /* the condition of `distinct` names the columns bare */
    snprintf(bare, sizeof bare, "%s", chance(r, 50) ? "ok" : below(r, 2) ? "amount > 0" : "NOT(ISBLANK(amount))");
    static const char *const join_on[] = { "\"tag\"", "\"day\"", "" };
    static const char *const join_where[] = { ", where = \"a.who <> b.who\"", ", where = \"a.who <> b.who\"", "", ", where = \"AND(b.at >= a.at, b.at <= a.at + HOURS(30))\"",
                                              ", where = \"AND(b.at >= a.at, NOT(ISBLANK(HOPS(a.who, a.at, b.who, b.at, 2, a.day, EDGES(item.who, item.peer, item.at), EDGES(item.peer, item.who, item.at) BY ()))))\"" };
    static const char *const outputs[] = { "item", "item, combo, walk", "grid, daily, event", "log, step, duo, back, everyone, price" };
    static const char *const grid_where[] = { "", ", where = \"COUNT(item.num BY who) > 1\"", ", where = \"END(day) > MIN(item.at BY who)\"", ", where = \"who <> 'b'\"" };
    snprintf(r->skeleton, sizeof r->skeleton,
             "rulebook { id = \"test/random\", version = 1, language = 1, title = \"random\", effective_from = \"2024-01-01\", notice_days = 0,\n"
             "  days = { from = \"MIN(item.at)\", lead = %d } }\n"
             "param.p = 2\nparam.q = 0.5\nparam.p_big = 100000000000\n"
             "local item = sheet(\"item\", { \"who\", \"at\" })\n"
             "item.who = text\nitem.at = time\nitem.num = number\nitem.tag = text\nitem.flag = boolean\nitem.peer = text\nitem.day = \"DAY(at)\"\n"
             "local event = sheet(\"event\", {})\n"
             "event.who = text\nevent.at = time\nevent.amount = number\nevent.tag = text\nevent.ok = boolean\nevent.day = \"DAY(at)\"\n"
             "local price = sheet(\"price\", { \"tag\", \"day\" }%s)\n"
             "price.tag = text\nprice.day = day\nprice.value = number\nprice.seen = time\n"
             "local step = sheet(\"step\", { \"who\", \"n\" }, { per = { \"who\" }, order = { \"%s\" } })\n"
             "step.who = text\nstep.n = number\nstep.x = number\nstep.mark = boolean\n"
             "local log = sheet(\"log\", { \"who\", \"day\", \"n\" }, { per = { \"who\" }, order = { \"day\", \"n\" } })\n"
             "log.who = text\nlog.day = day\nlog.n = number\nlog.v = number\nlog.w = boolean\n"
             "local grid = sheet(\"grid\", { \"who\", \"day\" }, { rows = cross(\"item.who\", \"day\")%s })\n"
             "local daily = sheet(\"daily\", { \"day\" }, { rows = cross(\"day\") })\n"
             "local combo = sheet(\"combo\", { \"who\", \"tag\" }, { rows = distinct(\"event\", { \"who\", \"tag\" }, \"%s\") })\n"
             "local duo = sheet(\"duo\", { \"who\", \"other\" }, { rows = join { a = \"item\", b = \"%s\", on = { %s }%s,\n"
             "  key = { who = \"a.who\", other = \"b.who\" } } })\n"
             "local back = sheet(\"back\", { \"who\", \"day\", \"ago\" }, { rows = cross(distinct(\"%s\", { \"who\", \"day\" }), range(\"ago\", 0, \"p - 1\")) })\n"
             "local everyone = sheet(\"everyone\", { \"who\" }, { rows = union { distinct(\"item\", { \"who\" }), distinct(\"event\", { \"who\" }, \"%s\") } })\n"
             "fn.mixed = function(x, y)\n  if isblank(x) then return y end\n  local s = 0\n  for i = 1, 3 do s = s + x * i end\n"
             "  while s > 10 do s = s / 2 end\n  return s - y\nend\n"
             "local walk = sheet(\"walk\", { \"who\", \"n\" }, { per = { \"who\" }, order = { \"n\" }, rows = fold { over = \"event\", per = { \"who\" }, order = { \"at\" }%s,\n"
             "  state = { count = 0, total = 0, seen = text },\n  step = function(state, event, emit)\n    state.count = state.count + 1\n"
             "    if not isblank(event.amount) then state.total = state.total + event.amount end\n"
             "    if not isblank(event.tag) then state.seen = event.tag end\n"
             "    emit { who = event.who, n = state.count, total = state.total, tag = state.seen, at = event.at }\n  end } })\n"
             "walk.who = text\nwalk.n = number\nwalk.total = number\nwalk.tag = text\nwalk.at = time\n"
             "output { %s }\n",
             below(r, 3), chance(r, 40) ? ", { where = \"value > 0\" }" : "", chance(r, 70) ? "n" : "x", grid_where[below(r, 4)], bare, chance(r, 50) ? "item" : "event",
             join_on[below(r, 3)], join_where[below(r, 5)], chance(r, 50) ? "item" : "grid", bare,
             chance(r, 40) ? ", where = \"ok\"" : "", outputs[below(r, 4)]);
    static const int most[] = { 14, 24, 12, 14, 30 };
    r->large = seed % 16 == 0;
    for (int i = 0; i < DATA_SHEETS; i++) {
        r->row_count[i] = chance(r, 8) ? 0 : 1 + below(r, r->large ? MAX_ROWS : most[i]);
        if (i == ITEM && r->row_count[i] == 0 && chance(r, 80))
            r->row_count[i] = 5;
        for (int row = 0; row < r->row_count[i]; row++)
            for (int k = 0; k < 8; k++)
                r->number[i][row][k] = (kr_num){ random_next(r) >> 8, 0 };
    }
    return r;
}

void random_rules_free(random_rules *r) { kr_free(r); }

int64_t random_rules_last_day(void) { return BASE_DAY + DAYS_OF_DATA - 1; }

static kr_cell value(const random_rules *r, const kr_dataset *data, kr_type type, uint64_t draw, bool key)
{
    static const char *const texts[] = { "a", "b", "c", "d", "x" };
    static const char *const numbers[] = { "0", "1", "-1", "0.5", "2", "-3.25", "7", "0.000000000000000001", "12.5", "100", "-0.1", "0.333333333333333333" };
    if (!key && draw % 7 == 0)
        return KR_BLANK;
    draw /= 7;
    switch (type) {
    case KR_T_NUMBER: {
        kr_num out;
        const char *text = numbers[draw % 12];
        if (key)
            return kr_num_of_int((int64_t)(draw % (r->large ? 200 : 9)));
        if (draw % 97 == 0)
            return kr_num_of_int(INT64_C(100000000000));
        KR_ASSERT(kr_num_read(text, strlen(text), &out, NULL) == KR_READ_OK);
        return out;
    }
    case KR_T_BOOLEAN: return kr_cell_of_bool(draw & 1);
    case KR_T_TEXT:
        if (r->large && draw % 3 == 0) { /* further names, so that there are many groups */
            char name[8];
            int len = snprintf(name, sizeof name, "n%u", (unsigned)(draw / 3 % 40));
            return kr_cell_of_text(data->pool, name, (size_t)len);
        }
        return kr_cell_of_text(data->pool, texts[draw % 5], 1);
    case KR_T_DAY: return kr_cell_of_int(BASE_DAY + (int64_t)(draw % DAYS_OF_DATA));
    default: return kr_cell_of_int(BASE_DAY * KR_DAY_MS + (int64_t)(draw % (DAYS_OF_DATA * 4)) * (KR_DAY_MS / 4));
    }
}

kr_dataset *random_rules_data(random_rules *r, const kr_model *model)
{
    kr_dataset *data = kr_dataset_new(model->pool);
    for (int i = 0; i < DATA_SHEETS; i++) {
        const gen_sheet *s = &r->sheets[i];
        const kr_sheet *target = kr_model_sheet(model, s->name);
        int order[MAX_ROWS], kept = 0;
        for (int row = 0; row < r->row_count[i]; row++) { /* each key once */
            bool again = false;
            for (int other = 0; other < row && s->keys > 0 && !again; other++) {
                again = true;
                for (int k = 0; k < s->keys; k++)
                    again &= kr_raw_eq(value(r, data, s->columns[k].type, r->number[i][row][k].lo, true), value(r, data, s->columns[k].type, r->number[i][other][k].lo, true));
            }
            if (!again)
                order[kept++] = row;
        }
        for (int k = kept - 1; k > 0; k--) {
            int j = below(r, k + 1), t = order[k];
            order[k] = order[j];
            order[j] = t;
        }
        kr_table *table = kr_dataset_add(data, target, (size_t)kept);
        for (int c = 0, drawn = 0; c < s->count; c++) {
            kr_column *column = kr_table_column(table, s->columns[c].name);
            if (!s->columns[c].input || !column)
                continue;
            for (int row = 0; row < kept; row++)
                kr_column_set(column, (size_t)row, value(r, data, s->columns[c].type, r->number[i][order[row]][drawn].lo, c < s->keys));
            drawn++;
        }
        uint32_t a, b;
        KR_ASSERT(kr_table_sort(table, target, model->pool, &a, &b));
    }
    return data;
}
