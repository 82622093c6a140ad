/* timestamp.c: the request that a timestamp authority is sent. */
#include <string.h>

#include "vm/cmd/cli.h"

int cmd_timestamp(cli_line *cli)
{
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules timestamp proposal/v2.lua", "timestamp wants one rule file (or BOOK@N, BOOK:ENTRY, BOOK)");
    const char *what = cli->args[0], *out = cli_value(cli, "out"), *slash = strrchr(what, '/');
    char path[4096];
    if (!out) { /* beside a file; for an entry of a ledger here */
        bool file = strlen(what) > 4 && !strcmp(what + strlen(what) - 4, ".lua");
        snprintf(path, sizeof path, "%s.tsq", file ? what : slash ? slash + 1 : what);
        out = path;
    }
    if (!krules_timestamp(cli->k, what, out))
        return krules_status(cli->k);
    if (strcmp(out, "-") != 0)
        cli_done(cli, "wrote %s; send it to an authority (curl -H 'Content-Type: application/timestamp-query' --data-binary @%s URL -o TOKEN), then --timestamp TOKEN", out, out);
    return KRULES_OK;
}
