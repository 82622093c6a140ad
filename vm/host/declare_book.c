/* declare_book.c: the header, outputs, checks, examples, and what a version carries over from the one before. */
#include "vm/host/internal.h"

#include <string.h>

/* ---- rulebook { … } */

static int d_rulebook(lua_State *L)
{
    static const char *const fields[] = { "id", "version", "language", "title", "effective_from", "notice_days", "emergency", "days", "governed_by", "report", NULL };
    static const char *const emergency_fields[] = { "notice_days", NULL };
    static const char *const day_fields[] = { "from", "to", "lead", "open", NULL };
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_host *h = kr_host_of(L);
    kr_model *m = h->model;
    kr_arg t = kr_arg_at(L, site, 1);
    kr_span span = kr_site_span(L, site);
    if (h->has_header) {
        kr_diag *diag = kr_diag_add(h->diags, KR_E_DECLARE_TWICE, span, "the header is declared twice");
        kr_diag_window(h->diags, diag, m->header_span, "first here");
        kr_host_raise(L);
    }
    h->has_header = true;
    m->header_span = span;
    kr_arg_table(&t, "the argument of `rulebook`");
    kr_arg_fields(&t, fields, false, "`rulebook`");
    kr_arg id = kr_arg_field(&t, "id"), version = kr_arg_field(&t, "version"), language = kr_arg_field(&t, "language"), title = kr_arg_field(&t, "title"),
           from = kr_arg_field(&t, "effective_from"), notice = kr_arg_field(&t, "notice_days"), days = kr_arg_field(&t, "days"),
           governed = kr_arg_field(&t, "governed_by"), emergency = kr_arg_field(&t, "emergency"), report = kr_arg_field(&t, "report");
    m->id = kr_arg_text(&id, "`id` of a rulebook");
    for (const char *c = m->id; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == '-' || (*c == '/' && c > m->id && c[1] && c[1] != '/')))
            kr_host_fail(L, KR_E_HEADER, id.span, "`%s` is not the id of a rulebook: words of a-z, 0-9, `_`, `-`, parted by `/`", m->id);
    if (!*m->id)
        kr_host_fail(L, KR_E_HEADER, id.span, "the id of a rulebook is empty");
    if (!kr_arg_given(&version) || !kr_arg_given(&language))
        kr_host_fail_help(L, KR_E_HEADER, t.span, "write rulebook { id = \"book/name\", version = 1, language = 1, title = \"…\" }",
                          "the header says no `%s`", kr_arg_given(&version) ? "language" : "version");
    m->version = (int)kr_arg_whole(&version, 1, 1000000, "`version` of a rulebook");
    m->language = (int)kr_arg_whole(&language, 1, 1000000, "`language` of a rulebook");
    if (m->language != 1)
        kr_host_fail_help(L, KR_E_HEADER, language.span, "this program knows language 1", "language %d is not known", m->language);
    m->title = kr_arg_given(&title) ? kr_arg_text(&title, "`title` of a rulebook") : m->id;
    if (kr_arg_given(&from)) {
        m->has_effective_from = true;
        m->effective_from = kr_arg_day(&from, "`effective_from` of a rulebook");
    }
    if (kr_arg_given(&notice))
        m->notice_days = (int)kr_arg_whole(&notice, 0, 36500, "`notice_days` of a rulebook");
    if (kr_arg_given(&emergency)) {
        kr_arg_table(&emergency, "`emergency` of a rulebook");
        kr_arg_fields(&emergency, emergency_fields, false, "`emergency`");
        kr_arg shorter = kr_arg_field(&emergency, "notice_days");
        if (!kr_arg_given(&shorter))
            kr_host_fail_help(L, KR_E_HEADER, emergency.span, "write emergency = { notice_days = 1 }", "the emergency form says no `notice_days`");
        m->has_emergency = true;
        m->emergency_days = (int)kr_arg_whole(&shorter, 0, 36500, "`notice_days` of an emergency");
        if (m->emergency_days >= m->notice_days)
            kr_host_fail(L, KR_E_HEADER, shorter.span, "the notice of an emergency (%d) must be shorter than `notice_days` (%d)", m->emergency_days, m->notice_days);
    }
    if (kr_arg_given(&days)) {
        kr_arg_table(&days, "`days` of a rulebook");
        kr_arg_fields(&days, day_fields, false, "`days`");
        kr_arg first = kr_arg_field(&days, "from"), to = kr_arg_field(&days, "to"), lead = kr_arg_field(&days, "lead"), open = kr_arg_field(&days, "open");
        m->has_days = true;
        m->days_from = kr_arg_formula(&first, "`from` of the rulebook's days");
        if (kr_arg_given(&to))
            m->days_to = kr_arg_formula(&to, "`to` of the rulebook's days");
        if (kr_arg_given(&lead))
            m->days_lead = (int)kr_arg_whole(&lead, 0, 36500, "`lead` of the rulebook's days");
        m->days_open = kr_arg_given(&open) && kr_arg_boolean(&open, "`open` of the rulebook's days");
    }
    if (kr_arg_given(&report)) {
        m->report = kr_arg_text(&report, "`report` of a rulebook");
        m->report_span = report.span;
    }
    if (kr_arg_given(&governed))
        m->governed_by = kr_arg_formula(&governed, "`governed_by` of a rulebook");
    if (m->has_days && kr_arg_given(&governed))
        kr_host_fail(L, KR_E_HEADER, governed.span, "a rulebook with days is governed by its days: `governed_by` is for books without");
    return 0;
}

/* ---- outputs */

static void add_output(const kr_arg *sheet_arg, kr_sheet *sheet, const char **names, int count)
{
    kr_host *h = sheet_arg->h;
    kr_model *m = h->model;
    size_t room = m->output_capacity;
    int n = m->output_count;
    for (int i = 0; i < n; i++)
        if (m->outputs[i] == sheet)
            kr_host_fail(sheet_arg->L, KR_E_DECLARE_TWICE, sheet_arg->span, "sheet `%s` is an output already", sheet->name);
    KR_PUSH(h->arena, m->outputs, m->output_count, m->output_capacity) = sheet;
    KR_PUSH(h->arena, m->output_columns, n, room) = (struct kr_output_columns){ names, count, sheet_arg->span };
}

/* output { account, day } publishes whole sheets; output { account = { "pay" } } and output(account, { "pay" }) these columns,
 * in this order (the keys always lead). */
static int d_output(lua_State *L)
{
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_arg first = kr_arg_at(L, site, 1), columns = kr_arg_at(L, site, 2);
    if (!kr_arg_given(&first) || lua_type(L, first.index) != LUA_TTABLE) {
        kr_sheet *sheet = kr_arg_sheet(&first, "an output");
        int count = 0;
        const char **names = kr_arg_given(&columns) ? kr_arg_names(&columns, &count, "the columns of an output") : NULL;
        add_output(&first, sheet, names, count);
        return 0;
    }
    for (lua_Integer i = 1; i <= kr_arg_count(&first); i++) {
        kr_arg item = kr_arg_item(&first, i);
        add_output(&item, kr_arg_sheet(&item, "an output"), NULL, 0);
        lua_settop(L, first.index);
    }
    int count = 0;
    const char **keys = kr_arg_keys(&first, &count);
    for (int i = 0; i < count; i++) {
        int n = 0;
        lua_pushstring(L, keys[i]);
        kr_arg name = { .L = L, .h = first.h, .index = lua_gettop(L), .span = first.span };
        kr_arg list = kr_arg_field(&first, keys[i]);
        name.span = list.span;
        kr_sheet *sheet = kr_arg_sheet(&name, "an output");
        const char **names = kr_arg_names(&list, &n, "the columns of an output");
        add_output(&list, sheet, names, n);
        lua_settop(L, first.index);
    }
    return 0;
}

/* ---- require, check, warn (sheet, title, formula): bad data, a finding, only named */

static int add_assert(lua_State *L, const char *word)
{
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_host *h = kr_host_of(L);
    bool require = !strcmp(word, "require");
    kr_arg sheet = kr_arg_at(L, site, 1), title = kr_arg_at(L, site, 2), formula = kr_arg_at(L, site, 3);
    if (require && kr_arg_is_text(&sheet) && !kr_arg_given(&title))
        kr_host_fail_help(L, KR_E_LUA_FORBIDDEN, sheet.span, "`require(sheet, title, formula)` states what the data must satisfy",
                          "a rule file loads no other file");
    if (kr_arg_is_text(&sheet) && !kr_arg_given(&formula))
        kr_host_fail_help(L, KR_E_DECLARE_VALUE, kr_site_span(L, site), kr_arena_printf(h->arena, "write %s(sheet, \"title\", \"formula\")", word),
                          "`%s` does not say whose rows it looks at", word);
    kr_assert a = { .require = require, .warning = !strcmp(word, "warn"), .span = kr_site_span(L, site) };
    a.sheet = kr_arg_sheet(&sheet, kr_arena_printf(h->arena, "the first argument of `%s`", word));
    a.title = kr_arg_text(&title, kr_arena_printf(h->arena, "the second argument of `%s`, its title,", word));
    a.formula = kr_arg_formula(&formula, kr_arena_printf(h->arena, "the third argument of `%s`, its formula,", word));
    KR_PUSH(h->arena, h->model->asserts, h->model->assert_count, h->model->assert_capacity) = a;
    return 0;
}

static int d_check(lua_State *L) { return add_assert(L, "check"); }
static int d_require(lua_State *L) { return add_assert(L, "require"); }
static int d_warn(lua_State *L) { return add_assert(L, "warn"); }

/* ---- example("title", { from = day, to = day, TABLE = rows …, expect = { SHEET = rows … } })
 * rows: a list whose first item names the columns, { { "a", "b" }, { 1, "x" }, … }, or a list of { a = 1, b = "x" }. */

static const char *cell_text(const kr_arg *a)
{
    lua_State *L = a->L;
    kr_arena *arena = a->h->arena;
    kr_value *decimal = kr_value_at(L, a->index, KR_V_DECIMAL);
    if (decimal)
        return decimal->as.decimal.written;
    if (lua_isinteger(L, a->index))
        return kr_arena_printf(arena, "%lld", (long long)lua_tointeger(L, a->index));
    if (lua_isboolean(L, a->index))
        return lua_toboolean(L, a->index) ? "true" : "false";
    const char *text = kr_arg_text(a, "a cell of an example");
    return *text ? text : NULL;
}

static int column_index(const char **columns, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(columns[i], name))
            return i;
    return -1;
}

static void example_table(const kr_arg *list, const char *sheet, bool expect, kr_example *example, size_t *room)
{
    lua_State *L = list->L;
    kr_arena *arena = list->h->arena;
    struct kr_example_table table = { .sheet = sheet, .expect = expect, .span = list->span };
    kr_arg_table(list, kr_arena_printf(arena, "table `%s` of an example", sheet));
    lua_Integer n = kr_arg_count(list);
    int top = lua_gettop(L);
    size_t column_room = 0, count = 0;
    bool header = false;
    for (lua_Integer r = 1; r <= n; r++) { /* the columns */
        kr_arg row = kr_arg_item(list, r);
        kr_arg_table(&row, "a row of an example");
        int keys = 0;
        const char **names = kr_arg_keys(&row, &keys);
        if (r == 1 && kr_arg_count(&row) > 0) {
            header = true;
            table.columns = kr_arg_names(&row, &table.column_count, "the first row, with the names of the columns,");
            lua_settop(L, top);
            break;
        }
        for (int k = 0; k < keys; k++)
            if (column_index(table.columns, table.column_count, names[k]) < 0) {
                count = (size_t)table.column_count;
                KR_PUSH(arena, table.columns, count, column_room) = names[k];
                table.column_count = (int)count;
            }
        lua_settop(L, top);
    }
    table.row_count = (int)n - header;
    table.cells = KR_NEW_ARRAY(arena, const char *, (size_t)(table.row_count * table.column_count) + 1);
    for (lua_Integer r = header ? 2 : 1; r <= n; r++) {
        kr_arg row = kr_arg_item(list, r);
        kr_arg_table(&row, "a row of an example");
        if (header && (kr_arg_count(&row) != table.column_count))
            kr_host_fail_help(L, KR_E_DECLARE_VALUE, row.span, "a blank cell is written \"\"", "this row has %d cells, its table %d columns",
                              (int)kr_arg_count(&row), table.column_count);
        if (!header && kr_arg_count(&row) > 0)
            kr_host_fail(L, KR_E_DECLARE_VALUE, row.span, "the rows of a table all name their cells, or none does");
        for (int c = 0; c < table.column_count; c++) {
            kr_arg cell = header ? kr_arg_item(&row, c + 1) : kr_arg_field(&row, table.columns[c]);
            if (kr_arg_given(&cell)) {
                table.cells[(r - 1 - header) * table.column_count + c] = cell_text(&cell);
                lua_pop(L, 1);
            }
        }
        lua_settop(L, top);
    }
    size_t tables = (size_t)example->table_count;
    KR_PUSH(arena, example->tables, tables, *room) = table;
    example->table_count = (int)tables;
}

static int d_example(lua_State *L)
{
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_host *h = kr_host_of(L);
    kr_arg title = kr_arg_at(L, site, 1), t = kr_arg_at(L, site, 2);
    kr_example example = { .span = kr_site_span(L, site) };
    size_t room = 0;
    int count = 0;
    example.title = kr_arg_text(&title, "the first argument of `example`, its title,");
    kr_arg_table(&t, "the second argument of `example`");
    const char **keys = kr_arg_keys(&t, &count);
    for (int i = 0; i < count; i++) {
        kr_arg a = kr_arg_field(&t, keys[i]);
        if (!strcmp(keys[i], "from")) {
            example.has_from = true;
            example.from = kr_arg_day(&a, "`from` of an example");
        } else if (!strcmp(keys[i], "to")) {
            example.has_to = true;
            example.to = kr_arg_day(&a, "`to` of an example");
        } else if (!strcmp(keys[i], "expect")) {
            int sheets = 0;
            kr_arg_table(&a, "`expect` of an example");
            const char **names = kr_arg_keys(&a, &sheets);
            for (int k = 0; k < sheets; k++) {
                kr_arg list = kr_arg_field(&a, names[k]);
                example_table(&list, names[k], true, &example, &room);
                lua_pop(L, 1);
            }
        } else {
            example_table(&a, keys[i], false, &example, &room);
        }
        lua_settop(L, t.index);
    }
    KR_PUSH(h->arena, h->model->examples, h->model->example_count, h->model->example_capacity) = example;
    return 0;
}

/* ---- carry { SHEET = { new = "old" } }: state of the version before under a new name; carry { new = "old" } where just one sheet
 * has a column `new`. */

static void add_carry(kr_host *h, const char *sheet, const char *new_name, const char *old_name, kr_span span)
{
    kr_carry c = { .sheet = sheet, .new_name = new_name, .old_name = old_name, .span = span };
    KR_PUSH(h->arena, h->model->carries, h->model->carry_count, h->model->carry_capacity) = c;
}

static int d_carry(lua_State *L)
{
    const kr_lua_site *site = kr_site_of(L, 1);
    kr_host *h = kr_host_of(L);
    kr_arg t = kr_arg_at(L, site, 1);
    int count = 0;
    kr_arg_table(&t, "the argument of `carry`");
    const char **keys = kr_arg_keys(&t, &count);
    if (count == 0 || kr_arg_count(&t) > 0)
        kr_host_fail(L, KR_E_DECLARE_VALUE, t.span, "`carry` is written carry { sheet = { new = \"old\" } }");
    for (int i = 0; i < count; i++) {
        kr_arg a = kr_arg_field(&t, keys[i]);
        if (kr_arg_is_text(&a)) {
            struct kr_late_carry late = { keys[i], kr_arg_text(&a, "the old name"), a.span };
            KR_PUSH(h->arena, h->late, h->late_count, h->late_capacity) = late;
        } else {
            int names = 0;
            kr_arg_table(&a, "what `carry` says of a sheet");
            const char **new_names = kr_arg_keys(&a, &names);
            for (int k = 0; k < names; k++) {
                kr_arg old = kr_arg_field(&a, new_names[k]);
                add_carry(h, keys[i], new_names[k], kr_arg_text(&old, "the old name"), old.span);
                lua_pop(L, 1);
            }
        }
        lua_settop(L, t.index);
    }
    return 0;
}

void kr_declare_book_open(lua_State *L)
{
    static const luaL_Reg list[] = {
        { "rulebook", d_rulebook }, { "output", d_output }, { "check", d_check }, { "require", d_require }, { "warn", d_warn }, { "example", d_example },
        { "carry", d_carry }, { NULL, NULL },
    };
    for (const luaL_Reg *f = list; f->name; f++) {
        lua_pushcfunction(L, f->func);
        lua_setfield(L, -2, f->name);
    }
}
