/* value.c: what Lua holds for us: sheets, row sets, types, references to columns, exact decimals. One metatable, which no rule
 * file can reach. */
#include "vm/host/internal.h"

#include <string.h>

static const char metatable; /* its address is the registry's key */

kr_value *kr_value_push(lua_State *L, kr_value_kind kind)
{
    kr_value *v = lua_newuserdatauv(L, sizeof *v, 0);
    memset(v, 0, sizeof *v);
    v->kind = kind;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable);
    lua_setmetatable(L, -2);
    return v;
}

kr_value *kr_value_any(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TUSERDATA ? lua_touserdata(L, index) : NULL; /* there is no other userdata */
}

kr_value *kr_value_at(lua_State *L, int index, kr_value_kind kind)
{
    kr_value *v = kr_value_any(L, index);
    return v && v->kind == kind ? v : NULL;
}

const char *kr_value_name(lua_State *L, int index)
{
    static const char *const kinds[] = {
        [KR_V_SHEET] = "a sheet", [KR_V_ROWS] = "a set of rows", [KR_V_TYPE] = "a type", [KR_V_REF] = "a reference",
        [KR_V_DECIMAL] = "a number", [KR_V_STATE] = "the type of a state", [KR_V_TABLE] = "a table of declarations",
    };
    kr_value *v = kr_value_any(L, index);
    if (v)
        return kinds[v->kind];
    switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
        return "nothing (nil)";
    case LUA_TBOOLEAN:
        return "a boolean";
    case LUA_TNUMBER:
        return "a number";
    case LUA_TSTRING:
        return "a text";
    case LUA_TTABLE:
        return "a table";
    case LUA_TFUNCTION:
        return "a function";
    default:
        return "a value of another kind";
    }
}

/* Text of a reference or decimal, of Lua's text and whole numbers. */
static bool push_text(lua_State *L, int index)
{
    kr_value *v = kr_value_any(L, index);
    if (v && v->kind == KR_V_REF)
        lua_pushlstring(L, v->as.ref.text, v->as.ref.len);
    else if (v && v->kind == KR_V_DECIMAL)
        lua_pushstring(L, v->as.decimal.written);
    else if (lua_type(L, index) == LUA_TSTRING || lua_isinteger(L, index)) {
        lua_pushvalue(L, index);
        lua_tostring(L, -1);
    } else
        return false;
    return true;
}

static int concat_values(lua_State *L)
{
    for (int i = 1; i <= 2; i++)
        if (!push_text(L, i))
            return luaL_error(L, "`..` joins text, not %s", kr_value_name(L, i));
    size_t len = 0;
    lua_tolstring(L, -1, &len);
    kr_host_charge(L, len);
    lua_concat(L, 2);
    return 1;
}

static int no_arithmetic(lua_State *L)
{
    return luaL_error(L, "Lua does not compute with %s: compute in a formula", kr_value_name(L, kr_value_any(L, 1) ? 1 : 2));
}

void kr_value_open(lua_State *L)
{
    static const char *const refused[] = { "__mod", "__idiv", "__unm", "__len", "__lt", "__le", "__eq", "__band", "__bor", "__bxor", "__bnot", "__shl", "__shr", "__div", "__pow", "__add", "__sub", "__mul" };
    lua_newtable(L);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        lua_pushcfunction(L, no_arithmetic);
        lua_setfield(L, -2, refused[i]);
    }
    lua_pushcfunction(L, concat_values);
    lua_setfield(L, -2, "__concat");
    lua_pushcfunction(L, kr_table_index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, kr_table_newindex);
    lua_setfield(L, -2, "__newindex");
    lua_pushcfunction(L, kr_type_call);
    lua_setfield(L, -2, "__call");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &metatable);
}
