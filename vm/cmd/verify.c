/* verify.c: recompute a receipt. */
#include "vm/cmd/cli.h"

int cmd_verify(cli_line *cli)
{
    const char *data = cli_value(cli, "data");
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules verify RECEIPT --data PATH", "verify wants one receipt");
    if (!data)
        return cli_wrong(cli, NULL, "--data PATH: a folder of tables, or a SQLite database", "verify needs the data that the receipt is about");
    bool equal = krules_verify(cli->k, cli->args[0], cli_value(cli, "book"), data, cli_value(cli, "published"));
    if (cli->json)
        printf("{\"receipt\":\"%s\",\"equal\":%s}\n", cli->args[0], equal ? "true" : "false");
    else if (equal)
        puts("equal: rules, data and every output sheet are those of the receipt");
    return equal ? KRULES_OK : krules_status(cli->k);
}
