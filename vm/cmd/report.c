/* report.c: what a rulebook says in public about a day. */
#include <string.h>

#include "vm/cmd/cli.h"

static void say(cli_line *cli, const char *day, const char *text, size_t said)
{
    if (cli->json) {
        printf("{\"day\":");
        cli_json_string(stdout, day);
        printf(",\"text\":");
        cli_json_string(stdout, text);
        puts("}");
    } else {
        printf("%s%s\n", said ? "\n\n" : "", text);
    }
}

/* Rows of the report's sheet that have a text; the day of the last one is kept when only that is wanted. */
static size_t say_all(cli_line *cli, krules_result *result, const char *only_day)
{
    size_t said = 0, column = krules_column_count(result, 0) - 1;
    for (size_t row = 0; row < krules_row_count(result, 0); row++) {
        const char *day = krules_row_day(result, 0, row), *text = krules_cell(result, 0, row, column);
        if (day && *text && (!only_day || strcmp(day, only_day) == 0))
            say(cli, day, text, said++);
    }
    return said;
}

int cmd_report(cli_line *cli)
{
    const char *day = cli_value(cli, "day"), *from = cli_value(cli, "from"), *to = cli_value(cli, "to");
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules report oaia/stop --data DIR --day DAY", "report wants one rulebook");
    if (!cli_has(cli, "data"))
        return cli_wrong(cli, "--data", "name the folder or database that holds the input tables", "report needs data");
    if (day && (from || to))
        return cli_wrong(cli, "--day", "--day DAY is --from DAY --to DAY", "--day and a period do not go together");
    krules_book *book = krules_open(cli->k, cli->args[0]);
    if (!book)
        return krules_status(cli->k);
    const char *column = krules_report_column(book);
    if (!column)
        return cli_wrong(cli, NULL, "name a text column of a sheet with days in the header: report = \"epoch.announcement\"", "rulebook `%s` has no reports", krules_book_name(book));
    krules_data *data = krules_load(book, cli_value(cli, "data"));
    krules_options options = { .from = day ? day : from, .to = day ? day : to, .only = column };
    krules_result *result = data ? krules_eval(book, data, &options) : NULL;
    if (!result)
        return krules_status(cli->k);
    const char *first = "", *last = "";
    krules_period(result, &first, &last);
    bool one = !from && !to;
    if (!day && !*last)
        cli_done(cli, "nothing to report: the data have no days");
    else if (say_all(cli, result, one ? day ? day : last : NULL) == 0)
        cli_done(cli, one ? "nothing to report on %s" : "nothing to report from %s to %s", one ? day ? day : last : first, last);
    return krules_status(cli->k);
}
