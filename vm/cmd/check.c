/* check.c: read rules and say what is wrong with them. */
#include "vm/cmd/cli.h"

static const char *s(size_t n) { return n == 1 ? "" : "s"; }

static void report(const cli_line *cli, krules_book *book)
{
    for (size_t i = 0; i < krules_version_count(book); i++) {
        krules_version v = krules_version_at(book, i);
        if (cli_has(cli, "plan") && !cli->json)
            fputs(krules_version_plan(book, i), stdout);
        if (!cli->json) {
            cli_done(cli, "%s v%d: %zu parameter%s, %zu sheet%s, %zu formula%s, %zu check%s, %zu example%s: no errors", krules_book_name(book), v.number,
                     v.param_count, s(v.param_count), v.sheet_count, s(v.sheet_count), v.formula_count, s(v.formula_count), v.check_count, s(v.check_count),
                     v.example_count, s(v.example_count));
            continue;
        }
        printf("{\"book\":");
        cli_json_string(stdout, krules_book_name(book));
        printf(",\"version\":%d,\"file\":", v.number);
        cli_json_string(stdout, v.path);
        printf(",\"sha256\":\"%s\",\"effective_from\":\"%s\",\"parameters\":%zu,\"sheets\":%zu,\"formulas\":%zu,\"checks\":%zu,\"examples\":%zu", v.sha256,
               v.effective_from, v.param_count, v.sheet_count, v.formula_count, v.check_count, v.example_count);
        if (cli_has(cli, "plan")) {
            printf(",\"plan\":");
            cli_json_string(stdout, krules_version_plan(book, i));
        }
        puts("}");
    }
}

int cmd_check(cli_line *cli)
{
    if (!cli->arg_count)
        return cli_wrong(cli, NULL, "krules check kokoah/pay, or krules check FILE.lua", "check wants a rulebook or a rule file");
    for (int i = 0; i < cli->arg_count; i++) {
        krules_book *book = krules_open(cli->k, cli->args[i]);
        if (book && krules_check(book)) {
            krules_warn_moves(book);
            report(cli, book);
        }
    }
    return krules_status(cli->k);
}
