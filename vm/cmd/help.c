/* help.c: help on commands (from commands.def) and functions (from the primitives' own rows). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "vm/cmd/cli.h"
#include "vm/cmd/pages.h"
#include "vm/cmd/term.h"

/* Text folded at spaces. */
static void put_folded(FILE *out, const char *text, const char *indent, size_t width)
{
    size_t used = 0;
    while (*text) {
        size_t n = strcspn(text, " \n");
        if (used && used + 1 + n > width) {
            fputc('\n', out);
            used = 0;
        }
        fprintf(out, "%s%.*s", used ? " " : indent, (int)n, text);
        used += n + 1;
        text += n + (text[n] != 0);
    }
    if (used)
        fputc('\n', out);
}

void cli_help_short(FILE *out)
{
    fputs("krules runs published rules: exact numbers from rulebooks that read like spreadsheets.\n\n"
          "  krules eval kokoah/pay --data data/kokoah/pay/example   what a rulebook pays\n"
          "  krules calc 'PSR({0.01, -0.002}, 0.03)'                 one formula, to the last digit\n"
          "  krules help eval                                        a command, with examples\n\n"
          "commands:\n",
          out);
    char verbs[1000] = "";
    for (int i = 0; cli_commands[i].verb; i++) {
        size_t used = strlen(verbs);
        snprintf(verbs + used, sizeof verbs - used, "%s%s", i ? ", " : "", cli_commands[i].verb);
    }
    put_folded(out, verbs, "  ", 98);
    fputs("`krules help` says what each does; `krules help functions` lists what formulas can say.\n", out);
}

static void put_flags(FILE *out, const char *verb)
{
    for (int i = 0; cli_flags[i].verb; i++) {
        const cli_flag *f = &cli_flags[i];
        if (strcmp(f->verb, verb) != 0)
            continue;
        char left[80], letter[8] = "    ";
        if (f->letter)
            snprintf(letter, sizeof letter, "-%c, ", f->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, f->name, f->value ? " " : "", f->value ? f->value : "");
        fprintf(out, "  %s%*s  %s\n", left, (int)(krules_width(left) < 30 ? 30 - krules_width(left) : 0), "", f->doc);
    }
}

void cli_help_command(FILE *out, const cli_command *command)
{
    fprintf(out, "krules %s %s\n%s\n\n", command->verb, command->arguments, command->summary);
    for (int i = 0; cli_examples[i].verb; i++)
        if (!strcmp(cli_examples[i].verb, command->verb))
            fprintf(out, "  %s\n      %s\n", cli_examples[i].line, cli_examples[i].what);
    if (*command->text) {
        fputc('\n', out);
        put_folded(out, command->text, "", 100);
    }
    fputs("\nflags\n", out);
    put_flags(out, command->verb);
    put_flags(out, "all");
    fputs("\nexit status\n", out);
    for (int i = 0; cli_exits[i].verb; i++)
        if (!strcmp(cli_exits[i].verb, command->verb))
            fprintf(out, "  %d  %s\n", cli_exits[i].status, cli_exits[i].when);
}

static void help_all(FILE *out)
{
    fputs("krules COMMAND [things] [--flags]\n\n", out);
    for (int i = 0; cli_commands[i].verb; i++)
        fprintf(out, "  %-10s %s\n", cli_commands[i].verb, cli_commands[i].summary);
    fputs("\nflags of every command\n", out);
    put_flags(out, "all");
    fputs("\nexit status\n"
          "  0  done\n  1  a finding: a check, a test or a verification that does not hold\n  2  wrong use\n  3  the rules have errors\n"
          "  4  the data has errors\n  5  refused by the rules of publication\n"
          "\nFunctions of formulas: `krules help functions`. What a message means: `krules explain E0203`.\n",
          out);
}

static void help_function(FILE *out, const krules_function *f)
{
    fprintf(out, "%s\n", f->usage);
    put_folded(out, f->doc, "  ", 98);
    if (f->source)
        fprintf(out, "  source: %s\n", f->source);
    if (f->example)
        fprintf(out, "\n  %s%s%s\n", f->example, f->gives ? " = " : "", f->gives ? f->gives : "");
    if (f->edge)
        fprintf(out, "  %s%s%s\n", f->edge, f->edge_gives ? " = " : "", f->edge_gives ? (*f->edge_gives ? f->edge_gives : "(blank)") : "");
}

static void json_function(FILE *out, const krules_function *f)
{
    const struct { const char *name, *text; } parts[] = {
        { "name", f->name }, { "usage", f->usage }, { "doc", f->doc }, { "source", f->source }, { "example", f->example },
        { "gives", f->gives }, { "edge", f->edge }, { "edge_gives", f->edge_gives },
    };
    fputc('{', out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        fprintf(out, "%s\"%s\":", i ? "," : "", parts[i].name);
        if (parts[i].text)
            cli_json_string(out, parts[i].text);
        else
            fputs("null", out);
    }
    fputs("}\n", out);
}

static bool is_name(const char *name) { return isalpha((unsigned char)name[0]) != 0 && isupper((unsigned char)name[0]) != 0; }

/* Functions of one name may have several rows (MAX of arguments, MAX of a column). */
static bool help_named(cli_line *cli, const char *name)
{
    krules_function f;
    bool found = false;
    for (size_t i = 0; krules_function_at(i, &f); i++) {
        if (strcasecmp(f.name, name) != 0)
            continue;
        if (found && !cli->json)
            putchar('\n');
        found = true;
        if (cli->json)
            json_function(stdout, &f);
        else
            help_function(stdout, &f);
    }
    return found;
}

/* Length of the first sentence, without its full stop: one inside a name (STDEV.S) ends nothing. */
static int first_sentence(const char *text)
{
    const char *end = text;
    while (*end && !(*end == '.' && (!end[1] || end[1] == ' ')))
        end++;
    return (int)(end - text);
}

static void list_functions(cli_line *cli)
{
    krules_function f;
    for (size_t i = 0; krules_function_at(i, &f); i++)
        if (cli->json)
            json_function(stdout, &f);
        else if (is_name(f.name))
            printf("%s%*s %.*s\n", f.usage, (int)(krules_width(f.usage) < 44 ? 44 - krules_width(f.usage) : 0), "", first_sentence(f.doc), f.doc);
}

static void list_errors(const cli_line *cli)
{
    krules_code code;
    for (size_t i = 0; krules_code_at(i, &code); i++)
        if (cli->json)
            cli_json_code(stdout, &code);
        else
            printf("%s  %s\n", code.name, code.title);
}

static void list_commands(const cli_line *cli)
{
    if (!cli->json)
        help_all(stdout);
    for (int i = 0; cli->json && cli_commands[i].verb; i++)
        cli_json_command(stdout, &cli_commands[i]);
}

int cmd_help(cli_line *cli)
{
    const char *format = cli_value(cli, "format");
    if (format)
        return cli_page(cli, format);
    if (!cli->arg_count) {
        list_commands(cli);
        return KRULES_OK;
    }
    const char *what = cli->args[0], *names[1024];
    size_t count = 0;
    for (int i = 0; cli_commands[i].verb; i++) {
        if (!strcmp(cli_commands[i].verb, what)) {
            if (cli->json)
                cli_json_command(stdout, &cli_commands[i]);
            else
                cli_help_command(stdout, &cli_commands[i]);
            return KRULES_OK;
        }
        names[count++] = cli_commands[i].verb;
    }
    if (!strcmp(what, "functions") || !strcmp(what, "errors") || !strcmp(what, "commands")) {
        if (*what == 'f')
            list_functions(cli);
        else if (*what == 'e')
            list_errors(cli);
        else
            list_commands(cli);
        return KRULES_OK;
    }
    if (help_named(cli, what))
        return KRULES_OK;
    krules_function f;
    for (size_t i = 0; krules_function_at(i, &f) && count < sizeof names / sizeof *names; i++)
        names[count++] = f.name;
    char message[200], help[200];
    const char *near = krules_nearest(what, names, count);
    snprintf(message, sizeof message, "there is no command or function `%.100s`", what);
    snprintf(help, sizeof help, near ? "did you mean `%s`?" : "`krules help` lists the commands, `krules help functions` the functions", near);
    krules_complain(cli->k, "E0804", NULL, message, help);
    return KRULES_USE;
}
