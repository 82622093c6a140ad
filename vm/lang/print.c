/* print.c: a tree as canonical text, and equality of trees. */
#include <string.h>

#include "vm/lang/ast.h"
#include "vm/text/buf.h"

/* How tightly a node holds together; brackets are needed where a looser one stands. */
enum { COMPARE = 1, JOIN, SUM, PRODUCT, POWER, SIGN, PERCENT, WHOLE };

static int binary_level(int op)
{
    switch (op) {
    case '&': return JOIN;
    case '+': case '-': return SUM;
    case '*': case '/': return PRODUCT;
    case '^': return POWER;
    default: return COMPARE;
    }
}

static int level_of(const kr_node *node)
{
    if (node->kind == KR_N_BINARY)
        return binary_level(node->op);
    if (node->kind == KR_N_UNARY)
        return node->op == '%' ? PERCENT : SIGN;
    return WHOLE;
}

static void print(kr_buf *o, const kr_node *node, int least);

static void print_list(kr_buf *o, kr_node *const *nodes, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            kr_buf_put(o, ", ");
        print(o, nodes[i], COMPARE);
    }
}

static void print_text(kr_buf *o, const char *text, size_t len)
{
    kr_buf_put(o, "'");
    for (size_t i = 0; i < len; i++)
        kr_buf_bytes(o, text[i] == '\'' ? "''" : text + i, text[i] == '\'' ? 2 : 1);
    kr_buf_put(o, "'");
}

static void print_binary(kr_buf *o, const kr_node *node)
{
    int level = binary_level(node->op);
    char sign[4] = { ' ', (char)node->op, ' ', '\0' };
    /* left to right: an equal level needs brackets on the right only; comparisons on both sides, since they do not chain */
    print(o, node->kids[0], level == COMPARE ? level + 1 : level);
    kr_buf_put(o, node->op == KR_OP_NE ? " <> " : node->op == KR_OP_LE ? " <= " : node->op == KR_OP_GE ? " >= " : sign);
    print(o, node->kids[1], level + 1);
}

static void print_call(kr_buf *o, const kr_node *node)
{
    kr_buf_bytes(o, node->text, node->text_len);
    kr_buf_put(o, "(");
    print_list(o, node->kids, node->kid_count);
    if (node->where) {
        kr_buf_put(o, " WHERE ");
        print(o, node->where, COMPARE);
    }
    if (node->has_by) {
        kr_buf_put(o, node->by_count ? " BY " : " BY ()");
        print_list(o, node->by, node->by_count);
    }
    kr_buf_put(o, ")");
}

static void print(kr_buf *o, const kr_node *node, int least)
{
    char number[KR_NUM_TEXT];
    bool bracket = level_of(node) < least;
    if (bracket)
        kr_buf_put(o, "(");
    switch (node->kind) {
    case KR_N_NUMBER: kr_buf_bytes(o, number, kr_num_write(node->value, number)); break;
    case KR_N_TEXT: print_text(o, node->text, node->text_len); break;
    case KR_N_BOOLEAN: kr_buf_put(o, kr_cell_is_true(node->value) ? "TRUE" : "FALSE"); break;
    case KR_N_NAME: kr_buf_put(o, node->text); break;
    case KR_N_DOT:
        kr_buf_put(o, node->text);
        kr_buf_put(o, ".");
        kr_buf_put(o, node->name2);
        break;
    case KR_N_UNARY:
        if (node->op == '%') {
            print(o, node->kids[0], PERCENT);
            kr_buf_put(o, "%");
        } else {
            kr_buf_put(o, node->op == '-' ? "-" : "+");
            print(o, node->kids[0], SIGN);
        }
        break;
    case KR_N_BINARY: print_binary(o, node); break;
    case KR_N_CALL: print_call(o, node); break;
    case KR_N_LIST:
        kr_buf_put(o, "{");
        print_list(o, node->kids, node->kid_count);
        kr_buf_put(o, "}");
        break;
    case KR_N_SORT:
        print(o, node->kids[0], COMPARE);
        kr_buf_put(o, node->op == 'A' ? " ASC" : " DESC");
        break;
    }
    if (bracket)
        kr_buf_put(o, ")");
}

char *kr_print_formula(kr_arena *arena, const kr_node *node)
{
    kr_buf o = { .arena = arena };
    kr_buf_put(&o, "");
    print(&o, node, COMPARE);
    return o.text;
}

static bool is_same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool is_same_list(kr_node *const *a, int an, kr_node *const *b, int bn)
{
    if (an != bn)
        return false;
    for (int i = 0; i < an; i++)
        if (!kr_node_equal(a[i], b[i]))
            return false;
    return true;
}

bool kr_node_equal(const kr_node *a, const kr_node *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && a->op == b->op && a->text_len == b->text_len
        && (a->text_len == 0 || memcmp(a->text, b->text, a->text_len) == 0) && is_same_text(a->name2, b->name2)
        && kr_raw_eq(a->value, b->value) && a->has_by == b->has_by && is_same_list(a->kids, a->kid_count, b->kids, b->kid_count)
        && is_same_list(a->by, a->by_count, b->by, b->by_count) && kr_node_equal(a->where, b->where);
}
