/* calc.c: formulas of literals, exactly. */
#include <stdlib.h>
#include <string.h>

#include "vm/cmd/cli.h"

/* One answer a formula. With `aligned` a formula that fails still gives a line, so that answers stay beside their questions. */
static void answer(cli_line *cli, const char *formula, bool aligned, int *status)
{
    krules_value value;
    bool ok = krules_calc(cli->k, formula, &value);
    if (ok && cli->json) {
        fputs("{\"formula\":", stdout);
        cli_json_string(stdout, formula);
        printf(",\"type\":\"%s\",\"value\":", value.type);
        cli_json_string(stdout, value.text);
        printf(",\"error\":%s}\n", value.error ? "true" : "false");
    } else if (ok) {
        puts(value.text);
    } else {
        int worst = krules_status(cli->k);
        *status = worst > *status ? worst : *status;
        if (aligned && !cli->json)
            printf("error[%s]\n", krules_message_code(cli->k, cli->printed < krules_message_count(cli->k) ? cli->printed : 0));
        fflush(stdout);
        cli_messages(cli);
        krules_forget_messages(cli->k);
        cli->printed = 0;
    }
}

int cmd_calc(cli_line *cli)
{
    int status = KRULES_OK;
    bool from_input = !cli->arg_count || (cli->arg_count == 1 && !strcmp(cli->args[0], "-"));
    for (int i = 0; i < cli->arg_count && !from_input; i++)
        answer(cli, cli->args[i], cli->arg_count > 1, &status);
    char *line = NULL;
    size_t room = 0;
    for (ssize_t n; from_input && (n = getline(&line, &room, stdin)) >= 0;) {
        while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
            line[--n] = 0;
        if (!line[strspn(line, " \t")] && !cli->json)
            puts(""); /* an empty line has an empty answer, so that lines stay side by side */
        else if (line[strspn(line, " \t")])
            answer(cli, line, true, &status);
    }
    free(line);
    return status;
}
