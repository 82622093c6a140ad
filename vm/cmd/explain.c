/* explain.c: why a cell is what it is; what a message's code means. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "vm/cmd/cli.h"

enum { ROWS_SHOWN = 20 };

static int explain_row(cli_line *cli)
{
    static const char usage[] = "krules explain oaia/score --data DIR agent season=S1 agent=alpha percentile";
    const char *rows = cli_value(cli, "rows"), *column = NULL;
    krules_question question = { .rows = ROWS_SHOWN };
    int shown = ROWS_SHOWN;
    if (rows && strcmp(rows, "0") != 0 && !cli_number(cli, "rows", &shown))
        return KRULES_USE;
    question.rows = rows && strcmp(rows, "0") == 0 ? 0 : (size_t)shown;
    if (cli->arg_count < 2)
        return cli_wrong(cli, NULL, usage, "explain wants a rulebook, a sheet, KEY=VALUE for its row, and perhaps a column");
    if (!cli_has(cli, "data"))
        return cli_wrong(cli, "--data", "name the folder or database that holds the input tables", "explain needs data for a row");
    question.sheet = cli->args[1];
    question.keys = cli->args + 2;
    while (2 + (int)question.key_count < cli->arg_count && strchr(cli->args[2 + question.key_count], '='))
        question.key_count++;
    if (2 + (int)question.key_count < cli->arg_count)
        column = cli->args[2 + question.key_count];
    if (3 + (int)question.key_count < cli->arg_count)
        return cli_wrong(cli, NULL, usage, "one column at most, after the keys of the row");
    question.column = column;
    krules_book *book = krules_open(cli->k, cli->args[0]);
    krules_data *data = book ? krules_load(book, cli_value(cli, "data")) : NULL;
    krules_options options = { .from = cli_value(cli, "from"), .to = cli_value(cli, "to") };
    krules_explanation *explanation = data ? krules_explain(book, data, &options, &question) : NULL;
    if (explanation)
        fputs(cli->json ? krules_explanation_json(explanation) : krules_explanation_text(explanation), stdout);
    return krules_status(cli->k);
}

int cmd_explain(cli_line *cli)
{
    if (cli->arg_count > 1 || cli_has(cli, "data"))
        return explain_row(cli);
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules explain E0203", "explain wants a code, or a rulebook and a row");
    const char *names[1024];
    size_t count = 0;
    krules_code code;
    for (size_t i = 0; krules_code_at(i, &code); i++) {
        if (count < sizeof names / sizeof *names)
            names[count++] = code.name;
        if (strcasecmp(code.name, cli->args[0]) != 0)
            continue;
        if (cli->json) {
            cli_json_code(stdout, &code);
        } else {
            printf("%s: %s\n\n%s\n", code.name, code.title, code.explain);
            if (code.status)
                printf("\nA command that meets it ends with status %d.\n", code.status);
        }
        return KRULES_OK;
    }
    char message[200];
    snprintf(message, sizeof message, "there is no code `%.100s`", cli->args[0]);
    krules_complain(cli->k, "E0804", NULL, message, "`krules help errors` lists them");
    return KRULES_USE;
}
