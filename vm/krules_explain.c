/* krules_explain.c: why a row is what it is, behind krules.h. */
#include "vm/krules_internal.h"

#include <string.h>

#include "vm/store/why.h"
#include "vm/text/time.h"

struct krules_explanation {
    krules_object object;
    kr_arena *arena;
    kr_chain *chain;
    kr_why *why;
};

static void explanation_destroy(krules_object *object)
{
    krules_explanation *e = (krules_explanation *)object;
    kr_chain_free(e->chain);
    kr_arena_free(e->arena);
    kr_free(e);
}

krules_explanation *krules_explain(krules_book *book, krules_data *data, const krules_options *options, const krules_question *question)
{
    krules *k = book->object.session;
    krules_options none = { 0 };
    options = options ? options : &none;
    kr_chain_options o = { .threads = options->threads, .all_columns = true, .progress = options->progress, .progress_context = options->progress_context };
    if (!krules_read_day(k, "--from", options->from, &o.has_from, &o.from) || !krules_read_day(k, "--to", options->to, &o.has_to, &o.to))
        return NULL;
    kr_chain *chain = kr_book_plan(book->book, k->diags) ? kr_chain_run(book->book, data->data, &o, k->diags) : NULL;
    if (!chain)
        return NULL;
    krules_explanation *e = kr_alloc(sizeof *e);
    krules_object_add(k, &e->object, explanation_destroy);
    e->arena = kr_arena_new();
    e->chain = chain;
    kr_why_question asked = { question->sheet, question->column, question->keys, (int)question->key_count, question->rows };
    e->why = kr_why_new(e->arena, chain, &asked, k->diags);
    return e->why ? e : NULL;
}

void krules_explanation_free(krules_explanation *explanation)
{
    if (explanation)
        krules_object_free(&explanation->object);
}

const char *krules_explanation_text(const krules_explanation *explanation) { return kr_why_text(explanation->why); }
const char *krules_explanation_json(const krules_explanation *explanation) { return kr_why_json(explanation->why); }
