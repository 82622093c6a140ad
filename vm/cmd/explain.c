/* explain.c: what a message's code means. */
#include <string.h>
#include <strings.h>

#include "vm/cmd/cli.h"

int cmd_explain(cli_line *cli)
{
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules explain E0203", "explain wants one code");
    const char *names[1024];
    size_t count = 0;
    krules_code code;
    for (size_t i = 0; krules_code_at(i, &code); i++) {
        if (count < sizeof names / sizeof *names)
            names[count++] = code.name;
        if (strcasecmp(code.name, cli->args[0]) != 0)
            continue;
        if (cli->json) {
            printf("{\"code\":\"%s\",\"status\":%d,\"title\":", code.name, code.status);
            cli_json_string(stdout, code.title);
            fputs(",\"explain\":", stdout);
            cli_json_string(stdout, code.explain);
            puts("}");
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
