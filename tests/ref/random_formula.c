/* random_formula.c: random formulas, typed, over the rows that a place allows. */
#include "tests/ref/random_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const kr_type random_types[5] = { KR_T_NUMBER, KR_T_BOOLEAN, KR_T_TEXT, KR_T_DAY, KR_T_TIME };
static const char *const comparisons[] = { "=", "<>", "<", "<=", ">", ">=" };

uint64_t random_next(random_rules *r)
{
    r->state ^= r->state << 13, r->state ^= r->state >> 7, r->state ^= r->state << 17;
    return r->state * UINT64_C(0x2545F4914F6CDD1D);
}

void random_put(buffer *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->at + t->len, sizeof t->at - t->len, format, args);
    va_end(args);
    t->len = t->len + (size_t)n < sizeof t->at ? t->len + (size_t)n : sizeof t->at - 1;
}

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
    case KR_T_NUMBER: random_put(t, "%s", chance(r, 3) ? "p_big" : chance(r, 20) ? (chance(r, 50) ? "p" : "q") : numbers[below(r, chance(r, 90) ? 10 : 11)]); break;
    case KR_T_BOOLEAN: random_put(t, "%s", chance(r, 50) ? "TRUE" : "FALSE"); break;
    case KR_T_TEXT: random_put(t, "%s", texts[below(r, 5)]); break;
    case KR_T_DAY: random_put(t, "DATE(2024, 3, %d)", 17 + below(r, 8)); break;
    default: random_put(t, "TIME('2024-03-%02dT%02d:00')", 17 + below(r, 8), 6 * below(r, 4)); break;
    }
}

static void leaf(random_rules *r, buffer *t, const scope *s, kr_type type)
{
    int found[MAX_COLUMNS], n;
    if (s->inside_prev && s->self && s->self->type == type && chance(r, 40)) {
        random_put(t, "%s", s->self->name);
        return;
    }
    if ((s->place == IN_AGG && chance(r, 75)) || s->place == IN_FAR) {
        n = columns_of(&r->sheets[s->far], type, found);
        if (n > 0 && chance(r, 88)) {
            random_put(t, "%s.%s", r->sheets[s->far].name, r->sheets[s->far].columns[found[below(r, n)]].name);
            return;
        }
    } else if (s->place != IN_CONST && s->own >= 0) {
        n = columns_of(&r->sheets[s->own], type, found);
        if (n > 0 && chance(r, 88)) {
            random_put(t, "%s", r->sheets[s->own].columns[found[below(r, n)]].name);
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
    random_put(t, " BY ");
    for (int i = 0; i < n && chosen < 3; i++)
        if (chance(r, n > 2 ? 45 : 65))
            random_put(t, "%s%s", chosen++ ? ", " : "", common[i]);
    if (chosen == 0)
        random_put(t, "()");
}

/* As gen, and names the ranging sheet at least once. */
static void gen_far(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    char name[16];
    int found[MAX_COLUMNS], n = columns_of(&r->sheets[s->far], type, found);
    size_t start = t->len;
    random_formula(r, t, s, type, depth);
    snprintf(name, sizeof name, "%s.", r->sheets[s->far].name);
    if (n > 0 && !strstr(t->at + start, name)) {
        t->len = start;
        random_put(t, "%s%s", name, r->sheets[s->far].columns[found[below(r, n)]].name);
    }
}

static void where_clause(random_rules *r, buffer *t, const scope *inner, int percent)
{
    if (!chance(r, percent))
        return;
    random_put(t, " WHERE ");
    if (inner->place == IN_AGG && chance(r, 45)) { /* equalities and bounds between both rows, as joins have them */
        int parts = 1 + below(r, 3);
        random_put(t, "%s", parts > 1 ? "AND(" : "");
        for (int k = 0; k < parts; k++) {
            kr_type type = random_types[below(r, 5)];
            random_put(t, "%s", k ? ", " : "");
            gen_far(r, t, inner, type, 0);
            random_put(t, " %s ", comparisons[chance(r, 60) ? 0 : below(r, 6)]);
            scope near = { inner->own, 0, IN_ROW, NULL, false };
            leaf(r, t, &near, type);
        }
        random_put(t, "%s", parts > 1 ? ")" : "");
        return;
    }
    random_formula(r, t, inner, KR_T_BOOLEAN, 1 + below(r, 2));
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
        random_put(t, "%s%s", k ? ", " : "", before);
        kr_type type = f->type == KR_T_NONE ? random_types[below(r, 5)] : f->type;
        if (inner->place == IN_AGG)
            gen_far(r, t, inner, type, depth);
        else
            random_formula(r, t, inner, type, depth);
        random_put(t, "%s", after);
    }
    random_put(t, "%s", f->rest);
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
    random_put(t, "%s(", f.name);
    series_args(r, t, &f, &inner, "", "", depth > 1 ? 1 : 0);
    where_clause(r, t, &inner, 40);
    if (!chance(r, 15))
        put_by(r, t, s, far, NULL);
    random_put(t, ")");
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
    random_put(t, "%s(", f.name);
    if (s->self && s->self->type == KR_T_NUMBER && f.type == KR_T_NUMBER && f.series == 1 && chance(r, 25)) {
        random_put(t, "%sPREV(%s, 1)%s%s)", before, s->self->name, after, f.rest);
        return;
    }
    inner.place = IN_ROW;
    series_args(r, t, &f, &inner, before, after, depth > 1 ? 1 : 0);
    random_put(t, ")");
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
        random_put(t, "%s.%s", other->name, x);
        return;
    }
    random_put(t, "LOOKUP(%s.%s", other->name, x);
    int matches = 0;
    for (int i = 0; i < (other->keys ? other->keys : 2); i++) {
        if (other->keys > 0 ? chance(r, 8) : matches > 0 && chance(r, 50))
            continue;
        random_put(t, ", %s.%s = ", other->name, other->columns[i].name);
        random_formula(r, t, s, other->columns[i].type, depth > 1 ? 1 : 0);
        matches++;
    }
    if (matches == 0)
        random_put(t, ", %s.%s = %s.%s", other->name, other->columns[0].name, other->name, other->columns[0].name);
    random_put(t, ")");
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
    int form = type == KR_T_NUMBER ? below(r, 7) % 5 : below(r, 3);
    static const char *const names[] = { "ASOF", "NEXT", "FIRST", "TWA", "VALUE_AT" };
    static const int bounds[] = { 1, 2, 0, 3, 2 };
    random_put(t, "%s(", names[form]);
    gen_far(r, t, &target, type, depth > 1 ? 1 : 0);
    for (int k = 0; k < bounds[form]; k++) {
        random_put(t, ", ");
        if (chance(r, 55) && k == 1) { /* something later than the bound before it, mostly */
            random_formula(r, t, &bound, other->order, 0);
            random_put(t, other->order == KR_T_DAY ? " + 3" : " + HOURS(30)");
        } else {
            random_formula(r, t, &bound, other->order, depth > 1 ? 1 : 0);
        }
    }
    if (form >= 3) {
        random_put(t, ", ");
        random_formula(r, t, &bound, KR_T_NUMBER, 0);
    }
    where_clause(r, t, &target, 25);
    put_by(r, t, s, far, order);
    random_put(t, ")");
}

static void arg(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    int far = random_sheet(r);
    scope inner = { s->own, far, IN_AGG, NULL, false };
    random_put(t, "%s(", chance(r, 50) ? "ARGMIN" : "ARGMAX");
    gen_far(r, t, &inner, type, depth > 1 ? 1 : 0);
    random_put(t, ", ");
    gen_far(r, t, &inner, random_types[below(r, 5)], 0);
    where_clause(r, t, &inner, 35);
    put_by(r, t, s, far, NULL);
    random_put(t, ")");
}

static void own_by(random_rules *r, buffer *t, const scope *s)
{
    const gen_sheet *own = &r->sheets[s->own];
    int n = 0;
    random_put(t, " BY ");
    for (int i = 0; i < own->count && n < 2; i++)
        if (chance(r, 25))
            random_put(t, "%s%s", n++ ? ", " : "", own->columns[i].name);
    if (n == 0)
        random_put(t, "()");
}

static void share(random_rules *r, buffer *t, const scope *s, int depth)
{
    int sub = depth > 1 ? 1 : 0;
    switch (below(r, 4)) {
    case 0:
        random_put(t, "RANK(");
        for (int k = below(r, 2); k >= 0; k--) {
            random_formula(r, t, s, random_types[below(r, 5)], sub);
            random_put(t, "%s%s", chance(r, 50) ? (chance(r, 50) ? " ASC" : " DESC") : "", k ? ", " : "");
        }
        break;
    case 1:
        random_put(t, "SHARE(");
        random_formula(r, t, s, KR_T_NUMBER, sub);
        break;
    case 2:
        random_put(t, "PRORATE(");
        random_formula(r, t, s, KR_T_NUMBER, sub);
        random_put(t, ", ");
        random_formula(r, t, s, KR_T_NUMBER, sub);
        break;
    default:
        random_put(t, "APPORTION(ABS(");
        random_formula(r, t, s, KR_T_NUMBER, sub);
        random_put(t, "), ");
        if (chance(r, 70))
            random_put(t, "%d", below(r, 1000));
        else
            random_formula(r, t, s, KR_T_NUMBER, 0);
    }
    where_clause(r, t, s, 20);
    own_by(r, t, s);
    random_put(t, ")");
}

static void component(random_rules *r, buffer *t, const scope *s)
{
    bool timed = chance(r, 50);
    random_put(t, "COMPONENT(");
    random_formula(r, t, s, KR_T_TEXT, 0);
    if (timed) {
        random_put(t, ", ");
        random_formula(r, t, s, KR_T_TIME, 1);
    }
    random_put(t, ", EDGES(item.who, item.peer%s", timed ? ", item.at" : "");
    scope far = { s->own, ITEM, IN_FAR, NULL, false };
    where_clause(r, t, &far, 30);
    random_put(t, ")");
    bool both = chance(r, 50);
    if (both)
        random_put(t, ", EDGES(event.who, event.tag%s)", timed ? ", event.at" : "");
    const gen_sheet *own = &r->sheets[s->own];
    bool can = false;
    for (int i = 0; i < own->count; i++)
        can |= strcmp(own->columns[i].name, "tag") == 0;
    random_put(t, " BY %s)", can && chance(r, 40) ? "tag" : "()");
}

static void hops(random_rules *r, buffer *t, const scope *s)
{
    bool days = chance(r, 50); /* of what bars a node */
    random_put(t, "HOPS(");
    random_formula(r, t, s, KR_T_TEXT, 0);
    random_put(t, ", ");
    random_formula(r, t, s, KR_T_TIME, 1);
    random_put(t, ", ");
    random_formula(r, t, s, KR_T_TEXT, 0);
    random_put(t, ", ");
    random_formula(r, t, s, KR_T_TIME, 0);
    random_put(t, "%s, %s, ", chance(r, 60) ? " + HOURS(60)" : "", chance(r, 45) ? "1" : chance(r, 90) ? "2" : "p");
    random_formula(r, t, s, days ? KR_T_DAY : KR_T_TIME, 1);
    random_put(t, ", EDGES(item.who, item.peer, item.at%s", chance(r, 40) ? (days ? ", item.day" : ", item.at") : "");
    scope far = { s->own, ITEM, IN_FAR, NULL, false };
    where_clause(r, t, &far, 20);
    random_put(t, "), EDGES(event.who, event.tag, event.at)");
    if (chance(r, 50))
        random_put(t, ", EDGES(event.tag, event.who, event.at%s)", chance(r, 40) ? (days ? ", event.day" : ", event.at") : "");
    const gen_sheet *own = &r->sheets[s->own];
    bool can = false;
    for (int i = 0; i < own->count; i++)
        can |= strcmp(own->columns[i].name, "tag") == 0;
    random_put(t, " BY %s)", can && chance(r, 25) ? "tag" : "()");
}

static void previous(random_rules *r, buffer *t, const scope *s, kr_type type)
{
    scope inner = *s;
    inner.inside_prev = true;
    random_put(t, "PREV(");
    if (chance(r, 70))
        leaf(r, t, &inner, type);
    else
        random_formula(r, t, &inner, type, 1);
    if (chance(r, 75)) {
        random_put(t, ", ");
        constant(r, t, type);
        if (chance(r, 25))
            random_put(t, ", %d", 1 + below(r, 3));
    }
    random_put(t, ")");
}

static void run(random_rules *r, buffer *t, const scope *s, kr_type type)
{
    int which = type == KR_T_NUMBER ? below(r, 4) : 2 + below(r, 2);
    static const char *const names[] = { "RUNSUM", "RUNCOUNT", "RUNMAX", "RUNMIN" };
    random_put(t, "%s(", names[which]);
    if (which != 1 || chance(r, 60))
        random_formula(r, t, s, which == 1 ? random_types[below(r, 5)] : type, 1);
    random_put(t, ")");
}

void random_form(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    bool has_sequence = r->sheets[s->own].order != KR_T_NONE;
    switch (chance(r, 40) ? r->focus : below(r, 12)) {
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
        if (type == KR_T_NUMBER && chance(r, 40))
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
    random_put(t, "%s", before);
    for (int k = 0; k < args; k++) {
        random_put(t, "%s", k ? ", " : "");
        random_formula(r, t, s, type, depth - 1);
    }
    random_put(t, "%s", after);
}

static void binary(random_rules *r, buffer *t, const scope *s, kr_type a, const char *op, kr_type b, int depth)
{
    random_put(t, "(");
    random_formula(r, t, s, a, depth - 1);
    random_put(t, " %s ", op);
    random_formula(r, t, s, b, depth - 1);
    random_put(t, ")");
}

static void choice(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    switch (below(r, 5)) {
    case 0: call(r, t, s, type, depth, "COALESCE(", 2, ")"); break;
    case 1: call(r, t, s, type, depth, "IFERROR(", 2, ")"); break;
    case 2:
        random_put(t, "IFS(");
        random_formula(r, t, s, KR_T_BOOLEAN, depth - 1);
        random_put(t, ", ");
        random_formula(r, t, s, type, depth - 1);
        random_put(t, ", TRUE, ");
        random_formula(r, t, s, type, depth - 1);
        random_put(t, ")");
        break;
    default:
        random_put(t, "IF(");
        random_formula(r, t, s, KR_T_BOOLEAN, depth - 1);
        random_put(t, ", ");
        random_formula(r, t, s, type, depth - 1);
        if (chance(r, 75)) {
            random_put(t, ", ");
            random_formula(r, t, s, type, depth - 1);
        }
        random_put(t, ")");
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
    kr_type type = random_types[below(r, 5)];
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

void random_formula(random_rules *r, buffer *t, const scope *s, kr_type type, int depth)
{
    if (depth <= 0 || chance(r, 15)) {
        leaf(r, t, s, type);
        return;
    }
    if (s->place == IN_ROW && s->own >= 0 && chance(r, 38)) {
        random_form(r, t, s, type, depth);
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
            binary(r, t, s, KR_T_TEXT, "&", chance(r, 70) ? KR_T_TEXT : random_types[below(r, 5)], depth);
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
