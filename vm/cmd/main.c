/* main.c: the krules command: finds the verb, reads its flags, runs it. */
#include <stdlib.h>
#include <string.h>

#include "vm/cmd/cli.h"

static int unknown_verb(cli_line *cli, const char *verb)
{
    const char *verbs[64];
    size_t count = 0;
    char message[200], help[100];
    for (; cli_commands[count].verb; count++)
        verbs[count] = cli_commands[count].verb;
    const char *near = krules_nearest(verb, verbs, count);
    snprintf(message, sizeof message, "there is no command `%.100s`", verb);
    if (near)
        snprintf(help, sizeof help, "did you mean `krules %s`?", near);
    else
        snprintf(help, sizeof help, "`krules help` lists the commands");
    krules_complain(cli->k, "E0801", NULL, message, help);
    cli_messages(cli);
    return KRULES_USE;
}

static int run(cli_line *cli, int argc, char **argv)
{
    if (argc < 2) {
        cli_help_short(stdout);
        return KRULES_OK;
    }
    const char *verb = argv[1];
    if (!strcmp(verb, "--version")) {
        puts("krules " KRULES_VERSION);
        return KRULES_OK;
    }
    if (!strcmp(verb, "-h") || !strcmp(verb, "--help"))
        verb = "help";
    for (int i = 0; cli_commands[i].verb; i++)
        if (!strcmp(cli_commands[i].verb, verb))
            cli->command = &cli_commands[i];
    if (!cli->command)
        return unknown_verb(cli, verb);
    if (!cli_read(cli, argc - 2, argv + 2)) {
        cli_messages(cli);
        return KRULES_USE;
    }
    if (cli_has(cli, "help")) {
        cli_help_command(stdout, cli->command);
        return KRULES_OK;
    }
    int status = cli->command->run(cli);
    cli_messages(cli);
    return status;
}

int main(int argc, char **argv)
{
    cli_line cli = { .k = krules_new() };
    int status = run(&cli, argc, argv);
    free(cli.args);
    for (int i = 0; i < CLI_FLAGS; i++)
        free(cli.joined[i]);
    krules_free(cli.k);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == KRULES_OK) {
        fputs("error[E0701]: standard output cannot be written\n", stderr);
        status = KRULES_DATA;
    }
    return status;
}
