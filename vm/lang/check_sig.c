/* check_sig.c: the two small languages in the row of a primitive: its signature and its units (fn.h says how they are written). */
#include "vm/lang/check_internal.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ reading */

static const char *skip(const char *p)
{
    while (*p == ' ')
        p++;
    return p;
}

static const char *word_end(const char *p)
{
    while (*p && *p != ',' && *p != ' ' && *p != ')' && *p != ']' && *p != '.' && strncmp(p, "->", 2) != 0)
        p++;
    return p;
}

static const char *read_word(const char *p, char *out)
{
    const char *end = word_end(p);
    size_t len = (size_t)(end - p);
    KR_ASSERT(len > 0 && len < KR_SIG_WORD); /* rows are ours; a test reads every one */
    memcpy(out, p, len);
    out[len] = 0;
    return end;
}

static const char *read_entry(const char *p, kr_sig *out)
{
    KR_ASSERT(out->count < KR_SIG_ENTRIES);
    kr_sig_entry *entry = &out->entry[out->count++];
    *entry = (kr_sig_entry){ 0 };
    if (*p == '[') {
        entry->optional = true;
        p = skip(p + 1);
    }
    if (strncmp(p, "series ", 7) == 0) {
        entry->series = true;
        out->series++;
        p = skip(p + 7);
    }
    p = skip(read_word(p, entry->word));
    if (entry->optional) {
        KR_ASSERT(*p == ']');
        p = skip(p + 1);
    }
    return p;
}

bool kr_sig_read(const char *text, int alternative, kr_sig *out)
{
    for (; alternative > 0; alternative--) {
        text = strstr(text, " | ");
        if (!text)
            return false;
        text += 3;
    }
    memset(out, 0, sizeof *out);
    const char *p = skip(text);
    while (strncmp(p, "->", 2) != 0) {
        int from = out->count;
        bool group = *p == '(';
        if (group) {
            p = skip(p + 1);
            while (*p != ')') {
                p = skip(read_entry(p, out));
                if (*p == ',')
                    p = skip(p + 1);
            }
            p = skip(p + 1);
        } else {
            p = read_entry(p, out);
        }
        if (strncmp(p, "...", 3) == 0) {
            out->repeat_from = from;
            out->repeat_to = out->count;
            p = skip(p + 3);
        }
        if (*p == ',')
            p = skip(p + 1);
        else
            KR_ASSERT(strncmp(p, "->", 2) == 0);
    }
    read_word(skip(p + 2), out->result);
    return true;
}

bool kr_sig_spread(const kr_sig *sig, int argc, const kr_sig_entry **entries)
{
    int group = sig->repeat_to - sig->repeat_from, optional = 0;
    for (int i = 0; i < sig->count; i++)
        optional += sig->entry[i].optional;
    int fixed = sig->count - group - optional; /* what must be there once */
    int left = argc - fixed, used = 0, times = 0;
    if (left < 0)
        return false;
    if (group == 0) {
        used = left;
    } else {
        while (used <= optional && ((left - used) % group != 0 || left - used < group))
            used++;
        times = (left - used) / group;
    }
    if (used > optional)
        return false;
    int n = 0;
    for (int i = 0; i < sig->count; i++) {
        if (group > 0 && i == sig->repeat_from) {
            for (int t = 0; t < times; t++)
                for (int k = 0; k < group; k++)
                    entries[n++] = &sig->entry[i + k];
            i = sig->repeat_to - 1;
        } else if (!sig->entry[i].optional || used-- > 0) {
            entries[n++] = &sig->entry[i];
        }
    }
    return n == argc;
}

char *kr_sig_arity(kr_arena *arena, const char *text)
{
    int least = 1000, most = -1;
    bool more = false;
    kr_sig sig;
    for (int a = 0; kr_sig_read(text, a, &sig); a++) {
        int required = 0;
        for (int i = 0; i < sig.count; i++)
            required += !sig.entry[i].optional;
        if (required < least)
            least = required;
        if (sig.count > most)
            most = sig.count;
        more |= sig.repeat_to > sig.repeat_from;
    }
    if (more)
        return kr_arena_printf(arena, "%d or more arguments", least);
    if (least == most)
        return kr_arena_printf(arena, least == 0 ? "no arguments" : least == 1 ? "%d argument" : "%d arguments", least);
    return kr_arena_printf(arena, most == least + 1 ? "%d or %d arguments" : "%d to %d arguments", least, most);
}

/* ------------------------------------------------------------------------------------------------ types */

static kr_type type_of_word(const char *word)
{
    for (kr_type t = KR_T_NUMBER; t <= KR_T_TIME; t++)
        if (strcmp(word, kr_type_name(t)) == 0)
            return t;
    return KR_T_NONE;
}

bool kr_sig_fits(const kr_sig_entry *const *entries, const kr_type *types, int argc, const char *result_word, kr_type *result, int *bad, kr_type *want)
{
    kr_type variable[2] = { KR_T_NONE, KR_T_NONE };
    for (int i = 0; i < argc; i++) {
        const char *word = entries[i]->word;
        if (types[i] == KR_T_NONE || strcmp(word, "any") == 0)
            continue;
        kr_type expected = type_of_word(word);
        if (expected == KR_T_NONE) {
            kr_type *v = &variable[word[0] == 'U'];
            KR_ASSERT(strcmp(word, "T") == 0 || strcmp(word, "U") == 0);
            if (*v == KR_T_NONE)
                *v = types[i];
            expected = *v;
        }
        if (types[i] != expected) {
            *bad = i;
            *want = expected;
            return false;
        }
    }
    *result = type_of_word(result_word);
    if (*result == KR_T_NONE)
        *result = variable[result_word[0] == 'U'];
    return true;
}

/* ------------------------------------------------------------------------------------------------ units */

typedef struct vars {
    kr_unit unit[3]; /* u, v, w */
} vars;

static bool is_variable(const char *word) { return word[0] >= 'u' && word[0] <= 'w' && (word[1] == 0 || word[1] == '^'); }

static int power_of(const char *word)
{
    const char *hat = strchr(word, '^');
    int power = 0;
    if (!hat)
        return 1;
    for (hat++; *hat >= '0' && *hat <= '9'; hat++)
        power = power * 10 + (*hat - '0');
    return power;
}

/* The unit whose power is `unit`; false when there is none. */
static bool unit_root(const kr_unit *unit, int power, kr_unit *out)
{
    *out = *unit;
    for (int i = 0; i < unit->count; i++) {
        if (unit->factor[i].power % power != 0)
            return false;
        out->factor[i].power /= power;
    }
    return true;
}

/* "u*v", "u/v", "u^2", "1" or a unit. */
static kr_unit unit_value(kr_checker *c, const char *word, const vars *vs)
{
    kr_unit out = { .known = true };
    char part[KR_SIG_WORD];
    int sign = 1;
    const char *p = word;
    if (!strpbrk(word, "uvw") || (!is_variable(word) && !strpbrk(word, "*/"))) {
        if (!kr_unit_read(c->model->arena, word, strlen(word), &out))
            KR_ASSERT(false && "a primitive's unit reads");
        return out;
    }
    while (*p) {
        size_t n = strcspn(p, "*/");
        memcpy(part, p, n);
        part[n] = 0;
        kr_unit factor = { .known = true };
        int power = 1;
        if (is_variable(part)) {
            factor = vs->unit[part[0] - 'u'];
            power = power_of(part);
        } else if (!kr_unit_read(c->model->arena, part, n, &factor)) {
            KR_ASSERT(false && "a primitive's unit reads");
        }
        for (int i = 0; i < power; i++) {
            kr_unit product;
            if (!kr_unit_mul(&out, &factor, sign, &product))
                product = (kr_unit){ 0 };
            out = product;
        }
        p += n;
        if (*p) {
            sign = *p == '/' ? -1 : 1;
            p++;
        }
    }
    return out;
}

static void unit_error(kr_checker *c, const kr_node *node, const char *name, const kr_unit *want, const kr_unit *got)
{
    const char *w = kr_unit_write(c->arena, want), *g = kr_unit_write(c->arena, got);
    kr_diag *d = node->kind == KR_N_CALL
        ? kr_check_error_name(c, KR_E_UNITS, node, "`%s` meets [%s] and [%s]", name, w, g)
        : kr_check_error(c, KR_E_UNITS, node, "`%s` meets [%s] and [%s]", name, w, g);
    kr_check_help(c, d, "if the numbers are right as they are, say the unit: AS(x, \"%s\")", w);
}

/* x ^ n and POWER(x, n): only a literal n tells the unit. */
static bool power_unit(kr_checker *c, kr_expr *const *args, kr_unit *out)
{
    const kr_unit *base = &args[0]->unit;
    int64_t n = 0;
    kr_cell value;
    *out = (kr_unit){ 0 };
    if (!base->known)
        return true;
    if (base->count == 0) {
        out->known = true;
        return true;
    }
    if (!kr_expr_constant(c, args[1], &value) || !kr_num_to_int(value, &n) || n < -20 || n > 20)
        return true;
    kr_unit product = { .known = true };
    for (int64_t i = 0; i < (n < 0 ? -n : n); i++) {
        kr_unit next;
        if (!kr_unit_mul(&product, base, n < 0 ? -1 : 1, &next))
            return true;
        product = next;
    }
    *out = product;
    return true;
}

bool kr_units_of_call(kr_checker *c, const kr_fn *fn, int alternative, kr_expr *const *args, int argc, kr_type result, const kr_node *node, kr_unit *out)
{
    *out = (kr_unit){ 0 };
    if (strcmp(fn->name, "^") == 0 || strcmp(fn->name, "POWER") == 0)
        return power_unit(c, args, out);
    if (!fn->unit) {
        out->known = result == KR_T_NUMBER;
        return true;
    }
    kr_sig sig;
    if (!strstr(fn->unit, " | "))
        alternative = 0;
    if (!kr_sig_read(fn->unit, alternative, &sig))
        return true;
    const kr_sig_entry **entries = KR_NEW_ARRAY(c->arena, const kr_sig_entry *, argc);
    if (!kr_sig_spread(&sig, argc, entries)) {
        if (argc > sig.count || sig.repeat_to > sig.repeat_from)
            return true; /* sig and unit of different shape: a test of the rows says so */
        for (int i = 0; i < argc; i++) /* optional arguments that the row's units do not mark as such */
            entries[i] = &sig.entry[i];
    }
    vars vs = { 0 };
    for (int i = 0; i < argc; i++) {
        const char *word = entries[i]->word;
        const kr_unit *unit = &args[i]->unit;
        if (strcmp(word, "*") == 0 || !unit->known || args[i]->type != KR_T_NUMBER)
            continue;
        if (is_variable(word)) {
            kr_unit *v = &vs.unit[word[0] - 'u'], root;
            if (!unit_root(unit, power_of(word), &root))
                continue;
            if (!v->known) {
                *v = root;
            } else if (!kr_unit_eq(v, &root)) {
                unit_error(c, node, fn->name, v, unit);
                return false;
            }
        } else {
            kr_unit want = unit_value(c, word, &vs);
            if (want.known && !kr_unit_eq(&want, unit)) {
                const char *name = fn->name;
                kr_diag *d = kr_check_error(c, KR_E_UNITS, args[i]->node, "`%s` needs [%s] here, not [%s]", name,
                                            kr_unit_write(c->arena, &want), kr_unit_write(c->arena, unit));
                kr_check_help(c, d, "if the number is right as it is, say the unit: AS(x, \"%s\")", kr_unit_write(c->arena, &want));
                return false;
            }
        }
    }
    if (result == KR_T_NUMBER && strcmp(sig.result, "*") != 0)
        *out = unit_value(c, sig.result, &vs);
    return true;
}

bool kr_units_agree(kr_checker *c, const kr_expr *a, const kr_expr *b, const kr_node *node, kr_unit *out)
{
    *out = a->unit.known ? a->unit : b->unit;
    if (!a->unit.known || !b->unit.known || kr_unit_eq(&a->unit, &b->unit))
        return true;
    unit_error(c, node, node->kind == KR_N_CALL ? node->text : "operator", &a->unit, &b->unit);
    return false;
}
