/* replay.c: prove that going on day by day gives the digits of one run. */
#include "vm/cmd/cli.h"

int cmd_replay(cli_line *cli)
{
    const char *path = cli_value(cli, "data");
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules replay kokoah/pay --data DIR", "replay wants one rulebook or rule file");
    if (!path)
        return cli_wrong(cli, NULL, "--data PATH: a folder of tables, or a SQLite database", "replay needs data");
    krules_book *book = krules_open(cli->k, cli->args[0]);
    krules_data *data = book ? krules_load(book, path) : NULL;
    krules_replayed done;
    bool equal = data && krules_replay(book, data, cli_value(cli, "from"), cli_value(cli, "to"), NULL, &done);
    if (data && cli->json)
        printf("{\"equal\":%s,\"days\":%zu,\"cells\":%zu,\"differences\":%zu}\n", equal ? "true" : "false", done.days, done.cells, done.differences);
    else if (equal)
        printf("equal: %zu days one after the other, each from what the day before recorded, give the %zu cells of one run\n", done.days, done.cells);
    return krules_status(cli->k);
}
