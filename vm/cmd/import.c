/* import.c: answers of an exchange, and tables as others write them, into a database. */
#include <string.h>

#include "vm/cmd/cli.h"

typedef struct tally { cli_line *cli; size_t answers, records, fresh; } tally;

static void say(void *context, const krules_import_line *line)
{
    tally *t = context;
    t->answers++;
    t->records += line->records;
    t->fresh += line->fresh;
    if (t->cli->json) {
        printf("{\"file\":");
        cli_json_string(stdout, line->file);
        printf(",\"kind\":\"%s\",\"records\":%zu,\"new\":%zu,\"note\":", line->kind, line->records, line->fresh);
        cli_json_string(stdout, line->note);
        puts("}");
    } else if (!t->cli->quiet) {
        printf("%s: %s, %zu record%s, %zu new%s%s\n", line->file, line->kind, line->records, line->records == 1 ? "" : "s", line->fresh, *line->note ? "; " : "", line->note);
    }
}

int cmd_import(cli_line *cli)
{
    static const char *const sources[] = { "hyperliquid", "csv" };
    tally t = { .cli = cli };
    krules_import how = {
        .into = cli_value(cli, "into"), .address = cli_value(cli, "address"), .coin = cli_value(cli, "coin"), .kind = cli_value(cli, "kind"), .read_at = cli_value(cli, "read-at"),
        .asked_from = cli_value(cli, "asked-from"), .asked_to = cli_value(cli, "asked-to"), .builder_rate = cli_value(cli, "builder-rate"),
        .builder_fills = cli_value(cli, "builder-fills"), .map = cli_value(cli, "map"), .book = cli_value(cli, "book"), .report = say, .report_context = &t,
    };
    const char *source = cli->arg_count ? cli->args[0] : "";
    bool csv = !strcmp(source, "csv");
    if (!csv && strcmp(source, "hyperliquid") != 0) {
        const char *near = *source ? krules_nearest(source, sources, 2) : NULL;
        return cli_wrong(cli, *source ? source : NULL, near ? near : "krules import hyperliquid FILE… --into data.db, or krules import csv TABLE=FILE… --into data.db",
                         "import wants to know what it reads: hyperliquid or csv");
    }
    if (cli->arg_count < 2)
        return cli_wrong(cli, NULL, csv ? "krules import csv identity=links.csv --into data.db" : "krules import hyperliquid fills.json --into data.db", "import has nothing to read");
    if (!how.into)
        return cli_wrong(cli, NULL, "--into DB: a database, made when it is not there", "import needs a database");
    const char *const of_csv[] = { "map", "book" }, *const of_answers[] = { "address", "coin", "kind", "asked-from", "asked-to", "builder-rate", "builder-fills" };
    for (size_t i = 0; i < (csv ? sizeof of_answers / sizeof *of_answers : sizeof of_csv / sizeof *of_csv); i++)
        if (cli_has(cli, csv ? of_answers[i] : of_csv[i]))
            return cli_wrong(cli, NULL, NULL, "--%s is for `krules import %s`", csv ? of_answers[i] : of_csv[i], csv ? "hyperliquid" : "csv");
    size_t count = (size_t)cli->arg_count - 1;
    bool ok = csv ? krules_import_tables(cli->k, cli->args + 1, count, &how) : krules_import_hyperliquid(cli->k, cli->args + 1, count, &how);
    if (ok)
        cli_done(cli, "%zu record%s, %zu new, in %s", t.records, t.records == 1 ? "" : "s", t.fresh, how.into);
    return krules_status(cli->k);
}
