/* Formulas: tests/lang/parse.t (canonical print, or the whole message), printing of random trees, places, depth.
 * `--reset` rewrites the expectations of parse.t. */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "vm/lang/ast.h"

static const char path[] = "tests/lang/parse.t";

static char *read_file(kr_arena *arena, const char *name)
{
    FILE *f = fopen(name, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    char *text = kr_arena_alloc(arena, (size_t)n + 1);
    size_t got = fread(text, 1, (size_t)n, f);
    fclose(f);
    text[got] = '\0';
    return text;
}

/* ` => print`, or the message's lines, each behind `| `. */
static char *answer(kr_arena *arena, const char *formula, size_t len)
{
    kr_diags *diags = kr_diags_new(arena);
    kr_node *node = kr_parse_formula(arena, kr_fragment_plain(arena, "formula", formula, len), diags);
    if (node)
        return kr_arena_printf(arena, " => %s\n", kr_print_formula(arena, node));
    char *out = kr_arena_copy(arena, "\n", 1);
    for (size_t i = 0; i < kr_diags_shown(diags); i++) {
        char *text = kr_diag_render(arena, kr_diags_get(diags, i), false);
        for (char *line = text; *line;) {
            size_t n = strcspn(line, "\n");
            out = kr_arena_printf(arena, "%s| %.*s\n", out, (int)n, line);
            line += n + (line[n] == '\n');
        }
    }
    return out;
}

/* One entry: a line with the formula, and `| ` lines below when it fails. Lines that begin with `# ` and empty lines are kept. */
static void text_tests(bool reset)
{
    kr_arena *arena = kr_arena_new();
    char *text = read_file(arena, path);
    CHECK(text != NULL);
    char *renewed = kr_arena_copy(arena, "", 0);
    for (char *at = text; at && *at;) {
        size_t n = strcspn(at, "\n");
        char *next = at + n + (at[n] == '\n');
        if (n == 0 || strncmp(at, "# ", 2) == 0 || (n == 1 && *at == '#')) {
            renewed = kr_arena_printf(arena, "%s%.*s\n", renewed, (int)n, at);
            at = next;
            continue;
        }
        size_t len = n;
        for (size_t i = 0; i + 4 <= n; i++)
            if (strncmp(at + i, " => ", 4) == 0)
                len = i;
        char *expected_at = at + len;
        while (strncmp(next, "| ", 2) == 0 || strncmp(next, "|\n", 2) == 0) {
            size_t m = strcspn(next, "\n");
            next += m + (next[m] == '\n');
        }
        char *wanted = kr_arena_copy(arena, expected_at, (size_t)(next - expected_at));
        char *got = answer(arena, at, len);
        if (!reset)
            unit_check_text(kr_arena_printf(arena, "%.*s%s", (int)len, at, got), kr_arena_printf(arena, "%.*s%s", (int)len, at, wanted), path, 0);
        renewed = kr_arena_printf(arena, "%s%.*s%s", renewed, (int)len, at, got);
        at = next;
    }
    if (reset) {
        FILE *f = fopen(path, "wb");
        if (f) {
            fputs(renewed, f);
            fclose(f);
        }
    }
    kr_arena_free(arena);
}

/* ---- random trees */

static uint64_t seed;

static int below(int n) { return (int)(unit_random(&seed) >> 33) % n; }

static kr_node *make(kr_arena *arena, kr_node_kind kind, int kids)
{
    kr_node *node = KR_NEW(arena, kr_node);
    node->kind = kind;
    node->kids = kids ? KR_NEW_ARRAY(arena, kr_node *, kids) : NULL;
    node->kid_count = kids;
    return node;
}

static void name_it(kr_node *node, const char *text)
{
    node->text = text;
    node->text_len = (uint32_t)strlen(text);
}

static kr_node *random_tree(kr_arena *arena, int depth)
{
    static const char *const names[] = { "a", "by", "credit", "where", "x_1", "not", "Big" };
    static const char *const fns[] = { "SUM", "STDEV.S", "f", "RANK" };
    static const char *const texts[] = { "", "perp", "it's", "\"", "Φ 漢", "''" };
    static const int ops[] = { '+', '-', '*', '/', '^', '&', '=', '<', '>', KR_OP_NE, KR_OP_LE, KR_OP_GE };
    kr_node *node;
    switch (depth > 0 ? below(10) : below(5)) {
    case 0:
        node = make(arena, KR_N_NUMBER, 0);
        node->value = (kr_num){ unit_random(&seed) >> below(64), below(4) ? 0 : (int64_t)(unit_random(&seed) >> (1 + below(63))) };
        return node;
    case 1:
        node = make(arena, KR_N_TEXT, 0);
        name_it(node, texts[below(6)]);
        return node;
    case 2:
        node = make(arena, KR_N_BOOLEAN, 0);
        node->value = kr_cell_of_bool(below(2));
        return node;
    case 3:
        node = make(arena, KR_N_NAME, 0);
        name_it(node, names[below(7)]);
        return node;
    case 4:
        node = make(arena, KR_N_DOT, 0);
        name_it(node, names[below(7)]);
        node->name2 = names[below(7)];
        return node;
    case 5:
        node = make(arena, KR_N_UNARY, 1);
        node->kids[0] = random_tree(arena, depth - 1);
        node->op = "-+%"[node->kids[0]->kind == KR_N_NUMBER ? below(2) : below(3)]; /* 5% is read as one number */
        return node;
    case 6:
        node = make(arena, KR_N_LIST, below(4));
        for (int i = 0; i < node->kid_count; i++)
            node->kids[i] = random_tree(arena, depth - 1);
        return node;
    case 7:
        node = make(arena, KR_N_CALL, below(4));
        name_it(node, fns[below(4)]);
        for (int i = 0; i < node->kid_count; i++) {
            node->kids[i] = random_tree(arena, depth - 1);
            if (below(4) == 0) {
                kr_node *sort = make(arena, KR_N_SORT, 1);
                sort->op = below(2) ? 'A' : 'D';
                sort->kids[0] = node->kids[i];
                node->kids[i] = sort;
            }
        }
        if (node->kid_count && below(3) == 0)
            node->where = random_tree(arena, depth - 1);
        if (node->kid_count && below(3) == 0) {
            node->has_by = true;
            node->by_count = below(3);
            node->by = KR_NEW_ARRAY(arena, kr_node *, 3);
            for (int i = 0; i < node->by_count; i++) {
                node->by[i] = make(arena, KR_N_NAME, 0);
                name_it(node->by[i], names[below(7)]);
            }
        }
        return node;
    default:
        node = make(arena, KR_N_BINARY, 2);
        node->op = ops[below(12)];
        node->kids[0] = random_tree(arena, depth - 1);
        node->kids[1] = random_tree(arena, depth - 1);
        return node;
    }
}

static void random_tests(void)
{
    kr_arena *arena = kr_arena_new();
    for (uint64_t i = 1; i <= 20000; i++) {
        kr_arena_reset(arena);
        seed = i * UINT64_C(0x9e3779b97f4a7c15);
        kr_node *tree = random_tree(arena, 5);
        char *text = kr_print_formula(arena, tree);
        kr_diags *diags = kr_diags_new(arena);
        kr_node *again = kr_parse_formula(arena, kr_fragment_plain(arena, "formula", text, strlen(text)), diags);
        const char *problem = again ? "differs" : kr_diag_render(arena, kr_diags_get(diags, 0), false);
        if (!unit_check(again && kr_node_equal(tree, again), __FILE__, __LINE__, "seed %llu: %s: %s", (unsigned long long)i, text, problem))
            break;
        if (!unit_check(strcmp(text, kr_print_formula(arena, again)) == 0, __FILE__, __LINE__, "seed %llu prints otherwise: %s", (unsigned long long)i, text))
            break;
    }
    /* Any bytes at all end in a tree or in one message. */
    static const char alphabet[] = "ab1.,(){}+-*/^%&=<>'\" WHERE BY \xce\xa6;\\\x80";
    for (uint64_t i = 1; i <= 20000; i++) {
        kr_arena_reset(arena);
        seed = i * UINT64_C(0xbf58476d1ce4e5b9);
        char text[40];
        size_t n = (size_t)below(40);
        for (size_t k = 0; k < n; k++)
            text[k] = alphabet[below((int)sizeof alphabet)];
        kr_diags *diags = kr_diags_new(arena);
        kr_node *node = kr_parse_formula(arena, kr_fragment_plain(arena, "formula", text, n), diags);
        size_t errors = kr_diags_count(diags, KR_SEVERITY_ERROR);
        if (errors)
            kr_diag_render(arena, kr_diags_get(diags, 0), true);
        if (!unit_check(errors == (node ? 0u : 1u), __FILE__, __LINE__, "seed %llu: %zu errors: %.*s", (unsigned long long)i, errors, (int)n, text))
            break;
    }
    kr_arena_free(arena);
}

/* ---- depth and places */

static const char *code_of(kr_arena *arena, const char *text)
{
    kr_diags *diags = kr_diags_new(arena);
    kr_node *node = kr_parse_formula(arena, kr_fragment_plain(arena, "formula", text, strlen(text)), diags);
    return node ? "fine" : kr_code_name(kr_diags_get(diags, 0)->code);
}

static char *repeated(kr_arena *arena, const char *piece, int times, const char *middle, const char *end)
{
    size_t n = strlen(piece), m = strlen(end);
    char *out = kr_arena_alloc(arena, (n + m) * (size_t)times + strlen(middle) + 1);
    char *at = out;
    for (int i = 0; i < times; i++, at += n)
        memcpy(at, piece, n);
    memcpy(at, middle, strlen(middle));
    at += strlen(middle);
    for (int i = 0; i < times; i++, at += m)
        memcpy(at, end, m);
    return out;
}

static void depth_tests(void)
{
    kr_arena *arena = kr_arena_new();
    CHECK_TEXT(code_of(arena, ""), "E0203");
    CHECK_TEXT(code_of(arena, " \n\t"), "E0203");
    CHECK_TEXT(code_of(arena, repeated(arena, "(", 199, "1", ")")), "fine");
    CHECK_TEXT(code_of(arena, repeated(arena, "(", 200, "1", ")")), "E0209");
    CHECK_TEXT(code_of(arena, repeated(arena, "(", 1000000, "1", ")")), "E0209");
    CHECK_TEXT(code_of(arena, repeated(arena, "-", 100000, "1", "")), "E0209");
    CHECK_TEXT(code_of(arena, repeated(arena, "ABS(", 100000, "1", ")")), "E0209");
    CHECK_TEXT(code_of(arena, repeated(arena, "{", 100000, "1", "}")), "E0209");
    CHECK_TEXT(code_of(arena, repeated(arena, "1+", 900, "1", "")), "fine");
    CHECK_TEXT(code_of(arena, repeated(arena, "1+", 100000, "1", "")), "E0209");
    CHECK_TEXT(code_of(arena, repeated(arena, "", 100000, "x", "%")), "E0209");
    CHECK_TEXT(code_of(arena, repeated(arena, "SUM(t.x WHERE ", 100000, "1", ")")), "E0209");
    kr_arena_free(arena);
}

static void place_tests(void)
{
    kr_arena *arena = kr_arena_new();
    kr_diags *diags = kr_diags_new(arena);
    const char *text = "(a + b) * SUM(t.x WHERE t.y BY k)";
    kr_node *node = kr_parse_formula(arena, kr_fragment_plain(arena, "formula", text, strlen(text)), diags);
    CHECK(node && node->start == 0 && node->end == strlen(text) && node->op_start == 8);
    CHECK(node && node->kids[0]->start == 1 && node->kids[0]->end == 6);
    CHECK(node && node->kids[1]->start == 10 && node->kids[1]->end == strlen(text) && node->kids[1]->op_end == 13);
    CHECK(node && node->kids[1]->by[0]->start == 31);
    /* A formula in a Lua string points into the string; escapes and dropped line breaks are mapped. */
    const char *file = "t.x = \"a \\\"b\\\" c\"\n";
    kr_source *source = kr_source_new(arena, "r.lua", file, strlen(file));
    static const uint32_t map[] = { 7, 8, 9, 11, 12, 14, 15, 16 };
    kr_fragment *f = kr_fragment_mapped(arena, source, "a \"b\" c", 7, map, (kr_span){ source, 0, 17 });
    CHECK(kr_parse_formula(arena, f, diags) == NULL);
    CHECK_TEXT(kr_diag_render(arena, kr_diags_get(diags, 0), false),
               "error[E0205]: an operator is missing before `\"b\"`\n"
               " --> r.lua:1:10\n"
               "  |\n"
               "1 | t.x = \"a \\\"b\\\" c\"\n"
               "  |          ^^^^^\n"
               "  = help: write an operator, such as `*`, between the two\n");
    /* A formula that a macro made shows the declaration and its own text. */
    diags = kr_diags_new(arena);
    f = kr_fragment_made(arena, "formula of t.x", "a +\n * b", 8, (kr_span){ source, 0, 3 });
    CHECK(kr_parse_formula(arena, f, diags) == NULL);
    CHECK_TEXT(kr_diag_render(arena, kr_diags_get(diags, 0), false),
               "error[E0204]: a value is missing between `+` and `*`\n"
               " --> r.lua:1:1\n"
               "  |\n"
               "1 | t.x = \"a \\\"b\\\" c\"\n"
               "  | --- makes the formula\n"
               " ::: formula of t.x:1:3\n"
               "  |\n"
               "1 | a +\n"
               "  |   ^\n");
    CHECK_TEXT(kr_diag_json(arena, kr_diags_get(diags, 0)),
               "{\"code\":\"E0204\",\"severity\":\"error\",\"message\":\"a value is missing between `+` and `*`\",\"file\":\"r.lua\",\"line\":1,"
               "\"column\":1,\"end_column\":4,\"made\":{\"file\":\"formula of t.x\",\"line\":1,\"column\":3,\"end_column\":4,"
               "\"text\":\"a +\\n * b\"}}");
    kr_arena_free(arena);
}

int main(int argc, char **argv)
{
    text_tests(argc > 1 && strcmp(argv[1], "--reset") == 0);
    random_tests();
    depth_tests();
    place_tests();
    return unit_done();
}
