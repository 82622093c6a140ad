/* withdraw.c: take back a version that is not yet in force. */
#include "vm/cmd/cli.h"

int cmd_withdraw(cli_line *cli)
{
    krules_signing signing;
    krules_published done;
    char book[300];
    int version;
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules withdraw kokoah/pay@2 --key KEY.pem", "withdraw wants one version");
    if (!cli_book_version(cli, cli->args[0], book, sizeof book, &version) || !cli_signing(cli, &signing))
        return KRULES_USE;
    return cli_signed(cli, krules_withdraw(cli->k, book, version, &signing, &done), &done);
}
