/* parse.c: formula text to tree, by operator precedence (Pratt 1973). One fault ends the parse: what follows it would only echo.
 *
 * Precedence, high to low: postfix %, unary - and +, ^ * / + - & and the comparisons, everything left to right; so -2^2 is 4, as in
 * spreadsheets. WHERE, BY, ASC and DESC are known by where they stand (behind a whole value, in any case); as names they are reserved
 * in capitals only. */
#include <string.h>

#include "vm/lang/lex.h"

enum {
    NESTING = 200, /* brackets, calls and signs inside each other */
    CHAIN = 1000   /* operators in a row: the tree leans left and passes over it recurse */
};

enum { LEVEL_COMPARE = 1, LEVEL_JOIN, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_POWER };

typedef struct parser {
    kr_arena *arena;
    const kr_fragment *fragment;
    kr_diags *diags;
    kr_lexer lexer;
    kr_token token, last; /* the one to be read, the one read before it */
    int nesting;
    int in_call; /* directly inside the brackets of a call: WHERE and BY belong here */
} parser;

typedef struct part { /* a tree with the place it takes up, its brackets included; node NULL: fault, told */
    kr_node *node;
    uint32_t start, end;
    bool bracketed;
} part;

static const part failed;

static void advance(parser *p)
{
    p->last = p->token;
    p->token = kr_lex_next(&p->lexer);
}

static bool is_mark(const parser *p, int op) { return p->token.kind == KR_TOKEN_MARK && p->token.op == op; }
static bool is_word(const parser *p, const char *word) { return kr_token_is(&p->lexer, &p->token, word); }
static bool is_fault(const parser *p) { return p->token.kind == KR_TOKEN_FAULT; }

static const char *text_of(const parser *p, const kr_token *token)
{
    return kr_arena_copy(p->arena, p->fragment->text + token->start, token->end - token->start);
}

__attribute__((format(printf, 5, 6))) static kr_diag *fault(parser *p, kr_code code, uint32_t start, uint32_t end, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = kr_arena_vprintf(p->arena, format, args);
    va_end(args);
    return kr_diag_add(p->diags, code, kr_fragment_span(p->fragment, start, end), "%s", message);
}

static void help(parser *p, kr_diag *diag, const char *text) { kr_diag_help(p->diags, diag, "%s", text); }

static kr_node *node_new(parser *p, kr_node_kind kind, uint32_t start, uint32_t end)
{
    kr_node *node = KR_NEW(p->arena, kr_node);
    node->kind = kind;
    node->start = start;
    node->end = end;
    node->fragment = p->fragment;
    node->depth = 1;
    return node;
}

static void adopt(kr_node *node, const kr_node *kid)
{
    if (kid->depth >= node->depth)
        node->depth = kid->depth + 1;
}

static bool is_deep(parser *p, const kr_node *node)
{
    if (node->depth <= CHAIN)
        return false;
    kr_diag *d = fault(p, KR_E_FORMULA_DEPTH, node->op_start, node->op_end, "more than %d operators in a row", CHAIN);
    help(p, d, "give parts of the formula columns of their own");
    return true;
}

static bool enter(parser *p)
{
    if (p->nesting < NESTING) {
        p->nesting++;
        return true;
    }
    kr_diag *d = fault(p, KR_E_FORMULA_DEPTH, p->token.start, p->token.end, "more than %d levels of brackets, calls and signs inside each other", NESTING);
    help(p, d, "give parts of the formula columns of their own");
    return false;
}

static part parse_binary(parser *p, int least);

/* ---- words that are reserved or belong elsewhere */

static const char *const clauses[] = { "WHERE", "BY", "ASC", "DESC" };

static const char *clause_at(const parser *p)
{
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
        if (is_word(p, clauses[i]))
            return clauses[i];
    return NULL;
}

/* A name that is written in capitals as a clause is. */
static bool is_reserved(parser *p, const kr_token *token)
{
    const char *text = text_of(p, token);
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
        if (strcmp(text, clauses[i]) == 0)
            return true;
    return kr_token_is(&p->lexer, token, "TRUE") || kr_token_is(&p->lexer, token, "FALSE");
}

static const char *clause_help(const char *word)
{
    if (strcmp(word, "WHERE") == 0)
        return "WHERE stands inside the brackets of an aggregate, behind its arguments: SUM(sheet.column WHERE condition)";
    if (strcmp(word, "BY") == 0)
        return "BY stands inside the brackets of an aggregate, last: SUM(sheet.column WHERE condition BY key, key)";
    return "ASC and DESC stand behind an argument of RANK: RANK(x DESC BY day)";
}

/* ---- values */

static part missing(parser *p)
{
    const kr_token *t = &p->token;
    const char *clause = clause_at(p);
    if (is_fault(p))
        return failed;
    if (clause && is_reserved(p, t)) {
        kr_diag *d = fault(p, KR_E_FORMULA_CLAUSE, t->start, t->end, "`%s` stands where a value is expected", clause);
        help(p, d, clause_help(clause));
    } else if (t->kind == KR_TOKEN_END && p->last.kind == KR_TOKEN_END) {
        kr_diag *d = fault(p, KR_E_FORMULA_EMPTY, 0, p->fragment->len, "the formula is empty");
        help(p, d, "write a value, a name or a function, such as `price * amount`");
    } else if (t->kind == KR_TOKEN_END) {
        const char *after = text_of(p, &p->last);
        kr_diag *d = fault(p, KR_E_FORMULA_ARGUMENT, p->last.start, p->last.end, "a value is missing after `%s`, where the formula ends", after);
        if (p->last.kind == KR_TOKEN_MARK && p->last.op == '=' && p->last.start == 0)
            help(p, d, "write the formula behind the `=`");
    } else if (is_mark(p, ',') || is_mark(p, ')') || is_mark(p, '}')) {
        bool first = p->last.kind == KR_TOKEN_MARK && (p->last.op == '(' || p->last.op == '{');
        if (first && is_mark(p, ')'))
            fault(p, KR_E_FORMULA_ARGUMENT, p->last.start, t->end, "nothing stands between these brackets");
        else
            fault(p, KR_E_FORMULA_ARGUMENT, p->last.start, t->end, "a value is missing between `%s` and `%s`", text_of(p, &p->last), text_of(p, t));
    } else if (p->last.kind == KR_TOKEN_MARK) {
        kr_diag *d = fault(p, KR_E_FORMULA_ARGUMENT, p->last.start, t->end, "a value is missing between `%s` and `%s`", text_of(p, &p->last), text_of(p, t));
        if (p->last.op == '/' && is_mark(p, '/'))
            help(p, d, "the whole part of a quotient is INT(a / b) or TRUNC(a / b)");
        else if (p->last.op == '.')
            help(p, d, "a column of another sheet is written sheet.column");
    } else {
        kr_diag *d = fault(p, KR_E_FORMULA_ARGUMENT, t->start, t->end, "a value is missing before `%s`", text_of(p, t));
        if (is_mark(p, '.'))
            help(p, d, "a column of another sheet is written sheet.column");
    }
    return failed;
}

static bool unclosed(parser *p, uint32_t open, char with)
{
    if (is_fault(p))
        return false;
    if (p->token.kind == KR_TOKEN_END) {
        kr_diag *d = fault(p, KR_E_FORMULA_OPEN, open, open + 1, "this bracket is not closed");
        kr_diag_help(p->diags, d, "add `%c`", with);
        return false;
    }
    return true;
}

/* 1,5 and 10,000 are meant as one number by who writes them. */
static void stray_comma(parser *p, const part *before)
{
    const kr_token *t = &p->token;
    char next = p->fragment->text[t->end];
    kr_diag *d = fault(p, KR_E_FORMULA_OPERATOR, t->start, t->end, "a comma stands outside the brackets of a function");
    if (before && before->node->kind == KR_N_NUMBER && before->end == t->start && next >= '0' && next <= '9')
        help(p, d, "a decimal point is written `0.5`, thousands are set off as in `10_000`");
    else
        help(p, d, "a comma separates the arguments of a function or the members of a list {1, 2, 3}");
}

/* Behind a whole value stands something that cannot go on. */
static void stray(parser *p, const part *before)
{
    const kr_token *t = &p->token;
    const char *word = text_of(p, t), *clause = clause_at(p);
    if (is_fault(p))
        return;
    if (clause) {
        kr_diag *d = fault(p, KR_E_FORMULA_CLAUSE, t->start, t->end, "`%s` does not belong here", clause);
        help(p, d, clause_help(clause));
        return;
    }
    if (is_word(p, "AND") || is_word(p, "OR") || is_word(p, "XOR")) {
        kr_diag *d = fault(p, KR_E_FORMULA_SIGN, t->start, t->end, "`%s` is a function, not an operator", word);
        kr_diag_help(p->diags, d, "write %s(a, b)", is_word(p, "AND") ? "AND" : is_word(p, "OR") ? "OR" : "XOR");
        return;
    }
    if (is_mark(p, ')') || is_mark(p, '}')) {
        kr_diag *d = fault(p, KR_E_FORMULA_OPEN, t->start, t->end, "`%s` closes a bracket that was never opened", word);
        help(p, d, "remove it, or open the bracket before");
        return;
    }
    if (is_mark(p, ',')) {
        stray_comma(p, before);
        return;
    }
    kr_diag *d;
    const kr_node *n = before->node;
    if (is_mark(p, '.')) {
        d = fault(p, KR_E_FORMULA_OPERATOR, t->start, t->end, "a point stands behind a value");
        help(p, d, "a point stands between a sheet and its column, or inside a number");
        return;
    }
    d = fault(p, KR_E_FORMULA_OPERATOR, t->start, t->end, "an operator is missing before `%s`", word);
    const char *name = n->kind == KR_N_NAME && !before->bracketed ? n->text : "";
    if (strcasecmp(name, "not") == 0)
        kr_diag_help(p->diags, d, "write NOT(condition)");
    else if (strcasecmp(name, "if") == 0)
        kr_diag_help(p->diags, d, "write IF(condition, then, else)");
    else if (is_word(p, "IF") || is_word(p, "THEN") || is_word(p, "ELSE"))
        kr_diag_help(p->diags, d, "write IF(condition, then, else)");
    else if (is_word(p, "MOD"))
        kr_diag_help(p->diags, d, "write MOD(a, b)");
    else if (is_word(p, "IN"))
        kr_diag_help(p->diags, d, "write OR(x = 'a', x = 'b')");
    else if (is_word(p, "IS"))
        kr_diag_help(p->diags, d, "equality is written `=`; for an unknown value write ISBLANK(x)");
    else if (n->kind == KR_N_UNARY && n->op == '%' && !before->bracketed)
        kr_diag_help(p->diags, d, "`%%` is percent; the remainder of a division is MOD(a, b)");
    else if (n->kind == KR_N_NUMBER && p->fragment->text[before->end - 1] == '%')
        kr_diag_help(p->diags, d, "`%%` is percent; the remainder of a division is MOD(a, b)");
    else if (p->in_call)
        kr_diag_help(p->diags, d, "write an operator, such as `*`, or a comma before the next argument");
    else
        kr_diag_help(p->diags, d, "write an operator, such as `*`, between the two");
}

/* `)` or `}` behind the members of a bracket; false: fault, told. */
static bool close(parser *p, uint32_t open, char with, const part *before)
{
    if (is_mark(p, with)) {
        advance(p);
        return true;
    }
    if (unclosed(p, open, with)) {
        if (is_mark(p, ')') || is_mark(p, '}')) {
            kr_diag *d = fault(p, KR_E_FORMULA_OPEN, p->token.start, p->token.end, "`%s` closes another bracket than was opened", text_of(p, &p->token));
            kr_diag_window(p->diags, d, kr_fragment_span(p->fragment, open, open + 1), "opened here");
            kr_diag_help(p->diags, d, "write `%c`", with);
        } else if (is_mark(p, ',')) {
            stray_comma(p, before);
        } else if (before) {
            stray(p, before);
        }
    }
    return false;
}

/* ---- calls */

static bool parse_by(parser *p, kr_node *call)
{
    size_t capacity = 0;
    call->has_by = true;
    advance(p);
    if (is_mark(p, '(')) {
        uint32_t open = p->token.start;
        advance(p);
        if (is_mark(p, ')')) {
            advance(p);
            return true;
        }
        if (!unclosed(p, open, ')'))
            return false;
        kr_diag *d = fault(p, KR_E_FORMULA_CLAUSE, open, open + 1, "the columns of BY stand without brackets");
        help(p, d, "write BY a, b; `BY ()` is the whole sheet");
        return false;
    }
    for (;;) {
        if (is_fault(p))
            return false;
        if (p->token.kind != KR_TOKEN_NAME || is_reserved(p, &p->token)) {
            kr_diag *d = fault(p, KR_E_FORMULA_CLAUSE, p->token.kind == KR_TOKEN_END ? p->last.start : p->token.start,
                               p->token.kind == KR_TOKEN_END ? p->last.end : p->token.end, "BY is followed by names of columns");
            help(p, d, "write BY a, b; `BY ()` is the whole sheet");
            return false;
        }
        kr_node *name = node_new(p, KR_N_NAME, p->token.start, p->token.end);
        name->text = text_of(p, &p->token);
        name->text_len = p->token.end - p->token.start;
        KR_PUSH(p->arena, call->by, call->by_count, capacity) = name;
        advance(p);
        if (is_mark(p, '.') || (p->token.kind == KR_TOKEN_MARK && p->token.op != ',' && p->token.op != ')')) {
            bool dot = is_mark(p, '.');
            uint32_t end = p->token.end;
            if (dot) {
                advance(p);
                end = p->token.kind == KR_TOKEN_NAME ? p->token.end : end;
            }
            if (is_fault(p))
                return false;
            kr_diag *d = fault(p, KR_E_FORMULA_CLAUSE, name->start, end, "BY takes plain names of columns, each standing on both sides");
            help(p, d, dot ? "write the column's name without its sheet" : "give the value a column of its own and name that");
            return false;
        }
        if (p->token.kind == KR_TOKEN_NAME && !clause_at(p)) {
            kr_diag *d = fault(p, KR_E_FORMULA_OPERATOR, p->token.start, p->token.end, "a comma is missing before `%s`", text_of(p, &p->token));
            help(p, d, "write BY a, b");
            return false;
        }
        if (!is_mark(p, ','))
            return true;
        advance(p);
    }
}

/* The clauses behind a call's arguments. */
static bool parse_clauses(parser *p, kr_node *call, part *last)
{
    if (is_word(p, "WHERE")) {
        advance(p);
        *last = parse_binary(p, LEVEL_COMPARE);
        if (!last->node)
            return false;
        call->where = last->node;
        adopt(call, call->where);
    }
    if (is_word(p, "BY") && !parse_by(p, call))
        return false;
    if (is_word(p, "WHERE")) {
        kr_diag *d;
        if (call->has_by) {
            d = fault(p, KR_E_FORMULA_CLAUSE, p->token.start, p->token.end, "`WHERE` stands behind `BY`");
            help(p, d, "WHERE comes first: SUM(sheet.column WHERE condition BY key, key)");
        } else {
            d = fault(p, KR_E_FORMULA_CLAUSE, p->token.start, p->token.end, "a second `WHERE`");
            help(p, d, "write WHERE AND(a, b)");
        }
        return false;
    }
    return true;
}

static part parse_call(parser *p, const char *name, uint32_t start)
{
    kr_node *call = node_new(p, KR_N_CALL, start, 0);
    uint32_t open = p->token.start;
    size_t capacity = 0;
    call->text = name;
    call->text_len = (uint32_t)strlen(name);
    call->op_start = start;
    call->op_end = p->last.end;
    advance(p);
    int outer = p->in_call;
    p->in_call = 1;
    part last = failed;
    if (!is_mark(p, ')')) {
        for (;;) {
            last = parse_binary(p, LEVEL_COMPARE);
            if (!last.node)
                return failed;
            if (is_word(p, "ASC") || is_word(p, "DESC")) {
                kr_node *sort = node_new(p, KR_N_SORT, last.start, p->token.end);
                sort->op = is_word(p, "ASC") ? 'A' : 'D';
                sort->op_start = p->token.start;
                sort->op_end = p->token.end;
                sort->kids = KR_NEW_ARRAY(p->arena, kr_node *, 1);
                sort->kids[0] = last.node;
                sort->kid_count = 1;
                adopt(sort, last.node);
                advance(p);
                last = (part){ sort, sort->start, sort->end, false };
            }
            KR_PUSH(p->arena, call->kids, call->kid_count, capacity) = last.node;
            adopt(call, last.node);
            if (!is_mark(p, ','))
                break;
            advance(p);
        }
        if (!parse_clauses(p, call, &last))
            return failed;
    }
    if (!close(p, open, ')', &last))
        return failed;
    p->in_call = outer;
    call->end = p->last.end;
    return (part){ call, start, call->end, false };
}

/* A name, sheet.column, or a call: function names may have points (STDEV.S). */
static part parse_name(parser *p)
{
    kr_token first = p->token, second = first;
    uint32_t start = first.start;
    int parts = 1;
    if (is_word(p, "TRUE") || is_word(p, "FALSE")) {
        kr_node *node = node_new(p, KR_N_BOOLEAN, start, first.end);
        node->value = kr_cell_of_bool(is_word(p, "TRUE"));
        advance(p);
        return (part){ node, start, node->end, false };
    }
    if (is_reserved(p, &first))
        return missing(p);
    advance(p);
    while (is_mark(p, '.')) {
        advance(p);
        if (p->token.kind != KR_TOKEN_NAME) {
            if (!is_fault(p)) {
                kr_diag *d = fault(p, KR_E_FORMULA_NAME, start, p->last.end, "the name of a column is missing behind `%s.`",
                                   kr_arena_copy(p->arena, p->fragment->text + start, p->last.start - start));
                help(p, d, "a column of another sheet is written sheet.column; names begin with a letter");
            }
            return failed;
        }
        second = p->token;
        parts++;
        advance(p);
    }
    uint32_t end = p->last.end;
    if (is_mark(p, '('))
        return parse_call(p, kr_arena_copy(p->arena, p->fragment->text + start, end - start), start);
    if (parts > 2) {
        kr_diag *d = fault(p, KR_E_FORMULA_NAME, start, end, "`%s` has more than one point",
                           kr_arena_copy(p->arena, p->fragment->text + start, end - start));
        help(p, d, "a column of another sheet is written sheet.column");
        return failed;
    }
    if (parts == 2 && is_reserved(p, &second)) {
        kr_diag *d = fault(p, KR_E_FORMULA_NAME, second.start, second.end, "`%s` is reserved and cannot name a column", text_of(p, &second));
        help(p, d, "names of columns are written in small letters");
        return failed;
    }
    kr_node *node = node_new(p, parts == 2 ? KR_N_DOT : KR_N_NAME, start, end);
    node->text = text_of(p, &first);
    node->text_len = first.end - first.start;
    if (parts == 2)
        node->name2 = text_of(p, &second);
    return (part){ node, start, end, false };
}

static part parse_list(parser *p)
{
    uint32_t open = p->token.start;
    kr_node *list = node_new(p, KR_N_LIST, open, 0);
    size_t capacity = 0;
    int outer = p->in_call;
    part last = failed;
    p->in_call = 0;
    advance(p);
    while (!is_mark(p, '}') || list->kid_count) {
        last = parse_binary(p, LEVEL_COMPARE);
        if (!last.node)
            return failed;
        KR_PUSH(p->arena, list->kids, list->kid_count, capacity) = last.node;
        adopt(list, last.node);
        if (!is_mark(p, ','))
            break;
        advance(p);
    }
    if (!close(p, open, '}', last.node ? &last : NULL))
        return failed;
    p->in_call = outer;
    list->end = p->last.end;
    return (part){ list, open, list->end, false };
}

static part parse_bracket(parser *p)
{
    uint32_t open = p->token.start;
    int outer = p->in_call;
    p->in_call = 0;
    advance(p);
    if (p->token.kind == KR_TOKEN_END) {
        unclosed(p, open, ')');
        return failed;
    }
    part inner = parse_binary(p, LEVEL_COMPARE);
    if (!inner.node || !close(p, open, ')', &inner))
        return failed;
    p->in_call = outer;
    return (part){ inner.node, open, p->last.end, true };
}

static part parse_value(parser *p)
{
    kr_token t = p->token;
    kr_node *node;
    switch (t.kind) {
    case KR_TOKEN_NUMBER:
        node = node_new(p, KR_N_NUMBER, t.start, t.end);
        node->value = t.value;
        break;
    case KR_TOKEN_TEXT:
        node = node_new(p, KR_N_TEXT, t.start, t.end);
        node->text = t.text;
        node->text_len = t.text_len;
        break;
    case KR_TOKEN_NAME: return parse_name(p);
    case KR_TOKEN_MARK:
        if (t.op == '(')
            return parse_bracket(p);
        if (t.op == '{')
            return parse_list(p);
        return missing(p);
    default: return missing(p);
    }
    advance(p);
    return (part){ node, t.start, t.end, false };
}

static part unary(parser *p, int op, const kr_token *t, kr_node *of, uint32_t start, uint32_t end)
{
    kr_node *node = node_new(p, KR_N_UNARY, start, end);
    node->op = op;
    node->op_start = t->start;
    node->op_end = t->end;
    node->kids = KR_NEW_ARRAY(p->arena, kr_node *, 1);
    node->kids[0] = of;
    node->kid_count = 1;
    adopt(node, of);
    return is_deep(p, node) ? failed : (part){ node, start, end, false };
}

/* A number followed by % is a number: 25% is 0.25, and like every number it is exact or refused. */
static part percent(parser *p, part of)
{
    kr_token t = p->token;
    advance(p);
    if (of.node->kind == KR_N_NUMBER) {
        const kr_num hundred = kr_num_of_int(100);
        kr_num value = kr_num_div(of.node->value, hundred);
        if (!kr_raw_eq(kr_num_mul(value, hundred), of.node->value)) {
            kr_diag *d = fault(p, KR_E_NUMBER_DECIMALS, of.start, t.end, "`%s` has more than 18 decimals",
                               kr_arena_copy(p->arena, p->fragment->text + of.start, t.end - of.start));
            help(p, d, "round it to 18 decimals, the finest a number can be");
            return failed;
        }
        of.node->value = value;
        of.node->start = of.start;
        of.node->end = of.end = t.end;
        return of;
    }
    return unary(p, '%', &t, of.node, of.start, t.end);
}

static part parse_prefix(parser *p)
{
    part result;
    if (!enter(p))
        return failed;
    if (is_mark(p, '-') || is_mark(p, '+')) {
        kr_token t = p->token;
        advance(p);
        part of = parse_prefix(p);
        if (!of.node)
            return failed;
        result = unary(p, t.op, &t, of.node, t.start, of.end);
    } else {
        result = parse_value(p);
        while (result.node && is_mark(p, '%'))
            result = percent(p, result);
    }
    p->nesting--;
    return result;
}

static int level_of(const kr_token *t)
{
    if (t->kind != KR_TOKEN_MARK)
        return 0;
    switch (t->op) {
    case '=': case '<': case '>': case KR_OP_NE: case KR_OP_LE: case KR_OP_GE: return LEVEL_COMPARE;
    case '&': return LEVEL_JOIN;
    case '+': case '-': return LEVEL_SUM;
    case '*': case '/': return LEVEL_PRODUCT;
    case '^': return LEVEL_POWER;
    default: return 0;
    }
}

static part chain_of_comparisons(parser *p, const part *left)
{
    const kr_token *t = &p->token;
    kr_diag *d = fault(p, KR_E_FORMULA_CHAIN, left->start, t->end, "a comparison is followed by another");
    if (left->node->op != '=' || t->op != '=')
        help(p, d, "write AND(a < b, b < c); to compare two conditions set one in brackets");
    else
        help(p, d, "write AND(a = b, b = c); to compare two conditions set one in brackets");
    return failed;
}

static part parse_binary(parser *p, int least)
{
    part left = parse_prefix(p);
    for (int level; left.node && (level = level_of(&p->token)) >= least;) {
        kr_token t = p->token;
        if (level == LEVEL_COMPARE && left.node->kind == KR_N_BINARY && !left.bracketed && left.node->level == LEVEL_COMPARE)
            return chain_of_comparisons(p, &left);
        advance(p);
        part right = parse_binary(p, level + 1);
        if (!right.node)
            return failed;
        kr_node *node = node_new(p, KR_N_BINARY, left.start, right.end);
        node->op = t.op;
        node->level = level;
        node->op_start = t.start;
        node->op_end = t.end;
        node->kids = KR_NEW_ARRAY(p->arena, kr_node *, 2);
        node->kids[0] = left.node;
        node->kids[1] = right.node;
        node->kid_count = 2;
        adopt(node, left.node);
        adopt(node, right.node);
        if (is_deep(p, node))
            return failed;
        left = (part){ node, left.start, right.end, false };
    }
    return left;
}

kr_node *kr_parse_formula(kr_arena *arena, const kr_fragment *fragment, kr_diags *diags)
{
    parser p = { .arena = arena, .fragment = fragment, .diags = diags, .lexer = { arena, fragment, diags, 0 } };
    p.token = kr_lex_next(&p.lexer);
    if (is_mark(&p, '=')) {
        advance(&p);
        if (p.token.kind == KR_TOKEN_END)
            p.last = (kr_token){ .kind = KR_TOKEN_END };
    }
    part whole = parse_binary(&p, LEVEL_COMPARE);
    if (!whole.node)
        return NULL;
    if (p.token.kind != KR_TOKEN_END) {
        stray(&p, &whole);
        return NULL;
    }
    return whole.node;
}

kr_span kr_node_span(const kr_node *node) { return kr_fragment_span(node->fragment, node->start, node->end); }
