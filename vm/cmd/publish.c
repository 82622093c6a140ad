/* publish.c: a rule file becomes the next version of its book. */
#include "vm/cmd/cli.h"

int cmd_publish(cli_line *cli)
{
    krules_signing signing;
    krules_signers signers = { .add = cli_value(cli, "signers"), .emergency_add = cli_value(cli, "emergency-signers"), .authorities = cli_value(cli, "authority") };
    krules_published done;
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules publish proposal/v2.lua --key KEY.pem", "publish wants one rule file");
    if (!cli_signing(cli, &signing) || !cli_number(cli, "threshold", &signers.threshold) || !cli_number(cli, "emergency-threshold", &signers.emergency_threshold))
        return KRULES_USE;
    bool named = signers.add || signers.emergency_add || signers.authorities || signers.threshold || signers.emergency_threshold;
    bool ok = krules_publish(cli->k, cli->args[0], &signing, named ? &signers : NULL, cli_has(cli, "emergency"), cli_value(cli, "data"), &done);
    return cli_signed(cli, ok, &done);
}
