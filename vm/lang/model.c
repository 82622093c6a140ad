/* model.c: building a model and finding things in it by name. */
#include "vm/lang/model.h"

#include <string.h>

kr_model *kr_model_new(kr_arena *arena, kr_pool *pool, kr_families families)
{
    kr_model *model = KR_NEW(arena, kr_model);
    model->arena = arena;
    model->pool = pool;
    model->families = families;
    return model;
}

kr_sheet *kr_model_sheet(const kr_model *model, const char *name)
{
    for (int i = 0; i < model->sheet_count; i++)
        if (strcmp(model->sheets[i]->name, name) == 0)
            return model->sheets[i];
    return NULL;
}

kr_sheet *kr_model_add_sheet(kr_model *model, const char *name)
{
    kr_sheet *sheet = KR_NEW(model->arena, kr_sheet);
    sheet->name = kr_arena_copy(model->arena, name, strlen(name));
    sheet->index = model->sheet_count;
    sheet->doc.text = "";
    KR_PUSH(model->arena, model->sheets, model->sheet_count, model->sheet_capacity) = sheet;
    return sheet;
}

kr_column_def *kr_sheet_column(const kr_sheet *sheet, const char *name)
{
    for (int i = 0; i < sheet->column_count; i++)
        if (strcmp(sheet->columns[i]->name, name) == 0)
            return sheet->columns[i];
    return NULL;
}

kr_column_def *kr_sheet_add_column(kr_model *model, kr_sheet *sheet, const char *name)
{
    kr_column_def *column = KR_NEW(model->arena, kr_column_def);
    column->name = kr_arena_copy(model->arena, name, strlen(name));
    column->sheet = sheet;
    column->index = sheet->column_count;
    column->doc.text = "";
    KR_PUSH(model->arena, sheet->columns, sheet->column_count, sheet->column_capacity) = column;
    return column;
}

kr_param *kr_model_param(const kr_model *model, const char *name)
{
    for (int i = 0; i < model->param_count; i++)
        if (strcmp(model->params[i].name, name) == 0)
            return &model->params[i];
    return NULL;
}

kr_define *kr_model_define(const kr_model *model, const char *name)
{
    for (int i = 0; i < model->define_count; i++)
        if (strcmp(model->defines[i].name, name) == 0)
            return &model->defines[i];
    return NULL;
}

kr_user_fn *kr_model_user_fn(const kr_model *model, const char *name)
{
    for (int i = 0; i < model->user_fn_count; i++)
        if (strcmp(model->user_fns[i].name, name) == 0)
            return &model->user_fns[i];
    return NULL;
}
