/* krules_calc.c: one formula by itself: a row of a sheet without columns, evaluated by the same engine as every rule. */
#include "vm/krules_internal.h"

#include <string.h>

#include "stdlib/stdlib.h"

enum { FORMULAS = 1000 }; /* after so many the trees of old ones are dropped */

struct krules_calculator {
    kr_arena *arena, *text;
    kr_pool *pool;
    kr_model *model;
    kr_sheet *sheet;
    kr_dataset *data;
    kr_run *run;
    int used;
};

void krules_calculator_free(krules_calculator *c)
{
    if (!c)
        return;
    kr_run_free(c->run);
    kr_dataset_free(c->data);
    kr_arena_free(c->arena);
    kr_arena_free(c->text);
    kr_pool_free(c->pool);
    kr_free(c);
}

static krules_calculator *calculator_new(kr_diags *diags)
{
    krules_calculator *c = kr_alloc(sizeof *c);
    c->arena = kr_arena_new();
    c->text = kr_arena_new();
    c->pool = kr_pool_new();
    c->model = kr_model_new(c->arena, c->pool, kr_stdlib);
    c->sheet = kr_model_add_sheet(c->model, "calc"); /* a bag: no key, one row */
    kr_column_def *column = kr_sheet_add_column(c->model, c->sheet, "row");
    column->input = column->hidden = true;
    column->type = KR_T_NUMBER;
    c->data = kr_dataset_new(c->pool);
    kr_dataset_add(c->data, c->sheet, 1);
    kr_plan *plan = kr_check(c->model, diags) ? kr_plan_new(c->model, diags) : NULL;
    if (plan)
        c->run = kr_run_new(plan, c->data, &(kr_run_options){ .threads = 1 }, diags);
    if (c->run)
        return c;
    krules_calculator_free(c);
    return NULL;
}

bool krules_calc(krules *k, const char *formula, krules_value *out)
{
    if (k->calculator && k->calculator->used >= FORMULAS && !kr_diags_shown(k->diags)) { /* a message may still show a formula */
        krules_calculator_free(k->calculator);
        k->calculator = NULL;
    }
    if (!k->calculator)
        k->calculator = calculator_new(k->diags);
    krules_calculator *c = k->calculator;
    if (!c)
        return false;
    c->used++;
    kr_cell cell;
    kr_fragment *fragment = kr_fragment_plain(c->arena, "<formula>", formula, strlen(formula));
    kr_expr *expr = kr_check_formula(c->model, NULL, fragment, k->diags);
    if (!expr || !kr_run_eval(c->run, c->sheet, expr, &cell, k->diags))
        return false;
    kr_arena_reset(c->text);
    *out = (krules_value){ kr_cell_text(c->text, c->pool, expr->type, cell, NULL), kr_type_name(expr->type), kr_is_error(cell) };
    return true;
}
