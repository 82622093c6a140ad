/* helpers.c: the helpers a rule file may use to make text and lists, and the checked operators of the rewritten text.
 * Their order never depends on hashing or on the machine's language; what makes text charges its bytes. */
#include "vm/host/internal.h"

#include <string.h>

static int whole_of(lua_State *L, int index, const char *function)
{
    if (!lua_isinteger(L, index))
        luaL_error(L, "%s: argument %d is a whole number, not %s", function, index, kr_value_name(L, index));
    lua_Integer v = lua_tointeger(L, index);
    return v > INT32_MAX ? INT32_MAX : v < -INT32_MAX ? -INT32_MAX : (int)v;
}

/* The text at `index`: a text, whole number, reference or decimal (which is replaced by its text). */
static const char *text_of(lua_State *L, int index, size_t *len, const char *function)
{
    kr_value *v = kr_value_any(L, index);
    if (v && v->kind == KR_V_REF)
        lua_pushlstring(L, v->as.ref.text, v->as.ref.len);
    else if (v && v->kind == KR_V_DECIMAL)
        lua_pushstring(L, v->as.decimal.written);
    else if (lua_isinteger(L, index))
        lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, index));
    else if (lua_type(L, index) == LUA_TSTRING)
        lua_pushvalue(L, index);
    else
        luaL_error(L, "%s: argument %d is a text, not %s", function, index, kr_value_name(L, index));
    lua_replace(L, index);
    const char *text = lua_tolstring(L, index, len);
    kr_host_charge(L, *len / 8 + 1);
    return text;
}

static void table_of(lua_State *L, int index, const char *function)
{
    if (lua_type(L, index) != LUA_TTABLE)
        luaL_error(L, "%s: argument %d is a list, not %s", function, index, kr_value_name(L, index));
}

/* <0, 0, >0 of two texts by bytes or two whole numbers; anything else raises. */
static int order_of(lua_State *L, int a, int b)
{
    if (lua_isinteger(L, a) && lua_isinteger(L, b)) {
        lua_Integer x = lua_tointeger(L, a), y = lua_tointeger(L, b);
        return (x > y) - (x < y);
    }
    if (lua_type(L, a) == LUA_TSTRING && lua_type(L, b) == LUA_TSTRING) {
        size_t m = 0, n = 0;
        const char *x = lua_tolstring(L, a, &m), *y = lua_tolstring(L, b, &n);
        int c = memcmp(x, y, m < n ? m : n);
        return c ? c : (m > n) - (m < n);
    }
    return luaL_error(L, "%s and %s have no order: here only two whole numbers or two texts do; compare the rest in a formula", kr_value_name(L, a), kr_value_name(L, b));
}

/* ---- lists */

static int ipairs_next(lua_State *L)
{
    lua_Integer i = lua_tointeger(L, 2) + 1;
    lua_pushinteger(L, i);
    lua_geti(L, 1, i);
    return lua_isnil(L, -1) ? 1 : 2;
}

static int h_ipairs(lua_State *L)
{
    table_of(L, 1, "ipairs");
    lua_pushcfunction(L, ipairs_next);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

/* Sort the list at `list` (absolute), stable; `less`: index of a function, or 0 for the natural order. */
static void sort_list(lua_State *L, int list, int less)
{
    lua_Integer n = (lua_Integer)lua_rawlen(L, list);
    luaL_checkstack(L, 10, "sort");
    lua_createtable(L, n > INT32_MAX ? 0 : (int)n, 0);
    int other = lua_gettop(L), from = list, to = other;
    for (lua_Integer width = 1; width < n; width *= 2) {
        for (lua_Integer start = 1; start <= n; start += 2 * width) {
            lua_Integer i = start, j = start + width, middle = j < n + 1 ? j : n + 1;
            lua_Integer end = start + 2 * width < n + 1 ? start + 2 * width : n + 1;
            for (lua_Integer k = start; k < end; k++) {
                bool right = i >= middle;
                if (!right && j < end) {
                    kr_host_charge(L, 4);
                    lua_rawgeti(L, from, j);
                    lua_rawgeti(L, from, i);
                    if (less) {
                        lua_pushvalue(L, less);
                        lua_insert(L, -3);
                        lua_call(L, 2, 1);
                        if (!lua_isboolean(L, -1))
                            luaL_error(L, "sort: the function gives true or false, not %s", kr_value_name(L, -1));
                        right = lua_toboolean(L, -1);
                        lua_pop(L, 1);
                    } else {
                        right = order_of(L, lua_gettop(L) - 1, lua_gettop(L)) < 0;
                        lua_pop(L, 2);
                    }
                }
                lua_rawgeti(L, from, right ? j++ : i++);
                lua_rawseti(L, to, k);
            }
        }
        int swap = from;
        from = to;
        to = swap;
    }
    if (from != list)
        for (lua_Integer i = 1; i <= n; i++) {
            lua_rawgeti(L, from, i);
            lua_rawseti(L, list, i);
        }
    lua_pop(L, 1);
}

static int h_sort(lua_State *L)
{
    table_of(L, 1, "sort");
    if (!lua_isnoneornil(L, 2) && lua_type(L, 2) != LUA_TFUNCTION)
        return luaL_error(L, "sort: argument 2 is a function, not %s", kr_value_name(L, 2));
    lua_settop(L, 2);
    sort_list(L, 1, lua_isnil(L, 2) ? 0 : 2);
    return 0;
}

static int pairs_next(lua_State *L)
{
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(2)) + 1;
    for (;; i++) {
        lua_rawgeti(L, lua_upvalueindex(1), i);
        if (lua_isnil(L, -1))
            return 1;
        lua_pushvalue(L, -1);
        lua_rawget(L, 1);
        if (!lua_isnil(L, -1)) /* not taken out meanwhile */
            break;
        lua_pop(L, 2);
    }
    lua_pushinteger(L, i);
    lua_replace(L, lua_upvalueindex(2));
    return 2;
}

/* In the order of the keys: whole numbers first, then text by bytes. */
static int h_pairs(lua_State *L)
{
    table_of(L, 1, "pairs");
    lua_settop(L, 1);
    lua_newtable(L); /* 2: numbers */
    lua_newtable(L); /* 3: texts */
    lua_Integer numbers = 0, texts = 0;
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        kr_host_charge(L, 2);
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        if (lua_isinteger(L, -1))
            lua_rawseti(L, 2, ++numbers);
        else if (lua_type(L, -1) == LUA_TSTRING)
            lua_rawseti(L, 3, ++texts);
        else
            return luaL_error(L, "pairs: keys are whole numbers or texts, not %s", kr_value_name(L, -1));
    }
    sort_list(L, 2, 0);
    sort_list(L, 3, 0);
    for (lua_Integer i = 1; i <= texts; i++) {
        lua_rawgeti(L, 3, i);
        lua_rawseti(L, 2, numbers + i);
    }
    lua_pushvalue(L, 2);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, pairs_next, 2);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

static int h_insert(lua_State *L)
{
    table_of(L, 1, "insert");
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1), at = n + 1;
    if (lua_gettop(L) == 3) {
        at = whole_of(L, 2, "insert");
        if (at < 1 || at > n + 1)
            return luaL_error(L, "insert: there is no place %d in a list of %d", (int)at, (int)n);
        for (lua_Integer i = n; i >= at; i--) {
            kr_host_charge(L, 1);
            lua_rawgeti(L, 1, i);
            lua_rawseti(L, 1, i + 1);
        }
    } else if (lua_gettop(L) != 2) {
        return luaL_error(L, "insert takes a list, perhaps a place, and a value");
    }
    lua_rawseti(L, 1, at);
    return 0;
}

static int h_remove(lua_State *L)
{
    table_of(L, 1, "remove");
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1), at = lua_isnoneornil(L, 2) ? n : whole_of(L, 2, "remove");
    if (n == 0)
        return 0;
    if (at < 1 || at > n)
        return luaL_error(L, "remove: there is no place %d in a list of %d", (int)at, (int)n);
    lua_rawgeti(L, 1, at);
    for (lua_Integer i = at; i < n; i++) {
        kr_host_charge(L, 1);
        lua_rawgeti(L, 1, i + 1);
        lua_rawseti(L, 1, i);
    }
    lua_pushnil(L);
    lua_rawseti(L, 1, n);
    return 1;
}

static int h_unpack(lua_State *L)
{
    table_of(L, 1, "unpack");
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
    if (n > 200)
        return luaL_error(L, "unpack: a list of %d is too long", (int)n);
    luaL_checkstack(L, (int)n, "unpack");
    for (lua_Integer i = 1; i <= n; i++)
        lua_rawgeti(L, 1, i);
    return (int)n;
}

static int h_select(lua_State *L)
{
    int n = lua_gettop(L);
    if (lua_type(L, 1) == LUA_TSTRING && !strcmp(lua_tostring(L, 1), "#")) {
        lua_pushinteger(L, n - 1);
        return 1;
    }
    int at = whole_of(L, 1, "select");
    if (at < 1)
        return luaL_error(L, "select counts from 1");
    return at >= n ? 0 : n - at;
}

/* ---- text */

static int h_concat(lua_State *L)
{
    size_t gap = 0, n = 0;
    table_of(L, 1, "concat");
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_pushliteral(L, "");
        lua_replace(L, 2);
    }
    const char *between = text_of(L, 2, &gap, "concat");
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (lua_Integer i = 1; lua_rawgeti(L, 1, i) != LUA_TNIL; i++) {
        kr_value *v = kr_value_any(L, -1);
        if (v && (v->kind == KR_V_REF || v->kind == KR_V_DECIMAL))
            lua_pushstring(L, v->kind == KR_V_REF ? v->as.ref.text : v->as.decimal.written);
        else if (lua_isinteger(L, -1) || lua_type(L, -1) == LUA_TSTRING)
            lua_pushvalue(L, -1);
        else
            return luaL_error(L, "concat: item %d is a text, not %s", (int)i, kr_value_name(L, -1));
        lua_remove(L, -2);
        lua_tolstring(L, -1, &n);
        kr_host_charge(L, (n + gap) / 8 + 1);
        if (i > 1) {
            /* the buffer's box lies below the value: add the text between through a second value */
            lua_pushlstring(L, between, gap);
            lua_insert(L, -2);
            lua_concat(L, 2);
        }
        luaL_addvalue(&b);
    }
    lua_pop(L, 1);
    luaL_pushresult(&b);
    return 1;
}

static int h_sub(lua_State *L)
{
    size_t len = 0;
    lua_settop(L, 3);
    const char *text = text_of(L, 1, &len, "sub");
    lua_Integer n = len > INT32_MAX ? INT32_MAX : (lua_Integer)len;
    lua_Integer from = whole_of(L, 2, "sub"), to = lua_isnil(L, 3) ? -1 : whole_of(L, 3, "sub");
    from = from < 0 ? n + from + 1 : from;
    to = to < 0 ? n + to + 1 : to;
    from = from < 1 ? 1 : from;
    to = to > n ? n : to;
    if (from > to)
        lua_pushliteral(L, "");
    else
        lua_pushlstring(L, text + from - 1, (size_t)(to - from + 1));
    return 1;
}

static int change_case(lua_State *L, char low, char high, int by, const char *function)
{
    size_t len = 0;
    const char *text = text_of(L, 1, &len, function);
    luaL_Buffer b;
    char *out = luaL_buffinitsize(L, &b, len);
    for (size_t i = 0; i < len; i++) /* ASCII letters only: the same on every machine */
        out[i] = (char)(text[i] >= low && text[i] <= high ? text[i] + by : text[i]);
    luaL_pushresultsize(&b, len);
    return 1;
}

static int h_upper(lua_State *L) { return change_case(L, 'a', 'z', -32, "upper"); }
static int h_lower(lua_State *L) { return change_case(L, 'A', 'Z', 32, "lower"); }

static int h_rep(lua_State *L)
{
    size_t len = 0;
    const char *text = text_of(L, 1, &len, "rep");
    int times = whole_of(L, 2, "rep");
    if (times <= 0 || len == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if ((uint64_t)len * (uint64_t)times > KR_HOST_MEMORY / 4)
        return luaL_error(L, "rep: a text of %d times %d bytes is too long", times, (int)len);
    kr_host_charge(L, (uint64_t)len * (uint64_t)times / 8);
    luaL_Buffer b;
    char *out = luaL_buffinitsize(L, &b, len * (size_t)times);
    for (int i = 0; i < times; i++)
        memcpy(out + (size_t)i * len, text, len);
    luaL_pushresultsize(&b, len * (size_t)times);
    return 1;
}

static int h_len(lua_State *L)
{
    size_t len = 0;
    if (lua_type(L, 1) == LUA_TTABLE) {
        lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
        return 1;
    }
    text_of(L, 1, &len, "len");
    lua_pushinteger(L, (lua_Integer)len);
    return 1;
}

/* replace(text, what, with): every occurrence, as plain text. */
static int h_replace(lua_State *L)
{
    size_t len = 0, n = 0, m = 0;
    lua_settop(L, 3);
    const char *text = text_of(L, 1, &len, "replace"), *what = text_of(L, 2, &n, "replace"), *with = text_of(L, 3, &m, "replace");
    if (n == 0)
        return luaL_error(L, "replace: an empty text occurs everywhere");
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (size_t i = 0; i < len;) {
        if (len - i >= n && !memcmp(text + i, what, n)) {
            kr_host_charge(L, m / 8 + 1);
            luaL_addlstring(&b, with, m);
            i += n;
        } else {
            luaL_addchar(&b, text[i]);
            i++;
        }
    }
    luaL_pushresult(&b);
    return 1;
}

static int h_tostring(lua_State *L)
{
    size_t len = 0;
    lua_settop(L, 1);
    if (lua_isnil(L, 1))
        lua_pushliteral(L, "nil");
    else if (lua_isboolean(L, 1))
        lua_pushstring(L, lua_toboolean(L, 1) ? "true" : "false");
    else
        text_of(L, 1, &len, "tostring"); /* never an object's address */
    return 1;
}

static int h_type(lua_State *L)
{
    static const char *const kinds[] = {
        [KR_V_SHEET] = "sheet", [KR_V_ROWS] = "rows", [KR_V_TYPE] = "type", [KR_V_REF] = "reference", [KR_V_DECIMAL] = "number",
        [KR_V_STATE] = "state", [KR_V_TABLE] = "declarations",
    };
    kr_value *v = kr_value_any(L, 1);
    lua_pushstring(L, v ? kinds[v->kind] : lua_isnone(L, 1) ? "nil" : lua_typename(L, lua_type(L, 1)));
    return 1;
}

static int h_error(lua_State *L)
{
    lua_settop(L, 1);
    if (lua_type(L, 1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, 1);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

static int h_assert(lua_State *L)
{
    if (!lua_isboolean(L, 1))
        return luaL_error(L, "assert: argument 1 is true or false, not %s", kr_value_name(L, 1));
    if (!lua_toboolean(L, 1))
        return luaL_error(L, "%s", lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "assertion failed");
    return 0;
}

/* ---- operators of the rewritten text */

static int arithmetic(lua_State *L, char op)
{
    for (int i = 1; i <= 2; i++)
        if (!lua_isinteger(L, i))
            return luaL_error(L, "Lua computes here with whole numbers only, not with %s: compute in a formula", kr_value_name(L, i));
    long long a = lua_tointeger(L, 1), b = lua_tointeger(L, 2), r = 0;
    bool over = op == '+' ? __builtin_add_overflow(a, b, &r) : op == '-' ? __builtin_sub_overflow(a, b, &r) : __builtin_mul_overflow(a, b, &r);
    if (over)
        return luaL_error(L, "%I %c %I is too large for a whole number of Lua", (LUAI_UACINT)a, op, (LUAI_UACINT)b);
    lua_pushinteger(L, r);
    return 1;
}
static int c_add(lua_State *L) { return arithmetic(L, '+'); }
static int c_sub(lua_State *L) { return arithmetic(L, '-'); }
static int c_mul(lua_State *L) { return arithmetic(L, '*'); }

static int compare(lua_State *L, int low, int high)
{
    int c = order_of(L, 1, 2);
    c = (c > 0) - (c < 0);
    lua_pushboolean(L, c >= low && c <= high);
    return 1;
}
static int c_lt(lua_State *L) { return compare(L, -1, -1); }
static int c_le(lua_State *L) { return compare(L, -1, 0); }
static int c_gt(lua_State *L) { return compare(L, 1, 1); }
static int c_ge(lua_State *L) { return compare(L, 0, 1); }

static bool equal(lua_State *L)
{
    for (int i = 1; i <= 2; i++)
        if (kr_value_any(L, i) && !lua_isnil(L, 3 - i))
            luaL_error(L, "%s has no value while the file is read: compare in a formula", kr_value_name(L, i));
    return lua_rawequal(L, 1, 2);
}
static int c_eq(lua_State *L)
{
    lua_pushboolean(L, equal(L));
    return 1;
}
static int c_ne(lua_State *L)
{
    lua_pushboolean(L, !equal(L));
    return 1;
}

/* A condition: what has its value only in a formula is neither true nor false here. */
static int c_cond(lua_State *L)
{
    kr_value *v = kr_value_any(L, 1);
    lua_settop(L, 1);
    if (v && (v->kind == KR_V_REF || v->kind == KR_V_DECIMAL))
        return luaL_error(L, "%s is no condition: it has its value in formulas, with IF", kr_value_name(L, 1));
    return 1;
}

static int c_num(lua_State *L)
{
    kr_host *h = kr_host_of(L);
    size_t len = 0;
    const char *text = lua_tolstring(L, 1, &len);
    kr_host_charge(L, 10);
    kr_value *v = kr_value_push(L, KR_V_DECIMAL);
    v->as.decimal.written = kr_arena_copy(h->arena, text, len);
    kr_num_read(text, len, &v->as.decimal.value, NULL); /* checked while rewriting */
    return 1;
}

static int c_at(lua_State *L)
{
    kr_host_of(L)->site = (long)lua_tointeger(L, 1);
    lua_settop(L, 2);
    return 1;
}

static void open_list(lua_State *L, const luaL_Reg *list)
{
    for (; list->name; list++) {
        lua_pushcfunction(L, list->func);
        lua_setfield(L, -2, list->name);
    }
}

void kr_helpers_open(lua_State *L)
{
    static const luaL_Reg list[] = {
        { "pairs", h_pairs }, { "ipairs", h_ipairs }, { "insert", h_insert }, { "remove", h_remove }, { "sort", h_sort },
        { "concat", h_concat }, { "unpack", h_unpack }, { "select", h_select }, { "sub", h_sub }, { "upper", h_upper },
        { "lower", h_lower }, { "rep", h_rep }, { "len", h_len }, { "replace", h_replace }, { "tostring", h_tostring },
        { "type", h_type }, { "error", h_error }, { "assert", h_assert }, { NULL, NULL },
    };
    open_list(L, list);
}

void kr_checked_open(lua_State *L)
{
    static const luaL_Reg list[] = {
        { KR_PREFIX "add", c_add }, { KR_PREFIX "sub", c_sub }, { KR_PREFIX "mul", c_mul }, { KR_PREFIX "lt", c_lt }, { KR_PREFIX "le", c_le },
        { KR_PREFIX "gt", c_gt }, { KR_PREFIX "ge", c_ge }, { KR_PREFIX "eq", c_eq }, { KR_PREFIX "ne", c_ne },
        { KR_PREFIX "cond", c_cond }, { KR_PREFIX "num", c_num }, { KR_PREFIX "at", c_at }, { NULL, NULL },
    };
    open_list(L, list);
}
