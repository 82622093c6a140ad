/* cosign.c: a further signature. */
#include "vm/cmd/cli.h"

int cmd_cosign(cli_line *cli)
{
    krules_signing signing;
    krules_published done;
    int entry;
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules cosign kokoah/pay --key KEY.pem", "cosign wants one rulebook");
    if (!cli_signing(cli, &signing) || !cli_number(cli, "entry", &entry))
        return KRULES_USE;
    return cli_signed(cli, krules_cosign(cli->k, cli->args[0], entry, &signing, &done), &done);
}
