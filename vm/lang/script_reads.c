/* script_reads.c: which columns of its row a fold's step looks at: only these does the fold depend on. */
#include <string.h>

#include "vm/lang/script_tree.h"

static bool block_reads(const kr_sblock *block, const char *column);

static bool expr_reads(const kr_sexpr *e, const char *column)
{
    if (!e)
        return false;
    if (e->kind == KR_SE_ROW && strcmp(e->name, column) == 0)
        return true;
    for (int i = 0; i < e->kid_count; i++)
        if (expr_reads(e->kids[i], column))
            return true;
    return false;
}

static bool stat_reads(const kr_sstat *s, const char *column)
{
    if (!s)
        return false;
    if (expr_reads(s->key, column) || expr_reads(s->value, column))
        return true;
    for (int i = 0; i < s->value_count; i++)
        if (expr_reads(s->values[i], column))
            return true;
    for (int i = 0; i < s->block_count; i++)
        if (block_reads(s->blocks[i], column))
            return true;
    for (int i = 0; i < s->part_count; i++)
        if (stat_reads(s->parts[i], column))
            return true;
    return false;
}

static bool block_reads(const kr_sblock *block, const char *column)
{
    for (size_t i = 0; block && i < block->count; i++)
        if (stat_reads(block->stats[i], column))
            return true;
    return false;
}

bool kr_fold_reads(const kr_fold *fold, const char *column)
{
    return fold->step && block_reads(fold->step->body, column);
}
