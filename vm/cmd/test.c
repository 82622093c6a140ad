/* test.c: run the examples that rule files carry. */
#include "vm/cmd/cli.h"

static void run_version(cli_line *cli, krules_book *book, size_t version, size_t *passed, size_t *failed)
{
    krules_version v = krules_version_at(book, version);
    for (size_t i = 0; i < v.example_count; i++) {
        const char *title;
        size_t cells;
        bool ok = krules_example_run(book, version, i, &title, &cells);
        ++*(ok ? passed : failed);
        if (cli->json) {
            printf("{\"book\":");
            cli_json_string(stdout, krules_book_name(book));
            printf(",\"version\":%d,\"example\":", v.number);
            cli_json_string(stdout, title);
            printf(",\"holds\":%s,\"cells\":%zu}\n", ok ? "true" : "false", cells);
        } else if (!cli->quiet || !ok) {
            printf("%s  %s v%d: %s (%zu cells)\n", ok ? "ok  " : "FAIL", krules_book_name(book), v.number, title, cells);
        }
        cli_messages(cli);
    }
}

int cmd_test(cli_line *cli)
{
    size_t passed = 0, failed = 0;
    if (!cli->arg_count)
        return cli_wrong(cli, NULL, "krules test kokoah/pay, or krules test FILE.lua", "test wants a rulebook or a rule file");
    for (int i = 0; i < cli->arg_count; i++) {
        krules_book *book = krules_open(cli->k, cli->args[i]);
        for (size_t v = 0; book && v < krules_version_count(book); v++)
            run_version(cli, book, v, &passed, &failed);
    }
    if (!cli->json)
        printf("%zu passed, %zu failed\n", passed, failed);
    return krules_status(cli->k);
}
