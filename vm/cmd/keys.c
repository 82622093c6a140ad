/* keys.c: who may sign, and changes of it. */
#include "vm/cmd/cli.h"

static int list(cli_line *cli, const char *book)
{
    krules_ledger *ledger = krules_ledger_open(cli->k, book, cli_value(cli, "now"));
    for (size_t i = 0; ledger && i < krules_signer_count(ledger); i++) {
        krules_signer s = krules_signer_at(ledger, i);
        if (cli->json) {
            printf("{\"name\":");
            cli_json_string(stdout, s.name);
            printf(",\"key\":\"%s\",\"emergency\":%s,\"threshold\":%d}\n", s.key, s.emergency ? "true" : "false", krules_threshold(ledger, s.emergency));
            continue;
        }
        if (!i || s.emergency != krules_signer_at(ledger, i - 1).emergency)
            printf("%s: %d needed\n", s.emergency ? "in an emergency" : "may sign", krules_threshold(ledger, s.emergency));
        printf("  %-20s %s\n", s.name, s.key);
    }
    return krules_status(cli->k);
}

int cmd_keys(cli_line *cli)
{
    krules_signing signing;
    krules_signers change = {
        .add = cli_value(cli, "add"), .retire = cli_value(cli, "retire"), .emergency_add = cli_value(cli, "emergency-add"), .emergency_retire = cli_value(cli, "emergency-retire"), .authorities = cli_value(cli, "authority"),
    };
    krules_published done;
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules keys kokoah/pay", "keys wants one rulebook");
    if (!cli_number(cli, "threshold", &change.threshold) || !cli_number(cli, "emergency-threshold", &change.emergency_threshold))
        return KRULES_USE;
    bool changes = change.add || change.retire || change.emergency_add || change.emergency_retire || change.authorities || change.threshold || change.emergency_threshold;
    if (!changes && cli_has(cli, "key"))
        return cli_wrong(cli, NULL, "--add NAME=PUBLIC.pem, --retire NAME, --threshold M", "there is nothing to change");
    if (!changes)
        return list(cli, cli->args[0]);
    if (!cli_signing(cli, &signing))
        return KRULES_USE;
    return cli_signed(cli, krules_set_keys(cli->k, cli->args[0], &change, &signing, &done), &done);
}
