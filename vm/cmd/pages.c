/* pages.c: the pages made of the tables that also drive the command: commands.def, the primitives' rows, errors.def.
 * Markdown (docs/commands.md, functions.md, errors.md), a man page, completion for shells, and commands as JSON. */
#include "vm/cmd/pages.h"

#include <ctype.h>
#include <string.h>

#define EACH_OF(list, i, of) for (int i = 0; (list)[i].verb; i++) if (!strcmp((list)[i].verb, (of)))

static const char made_of[] = "<!-- made by `make docs`: change the tables in the sources, not this page -->\n";

static bool starts_with_letter(const char *name) { return isalpha((unsigned char)name[0]) != 0; }

/* ------------------------------------------------------------------ Markdown */

/* Text in which | would end a table's cell, and < and * outside of backticks would be markup. */
static void put_marked(FILE *out, const char *text)
{
    for (bool quoted = false; *text; text++) {
        quoted ^= *text == '`';
        if (*text == '|' || (!quoted && strchr("<*", *text)))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void put_flag_rows(FILE *out, const char *verb)
{
    EACH_OF(cli_flags, i, verb) {
        const cli_flag *f = &cli_flags[i];
        fputs("| `", out);
        if (f->letter)
            fprintf(out, "-%c, ", f->letter);
        fprintf(out, "--%s%s%s` | ", f->name, f->value ? " " : "", f->value ? f->value : "");
        put_marked(out, f->doc);
        fputs(" |\n", out);
    }
}

static void markdown_commands(FILE *out)
{
    fprintf(out, "# Commands\n\n%s\nFlags of every command:\n\n| flag | what it does |\n|---|---|\n", made_of);
    put_flag_rows(out, "all");
    for (int c = 0; cli_commands[c].verb; c++) {
        const cli_command *command = &cli_commands[c];
        bool any = false;
        fprintf(out, "\n## krules %s\n\n`krules %s%s%s`: ", command->verb, command->verb, *command->arguments ? " " : "", command->arguments);
        put_marked(out, command->summary);
        fputs(".\n", out);
        if (*command->text) {
            fputc('\n', out);
            put_marked(out, command->text);
            fputc('\n', out);
        }
        fputc('\n', out);
        EACH_OF(cli_examples, i, command->verb) fprintf(out, "    %s\n        %s\n", cli_examples[i].line, cli_examples[i].what);
        EACH_OF(cli_flags, i, command->verb) any = true;
        if (any) {
            fputs("\n| flag | what it does |\n|---|---|\n", out);
            put_flag_rows(out, command->verb);
        }
        fputs("\n| exit status | when |\n|---|---|\n", out);
        EACH_OF(cli_exits, i, command->verb) {
            fprintf(out, "| %d | ", cli_exits[i].status);
            put_marked(out, cli_exits[i].when);
            fputs(" |\n", out);
        }
    }
}

static void put_case(FILE *out, const char *formula, const char *gives)
{
    if (formula)
        fprintf(out, "    %s%s%s\n", formula, gives ? " = " : "", gives ? (*gives ? gives : "(blank)") : "");
}

static void markdown_functions(FILE *out)
{
    krules_function f;
    const struct { const char *title; bool named; } parts[] = { { "Operators", false }, { "Functions", true } };
    fprintf(out, "# Functions of formulas\n\n%s\nWhat each is exact to stands in its text. The lines in type are run by the tests.\n", made_of);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        fprintf(out, "\n## %s\n", parts[p].title);
        for (size_t i = 0; krules_function_at(i, &f); i++) {
            if (starts_with_letter(f.name) != parts[p].named)
                continue;
            fprintf(out, "\n### `%s`\n\n", f.usage);
            put_marked(out, f.doc);
            fputc('\n', out);
            if (f.source) {
                fputs("\nSource: ", out);
                put_marked(out, f.source);
                fputs(".\n", out);
            }
            fputc('\n', out);
            put_case(out, f.example, f.gives);
            put_case(out, f.edge, f.edge_gives);
        }
    }
}

static void markdown_errors(FILE *out)
{
    krules_code code;
    fprintf(out, "# Messages\n\n%s\nE is an error, W a warning, N a note. `krules explain CODE` says the same.\n", made_of);
    for (size_t i = 0; krules_code_at(i, &code); i++) {
        fprintf(out, "\n## %s: %s\n\n", code.name, code.title);
        put_marked(out, code.explain);
        if (code.status)
            fprintf(out, " (Exit status %d.)", code.status);
        fputc('\n', out);
    }
}

/* ------------------------------------------------------------------ man page */

/* Text of a man page: a backslash is an escape, a minus a hyphen, and a leading point or quote a request. */
static void put_roff(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
}

static void roff_flags(FILE *out, const char *verb)
{
    EACH_OF(cli_flags, i, verb) {
        const cli_flag *f = &cli_flags[i];
        fputs(".TP\n", out);
        if (f->letter)
            fprintf(out, "\\fB\\-%c\\fR, ", f->letter);
        fputs("\\fB\\-\\-", out);
        put_roff(out, f->name);
        fputs("\\fR", out);
        if (f->value) {
            fputs(" \\fI", out);
            put_roff(out, f->value);
            fputs("\\fR", out);
        }
        fputc('\n', out);
        put_roff(out, f->doc);
        fputc('\n', out);
    }
}

static void man_page(FILE *out)
{
    fputs(".TH KRULES 1 \"\" \"krules " KRULES_VERSION "\"\n.SH NAME\nkrules \\- run published rules\n"
          ".SH SYNOPSIS\n.B krules\n.I COMMAND\n[things] [\\-\\-flags]\n"
          ".SH DESCRIPTION\nkrules computes what versioned rulebooks publish, from data, in exact decimal numbers: the same digits on every machine.\n"
          "A flag's value may follow = or a space; \\- is standard input or output; \\-\\- ends the flags.\n"
          ".SH FLAGS OF EVERY COMMAND\n",
          out);
    roff_flags(out, "all");
    for (int c = 0; cli_commands[c].verb; c++) {
        const cli_command *command = &cli_commands[c];
        fprintf(out, ".SH KRULES ");
        for (const char *p = command->verb; *p; p++)
            fputc(toupper((unsigned char)*p), out);
        fprintf(out, "\n.B krules %s\n", command->verb);
        put_roff(out, command->arguments);
        fputs("\n.PP\n", out);
        put_roff(out, command->summary);
        fputs(".\n", out);
        put_roff(out, command->text);
        if (*command->text)
            fputc('\n', out);
        roff_flags(out, command->verb);
        fputs(".PP\nExit status:\n", out);
        EACH_OF(cli_exits, i, command->verb) {
            fprintf(out, ".TP\n.B %d\n", cli_exits[i].status);
            put_roff(out, cli_exits[i].when);
            fputc('\n', out);
        }
        fputs(".PP\nExamples:\n", out);
        EACH_OF(cli_examples, i, command->verb) {
            fputs(".PP\n.nf\n    ", out);
            put_roff(out, cli_examples[i].line);
            fputs("\n.fi\n", out);
            put_roff(out, cli_examples[i].what);
            fputc('\n', out);
        }
    }
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colour\n", out);
}

/* ------------------------------------------------------------------ completion */

/* What a command's argument may be, where that is a word of ours: names of commands and functions, or codes. */
static void put_words(FILE *out, const char *verb)
{
    krules_function f;
    krules_code code;
    if (!strcmp(verb, "help")) {
        for (int i = 0; cli_commands[i].verb; i++)
            fprintf(out, " %s", cli_commands[i].verb);
        fputs(" functions errors commands", out);
        const char *last = ""; /* functions of one name may have several rows */
        for (size_t i = 0; krules_function_at(i, &f); i++)
            if (starts_with_letter(f.name) && strcmp(f.name, last) != 0)
                fprintf(out, " %s", last = f.name);
    } else if (!strcmp(verb, "explain")) {
        for (size_t i = 0; krules_code_at(i, &code); i++)
            fprintf(out, " %s", code.name);
    }
}

static void put_flag_names(FILE *out, const char *verb)
{
    EACH_OF(cli_flags, i, verb) fprintf(out, " --%s", cli_flags[i].name);
}

static void bash_completion(FILE *out)
{
    fputs("# completion of krules for bash\n_krules() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} flags words\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W '",
          out);
    for (int i = 0; cli_commands[i].verb; i++)
        fprintf(out, "%s%s", i ? " " : "", cli_commands[i].verb);
    fputs("' -- \"$word\")); return; fi\n    case $verb in\n", out);
    for (int i = 0; cli_commands[i].verb; i++) {
        fprintf(out, "    %s) flags='", cli_commands[i].verb);
        put_flag_names(out, cli_commands[i].verb);
        fputs("' words='", out);
        put_words(out, cli_commands[i].verb);
        fputs("' ;;\n", out);
    }
    fputs("    *) return ;;\n    esac\n    case $word in\n    -*) COMPREPLY=($(compgen -W \"$flags", out);
    put_flag_names(out, "all");
    fputs("\" -- \"$word\")) ;;\n    *) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n    esac\n}\n"
          "complete -o bashdefault -o default -F _krules krules\n",
          out);
}

/* Text inside single quotes of a shell; in zsh's descriptions brackets and colons are escaped, too. */
static void put_quoted(FILE *out, const char *text, bool zsh)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs(zsh ? "'\\''" : "\\'", out);
        else if (*text == '\\')
            fputs("\\\\", out);
        else if (zsh && strchr("[]:", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
}

static void zsh_flags(FILE *out, const char *verb)
{
    EACH_OF(cli_flags, i, verb) {
        const cli_flag *f = &cli_flags[i];
        if (f->letter) {
            fprintf(out, " '-%c[", f->letter);
            put_quoted(out, f->doc, true);
            fprintf(out, "]%s'", f->value ? ":value:_files" : "");
        }
        fprintf(out, " '--%s[", f->name);
        put_quoted(out, f->doc, true);
        fprintf(out, "]%s'", f->value ? ":value:_files" : "");
    }
}

static void zsh_completion(FILE *out)
{
    fputs("#compdef krules\n_krules() {\n    if (( CURRENT == 2 )); then\n        local -a verbs\n        verbs=(", out);
    for (int i = 0; cli_commands[i].verb; i++) {
        fprintf(out, " '%s:", cli_commands[i].verb);
        put_quoted(out, cli_commands[i].summary, true);
        fputc('\'', out);
    }
    fputs(" )\n        _describe command verbs\n        return\n    fi\n    local verb=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $verb in\n", out);
    for (int i = 0; cli_commands[i].verb; i++) {
        const char *verb = cli_commands[i].verb;
        fprintf(out, "    %s) _arguments", verb);
        zsh_flags(out, "all");
        zsh_flags(out, verb);
        bool worded = !strcmp(verb, "help") || !strcmp(verb, "explain");
        fputs(worded ? " '*:name:(" : " '*:file:_files' ;;\n", out);
        put_words(out, verb);
        if (worded)
            fputs(" )' ;;\n", out);
    }
    fputs("    esac\n}\n_krules \"$@\"\n", out);
}

static void fish_flags(FILE *out, const char *verb, bool all)
{
    EACH_OF(cli_flags, i, verb) {
        const cli_flag *f = &cli_flags[i];
        fputs("complete -c krules", out);
        if (!all)
            fprintf(out, " -n '__fish_seen_subcommand_from %s'", verb);
        if (f->letter)
            fprintf(out, " -s %c", f->letter);
        fprintf(out, " -l %s%s -d '", f->name, f->value ? " -r" : "");
        put_quoted(out, f->doc, false);
        fputs("'\n", out);
    }
}

static void fish_completion(FILE *out)
{
    fputs("# completion of krules for fish\n", out);
    fish_flags(out, "all", true);
    for (int i = 0; cli_commands[i].verb; i++) {
        const char *verb = cli_commands[i].verb;
        fprintf(out, "complete -c krules -n __fish_use_subcommand -f -a %s -d '", verb);
        put_quoted(out, cli_commands[i].summary, false);
        fputs("'\n", out);
        fish_flags(out, verb, false);
        if (!strcmp(verb, "help") || !strcmp(verb, "explain")) {
            fprintf(out, "complete -c krules -n '__fish_seen_subcommand_from %s' -f -a '", verb);
            put_words(out, verb);
            fputs("'\n", out);
        }
    }
}

/* ------------------------------------------------------------------ which */

static const struct {
    const char *format, *what; /* what: NULL where there is but one page */
    void (*put)(FILE *out);
} pages[] = {
    { "markdown", "commands", markdown_commands }, { "markdown", "functions", markdown_functions }, { "markdown", "errors", markdown_errors },
    { "man", NULL, man_page }, { "bash", NULL, bash_completion }, { "zsh", NULL, zsh_completion }, { "fish", NULL, fish_completion },
};

int cli_page(cli_line *cli, const char *format)
{
    const char *what = cli->arg_count ? cli->args[0] : NULL;
    bool known = false, alone = false;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        if (strcmp(pages[i].format, format) != 0)
            continue;
        known = true;
        alone = !pages[i].what;
        if (cli->arg_count > 1 || !what != alone || (what && strcmp(pages[i].what, what) != 0))
            continue;
        pages[i].put(stdout);
        return KRULES_OK;
    }
    if (!known)
        return cli_wrong(cli, NULL, "markdown, man, bash, zsh, fish", "there is no page in the format `%s`", format);
    return cli_wrong(cli, NULL, alone ? "give the format alone" : "krules help commands, functions or errors --format markdown", what ? "there is no page `%s`" : "the format `%s` has several pages", what ? what : format);
}

void cli_json_command(FILE *out, const cli_command *command)
{
    const char *const parts[][2] = { { "verb", command->verb }, { "arguments", command->arguments }, { "summary", command->summary }, { "text", command->text } };
    int n = 0;
    fputc('{', out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        fprintf(out, "%s\"%s\":", i ? "," : "", parts[i][0]);
        cli_json_string(out, parts[i][1]);
    }
    fputs(",\"flags\":[", out);
    for (int pass = 0; pass < 2; pass++)
        EACH_OF(cli_flags, i, pass ? "all" : command->verb) {
            const cli_flag *f = &cli_flags[i];
            fprintf(out, "%s{\"name\":\"%s\",\"letter\":", n++ ? "," : "", f->name);
            if (f->letter)
                fprintf(out, "\"%c\"", f->letter);
            else
                fputs("null", out);
            fputs(",\"value\":", out);
            if (f->value)
                cli_json_string(out, f->value);
            else
                fputs("null", out);
            fputs(",\"doc\":", out);
            cli_json_string(out, f->doc);
            fputc('}', out);
        }
    fputs("],\"examples\":[", out);
    n = 0;
    EACH_OF(cli_examples, i, command->verb) {
        fprintf(out, "%s{\"line\":", n++ ? "," : "");
        cli_json_string(out, cli_examples[i].line);
        fputs(",\"what\":", out);
        cli_json_string(out, cli_examples[i].what);
        fputc('}', out);
    }
    fputs("],\"exit\":[", out);
    n = 0;
    EACH_OF(cli_exits, i, command->verb) {
        fprintf(out, "%s{\"status\":%d,\"when\":", n++ ? "," : "", cli_exits[i].status);
        cli_json_string(out, cli_exits[i].when);
        fputc('}', out);
    }
    fputs("]}\n", out);
}
