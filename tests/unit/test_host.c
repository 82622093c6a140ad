/* test_host.c: rule files: what they declare, where each thing stands, and what is refused (tests/host/refused.t). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stdlib/stdlib.h"
#include "vm/host/host.h"
#include "vm/lang/expr.h"
#include "vm/lang/script.h"

static int passed, failed;

static void check(bool ok, const char *what, int line)
{
    if (ok) {
        passed++;
    } else {
        failed++;
        printf("tests/unit/test_host.c:%d: %s\n", line, what);
    }
}
#define CHECK(ok) check((ok), #ok, __LINE__)

static bool same(const char *a, const char *b, int line)
{
    bool ok = a && b && !strcmp(a, b);
    check(ok, "text differs:", line);
    if (!ok)
        printf("--- wanted\n%s\n--- got\n%s\n", b ? b : "(none)", a ? a : "(none)");
    return ok;
}
#define SAME(a, b) same((a), (b), __LINE__)

typedef struct world {
    kr_arena *arena;
    kr_pool *pool;
    kr_diags *diags;
    kr_model *model;
} world;

static world load(const char *text)
{
    world w = { .arena = kr_arena_new(), .pool = kr_pool_new() };
    w.diags = kr_diags_new(w.arena);
    w.model = kr_load_text(w.arena, w.pool, kr_stdlib, "t.lua", text, strlen(text), w.diags);
    return w;
}

static char *messages(const world *w)
{
    char *all = kr_arena_copy(w->arena, "", 0);
    for (size_t i = 0; i < kr_diags_shown(w->diags); i++)
        all = kr_arena_printf(w->arena, "%s%s", all, kr_diag_render(w->arena, kr_diags_get(w->diags, i), false));
    return all;
}

/* A model that must be there. */
static world good(const char *text, int line)
{
    world w = load(text);
    check(w.model != NULL, "does not load:", line);
    if (!w.model) {
        printf("%s", messages(&w));
        exit(1);
    }
    return w;
}
#define GOOD(text) good((text), __LINE__)

static void done(world *w)
{
    kr_arena_free(w->arena);
    kr_pool_free(w->pool);
}

#define HEAD "rulebook { id = \"t\", version = 1, language = 1 }\n"

/* ---- text tests: title, file, messages */

static char *prefixed(kr_arena *arena, const char *text)
{
    char *out = kr_arena_copy(arena, "", 0);
    while (*text) {
        size_t n = strcspn(text, "\n");
        out = kr_arena_printf(arena, n ? "%s| %.*s\n" : "%s|%.*s\n", out, (int)n, text);
        text += n + (text[n] == '\n');
    }
    return out;
}

static void refused(const char *path)
{
    kr_arena *arena = kr_arena_new();
    FILE *file = fopen(path, "rb");
    static char buffer[1 << 18];
    size_t len = file ? fread(buffer, 1, sizeof buffer - 1, file) : 0;
    if (file)
        fclose(file);
    buffer[len] = 0;
    CHECK(len > 0);
    char *at = strstr(buffer, "\n=== ");
    char *out = kr_arena_copy(arena, buffer, at ? (size_t)(at - buffer) : len);
    while (at) {
        char *title = at + 5, *next = strstr(title, "\n=== ");
        char *end = next ? next : buffer + len, *body = strchr(title, '\n') + 1;
        char *text = kr_arena_copy(arena, "", 0), *want = kr_arena_copy(arena, "", 0);
        for (char *line = body; line < end;) {
            size_t n = strcspn(line, "\n");
            if (*line == '|')
                want = kr_arena_printf(arena, "%s%.*s\n", want, (int)n, line);
            else if (!*want)
                text = kr_arena_printf(arena, "%s%.*s\n", text, (int)n, line);
            line += n + 1;
        }
        size_t size = strlen(text);
        while (size && text[size - 1] == '\n')
            text[--size] = 0;
        world w = load(text);
        char *got = prefixed(arena, messages(&w));
        bool ok = !w.model && !strcmp(got, want);
        check(ok, kr_arena_printf(arena, "refused.t: %.*s", (int)strcspn(title, "\n"), title), __LINE__);
        if (!ok)
            printf("--- wanted\n%s--- got\n%s\n", want, got);
        out = kr_arena_printf(arena, "%s\n=== %.*s\n%s\n%s", out, (int)strcspn(title, "\n"), title, text, got);
        done(&w);
        at = next;
    }
    if (getenv("KR_RESET") && (file = fopen(path, "wb"))) {
        fputs(out, file);
        fclose(file);
    }
    kr_arena_free(arena);
}

/* ---- what is declared */

static void parameters(void)
{
    world w = GOOD(HEAD "--- The fee, of value. (§ Fees)\n--- Both sides. [1]\nparam.fee = \"0.025%\"\nparam.w = 0.3\nparam.neg = -0.8\n"
                        "param.cap = { \"10_000\", min = 0, max = \"1_000_000\" }\nparam.on = true\nparam.first = \"2023-01-01\"\n"
                        "param.name = \"TAO\"\nparam.code = { \"12\", type = text }\nparam.big = 9223372036854775808\n");
    kr_model *m = w.model;
    char text[KR_NUM_TEXT];
    CHECK(m->param_count == 9);
    kr_param *fee = kr_model_param(m, "fee");
    kr_num_write(fee->value, text);
    SAME(text, "0.00025");
    SAME(fee->written, "0.025%");
    SAME(fee->doc.text, "The fee, of value. Both sides.");
    SAME(fee->doc.section, "Fees");
    CHECK(fee->doc.unit.known && fee->doc.unit.count == 0);
    CHECK(!strncmp(m->source->text + fee->value_span.start, "\"0.025%\"", 8));
    kr_num_write(kr_model_param(m, "w")->value, text);
    SAME(text, "0.3");
    SAME(kr_model_param(m, "w")->doc.text, "");
    kr_num_write(kr_model_param(m, "neg")->value, text);
    SAME(text, "-0.8");
    SAME(kr_model_param(m, "neg")->written, "-0.8");
    kr_param *cap = kr_model_param(m, "cap");
    CHECK(cap->has_min && cap->has_max);
    kr_num_write(cap->max, text);
    SAME(text, "1000000");
    CHECK(kr_model_param(m, "on")->type == KR_T_BOOLEAN && kr_cell_is_true(kr_model_param(m, "on")->value));
    CHECK(kr_model_param(m, "first")->type == KR_T_DAY && kr_cell_int(kr_model_param(m, "first")->value) == 19358);
    CHECK(kr_model_param(m, "name")->type == KR_T_TEXT);
    CHECK(kr_model_param(m, "code")->type == KR_T_TEXT);
    kr_num_write(kr_model_param(m, "big")->value, text);
    SAME(text, "9223372036854775808");
    done(&w);
}

static void sheets(void)
{
    world w = GOOD(HEAD "--- Fills.\nlocal fill = sheet(\"fill\", { \"a\", \"time\" })\nfill.a = address\nfill.time = time\n"
                        "fill.side = one_of(\"buy\", \"sell\")\nfill.px = number { above = 0, max = 1.5 }\nfill.note = optional(text)\n"
                        "--- Value. [USD]\nfill.value = \"px * 2\" -- not documentation\n--- (§ Days).\nfill.day = \"=DAY(time)\"\n"
                        "fill.s = { \"PREV(px)\", history = 0.5 }\nfill.h = { \"PREV(px)\", history = \"blank\" }\n"
                        "local g = sheet(\"g\", { \"a\", \"day\", \"n\" }, { rows = cross(\"fill.a\", \"day\", range(\"n\", 0, \"2 + 1\")), where = \"n > 0\" })\n"
                        "sheet(\"o\", {}, { optional = true })\n"
                        "for _, c in ipairs { \"x\", \"y\" } do g[\"mean_\" .. c] = \"AVERAGE(fill.px)\" end\n"
                        "output { g = { \"mean_x\" } } output(fill)\n"
                        "check(g, \"positive\", \"n > 0\") require(fill, \"sane\", \"px > 0\")\n"
                        "carry { fill = { s = \"old_s\" }, mean_x = \"mean\" }\n");
    kr_model *m = w.model;
    kr_sheet *fill = kr_model_sheet(m, "fill"), *g = kr_model_sheet(m, "g");
    CHECK(m->sheet_count == 3 && fill->column_count == 9 && g->column_count == 2);
    SAME(fill->doc.text, "Fills.");
    CHECK(fill->columns[0]->domain.address && fill->columns[2]->domain.one_of_count == 2);
    CHECK(fill->columns[3]->domain.has_above && fill->columns[3]->domain.has_max && kr_raw_cmp(fill->columns[3]->domain.max, kr_num_of_int(1)) > 0);
    CHECK(fill->columns[4]->optional && fill->columns[4]->type == KR_T_TEXT);
    CHECK(fill->columns[5]->unit.known && fill->columns[5]->unit.count == 1);
    SAME(fill->columns[5]->doc.text, "Value.");
    SAME(fill->columns[6]->doc.text, "");
    SAME(fill->columns[6]->doc.section, "Days");
    SAME(kr_print_formula(w.arena, fill->columns[6]->formula.tree), "DAY(time)");
    CHECK(fill->columns[7]->history == KR_HISTORY_VALUE && fill->columns[7]->history_value.tree);
    CHECK(fill->columns[8]->history == KR_HISTORY_BLANK);
    CHECK(g->rows->kind == KR_ROWS_CROSS && g->rows->part_count == 3 && g->rows->column_count == 3);
    SAME(g->rows->parts[0]->sheet_name, "fill");
    CHECK(g->rows->parts[1]->kind == KR_ROWS_DAYS && g->rows->parts[2]->kind == KR_ROWS_RANGE && g->rows->parts[2]->high.tree);
    SAME(g->columns[1]->name, "mean_y");
    CHECK(kr_model_sheet(m, "o")->optional && kr_model_sheet(m, "o")->key_count == 0);
    CHECK(m->output_count == 2 && m->output_columns[0].count == 1 && m->output_columns[1].count == 0);
    CHECK(m->assert_count == 2 && !m->asserts[0].require && m->asserts[1].require);
    CHECK(m->carry_count == 2);
    SAME(m->carries[1].sheet, "g");
    done(&w);
}

static void rows(void)
{
    world w = GOOD(HEAD "local t = sheet(\"t\", { \"k\" }) t.k = text t.v = number\n"
                        "sheet(\"d\", { \"k\", \"other\" }, { rows = distinct(t, { \"k\", other = \"v\" }, \"v > 0\"), per = { \"k\" }, order = { \"other\" } })\n"
                        "sheet(\"j\", { \"z\", \"y\" }, { rows = join { a = t, b = \"d\", on = { \"k\" }, where = \"a.v > 0\", key = { z = \"a.k\", y = \"b.k\" } } })\n"
                        "sheet(\"u\", { \"k\" }, { rows = cross(union { distinct(\"t\", { \"k\" }), distinct(\"d\", { \"k\" }) }) })\n");
    kr_model *m = w.model;
    kr_rows *d = kr_model_sheet(m, "d")->rows, *j = kr_model_sheet(m, "j")->rows, *u = kr_model_sheet(m, "u")->rows;
    CHECK(d->kind == KR_ROWS_DISTINCT && d->column_count == 2 && d->where.tree);
    SAME(d->columns[1], "other");
    SAME(d->from[1], "v");
    CHECK(j->kind == KR_ROWS_JOIN && j->on_count == 1 && j->column_count == 2 && j->key[1].tree);
    SAME(j->columns[0], "z"); /* as written, not by the alphabet */
    CHECK(u->parts[0]->kind == KR_ROWS_UNION && u->parts[0]->part_count == 2);
    done(&w);
}

static void header(void)
{
    world w = GOOD("#!/usr/bin/env krules\nrulebook { id = \"kokoah/pay\", version = 3, language = 1, title = \"Pay\", effective_from = \"2023-01-01\", notice_days = 14,\n"
                   "  days = { from = \"MIN(t.x)\", lead = 29 } }\ndefine.half = { \"x\", \"x / 2\" }\n"
                   "example(\"one\", { from = \"2023-01-02\", t = { { \"a\", \"b\" }, { 1, \"\" }, { 0.25, true } }, expect = { s = { { k = \"x\", v = 2 }, { v = 3 } } } })\n");
    kr_model *m = w.model;
    CHECK(m->version == 3 && m->notice_days == 14 && m->has_days && m->days_lead == 29 && m->days_from.tree && m->has_effective_from);
    CHECK(m->define_count == 1 && m->defines[0].arg_count == 1);
    CHECK(m->example_count == 1 && m->examples[0].table_count == 2 && m->examples[0].has_from && !m->examples[0].has_to);
    struct kr_example_table *t = &m->examples[0].tables[0], *s = &m->examples[0].tables[1];
    CHECK(t->row_count == 2 && t->column_count == 2 && !t->cells[1] && !t->expect && s->expect);
    SAME(t->cells[2], "0.25");
    SAME(t->cells[3], "true");
    CHECK(s->row_count == 2 && s->column_count == 2 && !s->cells[2]);
    SAME(s->cells[3], "3");
    done(&w);
}

/* Places: text of the formula back to the bytes of the file. */
static void places(void)
{
    world w = GOOD(HEAD "local s = sheet(\"s\", { \"k\" })\ns.a = \"'\\u{3a6}' & 'y'\"\ns.b = [[\n  1 +\n  2]]\ns.c = \"1\" .. ' + ' .. \"22\"\nlocal f = \"7\"\ns.d = f\n");
    kr_sheet *s = kr_model_sheet(w.model, "s");
    const kr_source *source = w.model->source;
    const kr_fragment *a = s->columns[0]->formula.fragment, *b = s->columns[1]->formula.fragment, *c = s->columns[2]->formula.fragment;
    CHECK(a->map && source->text[a->map[0]] == '\'' && source->text[a->map[1]] == '\\' && source->text[a->map[2]] == '\\' && source->text[a->map[5]] == '&');
    CHECK(b->map && source->text[b->map[2]] == '1');
    kr_span two = kr_fragment_span(b, 8, 9);
    CHECK(two.source == source && source->text[two.start] == '2');
    CHECK(c->map && source->text[c->map[4]] == '2' && source->text[c->map[5]] == '2');
    CHECK(!s->columns[3]->formula.fragment->map && s->columns[3]->formula.fragment->origin.source == source);
    done(&w);
}

/* The helpers, through the text they make. */
static void helpers(void)
{
    static const struct { const char *lua, *gives; } cases[] = {
        { "local t = { b = 2, a = 1, [3] = 'z', [1] = 'x' } for k, v in pairs(t) do out = out .. k .. v end", "1x3za1b2" },
        { "for i, v in ipairs { 'a', 'b', nil, 'c' } do out = out .. i .. v end", "1a2b" },
        { "local t = { 3, 1, 2 } sort(t) out = concat(t, ',')", "1,2,3" },
        { "local t = { 'b', 'B', 'a' } sort(t) out = concat(t)", "Bab" },
        { "local t = { 'bb', 'a', 'cc', 'd' } sort(t, function(x, y) return len(x) < len(y) end) out = concat(t, ' ')", "a d bb cc" },
        { "local t = { 1, 3 } insert(t, 2, 2) insert(t, 4) out = concat(t) .. remove(t, 1) .. remove(t) .. len(t)", "1234142" },
        { "out = sub('hello', 2, 3) .. sub('hello', -2) .. upper('aé') .. lower('AÉ') .. rep('ab', 2) .. len('abc')", "ello" "Aéa" "Éabab3" },
        { "out = replace('a.b.c', '.', '+') .. tostring(12) .. tostring(true) .. type('') .. type({})", "a+b+c12truestringtable" },
        { "local function f(...) return select('#', ...) .. select(2, ...) end out = f('a', 'b')", "2b" },
        { "local function f(a, b) return b .. a end out = f(unpack { 'x', 'y' })", "yx" },
        { "out = param.p .. s.k .. type(param.p)", "ps.kreference" },
        { "local t = {} t.cut = 0.10 out = 'x > ' .. t.cut", "x > 0.10" },
        { "out = 7 // 2 .. ' ' .. 7 % 4 .. ' ' .. 3 * -2 .. ' ' .. (1 + 2)", "3 3 -6 3" },
        { "local n = 0 while n < 5 do n = n + 1 if n == 3 then break end end out = n", "3" },
        { "local n = 0 repeat local m = n n = n + 1 until m >= 2 or n > 9 out = n", "3" },
        { "for i = 3, 1, -1 do out = out .. i end", "321" },
        { "do goto skip end ::skip:: out = 'end'", "end" },
        { "local x <const> = 4 out = x", "4" },
        { "if 'a' < 'b' and 2 >= 2 and not (1 > 2) and 'x' ~= 'y' then out = 'yes' end", "yes" },
        { "local o = {} out = o.a or 'none'", "none" },
        { "out = (function() return(1)+2 end)()", "3" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, HEAD "param.p = 1 local s = sheet(\"s\", { \"k\" })\nlocal out = \"\"\n%s\ns.x = \"'\" .. out .. \"'\"\n", cases[i].lua);
        world w = load(text);
        if (!w.model)
            printf("%s", messages(&w));
        const char *got = w.model ? kr_model_sheet(w.model, "s")->columns[0]->formula.fragment->text : "";
        SAME(got, kr_arena_printf(w.arena, "'%s'", cases[i].gives));
        done(&w);
    }
}

/* New values in a text, all else byte for byte. */
static void edits(void)
{
    static const char text[] = "-- a comment\nrulebook { id = \"t\", version = 1, -- one\n  language = 1 }\nparam.a = 0.3 -- why\nparam.b = { \"25%\", min = 0 }\n"
                               "param.c = -1\nparam.d = true\nparam.e = 'x'\n";
    static const char wanted[] = "-- a comment\nrulebook { id = \"t\", version = 2, -- one\n  language = 1, effective_from = \"2026-01-01\" }\nparam.a = 0.35 -- why\n"
                                 "param.b = { \"30%\", min = 0 }\nparam.c = \"10_000\"\nparam.d = false\nparam.e = \"a\\\"b\"\n";
    static const kr_edit all[] = { { false, "e", "a\"b" }, { false, "a", "0.35" }, { false, "b", "30%" }, { false, "c", "10_000" }, { false, "d", "false" },
                                   { true, "version", "2" }, { true, "effective_from", "2026-01-01" } };
    static const kr_edit none = { false, "zz", "1" };
    kr_arena *arena = kr_arena_new();
    kr_diags *diags = kr_diags_new(arena);
    SAME(kr_rewrite_text(arena, "t.lua", text, sizeof text - 1, all, sizeof all / sizeof all[0], diags), wanted);
    SAME(kr_rewrite_text(arena, "t.lua", text, sizeof text - 1, NULL, 0, diags), text);
    CHECK(kr_diags_count(diags, KR_SEVERITY_ERROR) == 0);
    CHECK(!kr_rewrite_text(arena, "t.lua", text, sizeof text - 1, &none, 1, diags) && kr_diags_count(diags, KR_SEVERITY_ERROR) == 1);
    kr_arena_free(arena);
}

/* What a file may take is bounded, whatever it makes a lot of: text kept by declarations, declarations, decimals, nesting. */
static void bounds(void)
{
    static const char *const bombs[] = {
        HEAD "local s = sheet(\"s\", {}) local big = rep(\"y\", 15000000) local i = 0 while true do i = i + 1 s[\"x\" .. i] = big end\n",
        HEAD "local s = sheet(\"s\", {}) while true do check(s, \"t\", \"TRUE\") end\n",
        HEAD "local t = {} while true do t.x = 0.5 end\n",
        HEAD "param.p = 1 local t = {} while true do t.x = param.p end\n",
        HEAD "local i = 0 while true do i = i + 1 define[\"d\" .. i] = \"1\" end\n",
        HEAD "while true do local r = cross(range(\"a\", 1, 2)) end\n",
        HEAD "local t = {} for i = 1, 100000 do t[i] = i end while true do for k, v in pairs(t) do end end\n",
        HEAD "local t = {} for i = 1, 3000 do t[i] = i end sort(t, function(a, b) while true do end end)\n",
    };
    for (size_t i = 0; i < sizeof bombs / sizeof bombs[0]; i++) {
        world w = load(bombs[i]);
        bool ok = !w.model && strstr(messages(&w), "budget") && kr_arena_bytes(w.arena) < (size_t)400 << 20;
        check(ok, bombs[i], __LINE__);
        if (!ok)
            printf("%zu bytes\n%s", kr_arena_bytes(w.arena), messages(&w));
        done(&w);
    }
    static const struct { const char *head, *part, *tail, *says; } deep[] = {
        { "local x = ", "(", "", "nested too deeply" }, { "local x = 1", " + 1", "", "too long" }, { "local x = ", "{", "", "nested too deeply" },
        { "local x = y", ".y", "", "too long" }, { "", "do ", "", "nested too deeply" }, { "local x = ", "not ", "", "nested too deeply" },
        { "local x = ", "function() return ", "", "nested too deeply" }, { "local x = 'a'", " .. 'a'", "", "nested too deeply" },
    };
    for (size_t i = 0; i < sizeof deep / sizeof deep[0]; i++) {
        static char text[400000];
        size_t n = (size_t)snprintf(text, sizeof text, "%s", deep[i].head);
        for (int k = 0; k < 20000; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s", deep[i].part);
        world w = load(text);
        bool ok = !w.model && strstr(messages(&w), deep[i].says);
        check(ok, deep[i].part, __LINE__);
        if (!ok)
            printf("%.300s\n", messages(&w));
        done(&w);
    }
}

/* Pieces of a file, cut and spliced at random: never anything but a model or a message. */
static void broken_files(void)
{
    static const char *const pieces[] = {
        "rulebook { id = \"t\", version = 1, language = 1 }\n", "local s = sheet(\"s\", { \"k\" })\n", "s.x = ", "\"1 + a\"", "[[ b ]]", "param.p = 0.5\n",
        "fn.f = function(x) return x end\n", "(", ")", "{", "}", ",", "..", "=", "if ", " then ", " end ", " for i = 1, 3 do ", "1e3", "-", "not ", "x", "and ", "#",
        "\"", "[[", "--[[", "\\", "output { s }", "fold { over = s, step = function(state, row, emit) emit { k = 1 } end }", "cross(", "\"day\"", "\n", "\xff", "function ",
        "return ", "while ", "::", "goto ", "s", "[", "]", "~", "5 % 3", "nil", "true ",
    };
    uint64_t seed = 20261130;
    size_t loaded = 0;
    for (int i = 0; i < 3000; i++) {
        char text[1024];
        size_t n = 0;
        for (int k = 0; k < 12; k++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            const char *piece = pieces[(seed >> 33) % (sizeof pieces / sizeof pieces[0])];
            if (k == 0 && seed >> 63)
                piece = pieces[0];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        text[n] = 0;
        world w = load(text);
        loaded += w.model != NULL;
        if (!w.model && kr_diags_count(w.diags, KR_SEVERITY_ERROR) == 0)
            check(false, text, __LINE__);
        messages(&w);
        done(&w);
    }
    CHECK(loaded < 3000);
}

/* ---- functions of rows */

static kr_cell cell_of(kr_pool *pool, const char *text, kr_type *type)
{
    kr_num n;
    if (!*text) {
        *type = KR_T_NUMBER;
        return KR_BLANK;
    }
    if (!strcmp(text, "true") || !strcmp(text, "false")) {
        *type = KR_T_BOOLEAN;
        return kr_cell_of_bool(*text == 't');
    }
    if (kr_num_read(text, strlen(text), &n, NULL) == KR_READ_OK) {
        *type = KR_T_NUMBER;
        return n;
    }
    *type = KR_T_TEXT;
    return kr_cell_of_text(pool, text, strlen(text));
}

static const char *text_of(const world *w, kr_type type, kr_cell cell)
{
    char *text = kr_arena_alloc(w->arena, KR_NUM_TEXT);
    if (kr_is_special(cell))
        return kr_special_name(cell);
    if (type == KR_T_BOOLEAN)
        return kr_cell_is_true(cell) ? "true" : "false";
    if (type == KR_T_TEXT)
        return kr_pool_text(w->pool, (uint32_t)kr_cell_int(cell), NULL);
    kr_num_write(cell, text);
    return text;
}

/* body, arguments, result: text, or "!" and a part of the problem, or "?" and a part of what the check says. */
static void functions(void)
{
    static const struct { const char *body, *a, *b, *gives; } cases[] = {
        { "return a + b", "0.1", "0.2", "0.3" },
        { "return a / b", "1", "3", "0.333333333333333333" },
        { "return a / b", "1", "0", "#DIV/0!" },
        { "return a ^ b + a // b + a % b", "-7", "2", "46" },
        { "return -a", "1.5", "0", "-1.5" },
        { "if a == 0 then return 1 end return 2", "0", "0", "1" },
        { "if a ~= 0.5 then return 1 end return 2", "0.5", "0", "2" },
        { "if a > b and not (b > a) or a == b then return 'more' else return 'less' end", "2", "1", "more" },
        { "if a > b then return 1 end return 0", "", "1", "!a blank is neither true nor false" },
        { "return a > b", "", "1", "" },
        { "if a == nil then return 0 end return a", "", "1", "0" },
        { "if a ~= nil then return a end return 7", "", "1", "7" },
        { "return coalesce(a, b)", "", "4", "4" },
        { "return MAX(a, b) + min(a, b) + Abs(-a)", "2", "5", "9" },
        { "local s = 0 for i = 1, a do s = s + i end return s", "10", "0", "55" },
        { "local s = 0 for i = a, 1, -b do s = s + i end return s", "9", "4", "15" },
        { "for i = 1, a do end return 0", "1.5", "0", "!whole numbers" },
        { "for i = 1, a do end return 0", "", "0", "!blank" },
        { "local n, s = a, 0 while n > 0 do s = s + n n = n - 1 if s > b then break end end return s", "10", "20", "27" },
        { "local n = 0 repeat n = n + 1 until n >= a return n", "3", "0", "3" },
        { "while true do end return a", "3", "0", "!budget" },
        { "local x, y = b, a x, y = y, x return x - y", "5", "3", "2" },
        { "return 'a' .. a .. b", "0.5", "x", "a0.5x" },
        { "local best = nil if a > 1 then best = a end return best", "2", "0", "2" },
        { "local best if a > 1 then best = a end return best", "1", "0", "" },
        { "return param.rate * a + fn.twice(b) + twice(b)", "2", "3", "13" },
        { "if a <= 1 then return 1 end return a * f(a - 1, b)", "10", "0", "3628800" },
        { "if a < 0 then return 1 end return f(a + 1, b)", "1", "1", "!too deeply" },
        { "if a / b > 1 then return 1 end return 0", "1", "0", "#DIV/0!" },
        { "return NORM.S.DIST(a, true)", "0", "0", "0.5" },
        { "return a .. b < 'b'", "a", "z", "true" },
        { "return a + b", "1", "x", "?does not take number and text" },
        { "if a then return 1 end return 2", "1", "1", "?a condition is boolean, not number" },
        { "return a or b", "1", "1", "?COALESCE" },
        { "local x = a x = b return x", "1", "t", "?this variable holds number" },
        { "if a > 1 then return 'x' end return 1", "1", "1", "?returns text elsewhere" },
        { "return sqr(a)", "1", "1", "?did you mean `SQRT`?" },
        { "return SUM(a, b)", "1", "1", "?more than one row" },
        { "return param.rat", "1", "1", "?did you mean `param.rate`?" },
        { "return ABS(a, b)", "1", "1", "?takes 1 argument" },
        { "local x = a", "1", "1", "?never returns" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, HEAD "param.rate = 0.5\nfn.twice = function(x) return 2 * x end\nfunction fn.f(a, b) %s end\n", cases[i].body);
        world w = load(text);
        if (!w.model) {
            printf("%s", messages(&w));
            CHECK(false);
            done(&w);
            continue;
        }
        kr_type types[2];
        kr_cell args[2] = { cell_of(w.pool, cases[i].a, &types[0]), cell_of(w.pool, cases[i].b, &types[1]) };
        const kr_script *f = kr_model_user_fn(w.model, "f")->script;
        kr_type result = kr_script_check(f, w.model, types, (kr_span){ 0 }, w.diags);
        const char *said = messages(&w), *got = said;
        if (*cases[i].gives != '?' && result != KR_T_NONE) {
            kr_env env = { w.pool, w.arena };
            kr_script_run *run = kr_script_run_new(w.model, &env);
            const char *problem = NULL;
            kr_cell cell = kr_script_call(run, f, args, &problem);
            got = problem ? kr_arena_printf(w.arena, "%s", problem) : text_of(&w, result, cell);
            CHECK(!problem || kr_raw_eq(cell, KR_E_VALUE));
            kr_script_run_free(run);
        }
        bool part = *cases[i].gives == '?' || *cases[i].gives == '!';
        bool ok = part ? strstr(got, cases[i].gives + 1) != NULL : !strcmp(got, cases[i].gives);
        check(ok, cases[i].body, __LINE__);
        if (!ok)
            printf("--- wanted %s\n--- got %s\n", cases[i].gives, got);
        done(&w);
    }
}

/* One type for each argument, over all uses of one check. */
static void argument_types(void)
{
    world w = GOOD(HEAD "fn.f = function(a) return a end\n");
    const kr_script *f = kr_model_user_fn(w.model, "f")->script;
    kr_type number = KR_T_NUMBER, text = KR_T_TEXT, none = KR_T_NONE;
    CHECK(kr_script_check(f, w.model, &number, (kr_span){ 0 }, w.diags) == KR_T_NUMBER);
    CHECK(kr_script_check(f, w.model, &none, (kr_span){ 0 }, w.diags) == KR_T_NUMBER);
    CHECK(kr_script_check(f, w.model, &text, w.model->user_fns[0].span, w.diags) == KR_T_NONE);
    CHECK(strstr(messages(&w), "used with number and with text") != NULL);
    kr_diags *later = kr_diags_new(w.arena); /* another check begins anew, and finds the same */
    CHECK(kr_script_check(f, w.model, &text, (kr_span){ 0 }, later) == KR_T_TEXT);
    later = kr_diags_new(w.arena);
    CHECK(kr_script_check(f, w.model, &text, (kr_span){ 0 }, later) == KR_T_TEXT);
    CHECK(kr_script_check(f, w.model, &number, (kr_span){ 0 }, later) == KR_T_NONE);
    done(&w);
    w = GOOD(HEAD "fn.f = function(a) return a end\nlocal s = sheet(\"s\", { \"k\" }) s.k = number s.a = \"f(k)\" s.b = \"f('x')\" output { s }\n");
    CHECK(!kr_check(w.model, w.diags) && strstr(messages(&w), "used with number and with text"));
    done(&w);
    w = GOOD(HEAD "fn.f = function(a) return a + 1 end\nlocal s = sheet(\"s\", { \"k\", \"n\" }, { order = { \"n\" } }) s.k = text s.n = number s.a = \"f(PREV(a, 0))\" s.b = \"f(n)\" output { s }\n");
    CHECK(kr_check(w.model, w.diags));
    printf("%s", messages(&w));
    done(&w);
}

typedef struct rows_out { const world *w; const kr_sheet *sheet; char *text; } rows_out;

static bool take_row(void *context, const kr_cell *cells)
{
    rows_out *out = context;
    for (int i = 0; i < out->sheet->column_count; i++)
        out->text = kr_arena_printf(out->w->arena, "%s%s%s", out->text, i ? "," : "", text_of(out->w, out->sheet->columns[i]->type, cells[i]));
    out->text = kr_arena_printf(out->w->arena, "%s;", out->text);
    return true;
}

static void folds(void)
{
    static const char text[] = HEAD
        "local event = sheet(\"event\", { \"n\" }) event.n = number event.who = text event.amount = number\n"
        "local spent = sheet(\"spent\", { \"n\" }, { rows = fold { over = event, order = { \"n\" },\n"
        "  state = { count = 0, last = text, open = map(text, number), queue = list(number), half = 0.5, on = false },\n"
        "  step = function(state, row, emit)\n"
        "    state.count = state.count + 1\n"
        "    if row.amount == nil then return end\n"
        "    local queue = state.queue\n"
        "    insert(queue, row.amount)\n"
        "    while #queue > 3 do remove(queue, 1) end\n"
        "    local sum = 0\n"
        "    for i, v in ipairs(queue) do sum = sum + v * i end\n"
        "    state.open[row.who] = coalesce(state.open[row.who], 0) + row.amount\n"
        "    if state.open[row.who] == 0 then state.open[row.who] = nil end\n"
        "    local all = ''\n"
        "    for who, total in pairs(state.open) do all = all .. who .. total .. ' ' end\n"
        "    emit { n = row.n, sum = sum, who = state.last, open = all, people = #state.open }\n"
        "    state.last = row.who\n"
        "    state.on = not state.on\n"
        "  end } })\n"
        "spent.n = number spent.sum = number spent.who = text spent.open = text spent.people = number\n";
    world w = GOOD(text);
    kr_sheet *spent = kr_model_sheet(w.model, "spent"), *event = kr_model_sheet(w.model, "event");
    spent->rows->sheet = event;
    kr_fold *fold = spent->rows->fold;
    bool fine = kr_fold_check(w.model, spent, w.diags);
    if (!fine)
        printf("%s", messages(&w));
    CHECK(fine && fold->state_count == 6 && fold->state[2].kind == KR_STATE_MAP && fold->state[1].type == KR_T_TEXT);
    static const char *const data[][3] = { { "1", "zoe", "1" }, { "2", "amy", "2.5" }, { "3", "amy", "" }, { "4", "bob", "3" }, { "5", "zoe", "-1" } };
    kr_env env = { w.pool, w.arena };
    kr_script_run *run = kr_script_run_new(w.model, &env);
    rows_out out = { &w, spent, kr_arena_copy(w.arena, "", 0) };
    for (int twice = 0; twice < 2; twice++) { /* a second partition begins anew */
        out.text = kr_arena_copy(w.arena, "", 0);
        kr_fold_begin(run, fold);
        for (size_t i = 0; fine && i < 5; i++) {
            kr_cell row[3];
            kr_type type;
            const char *problem = NULL;
            for (int k = 0; k < 3; k++)
                row[k] = cell_of(w.pool, data[i][k], &type);
            CHECK(kr_fold_step(run, fold, event, row, spent, take_row, &out, &problem));
        }
        SAME(out.text, "1,1,,zoe1 ,1;2,6,zoe,amy2.5 zoe1 ,2;4,15,amy,amy2.5 bob3 zoe1 ,3;5,5.5,bob,amy2.5 bob3 ,2;");
    }
    kr_script_run_free(run);
    done(&w);

    static const struct { const char *step, *says; } bad[] = {
        { "emit { sum = 1 }", "no value for key `n`" },
        { "emit { n = 1, smu = 1 }", "did you mean `sum`?" },
        { "emit { n = 'x' }", "is number, not text" },
        { "emit { n = 1, f = 2 }", "is a formula" },
        { "emit { n = row.amonut }", "did you mean `amount`?" },
        { "state.count = 'x'", "state `count` is number, not text" },
        { "state.open['x'] = 'y'", "an item of state `open` is number, not text" },
        { "state.open[1] = 2", "a key of this map is text, not number" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char lua[1024];
        snprintf(lua, sizeof lua, HEAD "local e = sheet(\"e\", { \"n\" }) e.n = number e.amount = number\n"
                 "local s = sheet(\"s\", { \"n\" }, { rows = fold { over = e, state = { count = 0, open = map(text, number) }, step = function(state, row, emit) %s end } })\n"
                 "s.n = number s.sum = number s.f = \"1\"\n", bad[i].step);
        world b = GOOD(lua);
        kr_sheet *s = kr_model_sheet(b.model, "s");
        s->rows->sheet = kr_model_sheet(b.model, "e");
        CHECK(!kr_fold_check(b.model, s, b.diags));
        bool ok = strstr(messages(&b), bad[i].says) != NULL;
        check(ok, bad[i].says, __LINE__);
        if (!ok)
            printf("%s", messages(&b));
        done(&b);
    }
}

int main(void)
{
    parameters();
    sheets();
    rows();
    header();
    places();
    helpers();
    edits();
    broken_files();
    bounds();
    functions();
    argument_types();
    folds();
    refused("tests/host/refused.t");
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
