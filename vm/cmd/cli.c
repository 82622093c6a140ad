#include "vm/cmd/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm/cmd/term.h"

#define NOTHING(...)

const cli_command cli_commands[] = {
#define COMMAND(verb, arguments, summary, text) { #verb, arguments, summary, text, cmd_##verb },
#define FLAG NOTHING
#define EXAMPLE NOTHING
#define EXIT NOTHING
#include "vm/cmd/commands.def"
    { 0 },
};
#undef COMMAND
#undef FLAG
const cli_flag cli_flags[] = {
#define COMMAND NOTHING
#define FLAG(verb, letter, name, value, doc) { #verb, letter, name, value, doc },
#include "vm/cmd/commands.def"
    { 0 },
};
#undef FLAG
#undef EXAMPLE
const cli_example cli_examples[] = {
#define FLAG NOTHING
#define EXAMPLE(verb, line, what) { #verb, line, what },
#include "vm/cmd/commands.def"
    { 0 },
};
#undef EXAMPLE
#undef EXIT
const cli_exit cli_exits[] = {
#define EXAMPLE NOTHING
#define EXIT(verb, status, when) { #verb, status, when },
#include "vm/cmd/commands.def"
    { 0 },
};

_Static_assert(sizeof cli_flags / sizeof *cli_flags <= CLI_FLAGS, "cli.given is too small");

/* Place of a flag of this command (or of all), by name or letter; -1: none. */
static int flag_at(const cli_line *cli, const char *name, size_t len, char letter)
{
    for (int i = 0; cli_flags[i].verb; i++) {
        const cli_flag *f = &cli_flags[i];
        if (strcmp(f->verb, "all") != 0 && !(cli->command && !strcmp(f->verb, cli->command->verb)))
            continue;
        if (name ? strlen(f->name) == len && !memcmp(f->name, name, len) : f->letter && f->letter == letter)
            return i;
    }
    return -1;
}

const char *cli_value(const cli_line *cli, const char *flag)
{
    int i = flag_at(cli, flag, strlen(flag), 0);
    return i < 0 ? NULL : cli->given[i];
}

int cli_wrong(cli_line *cli, const char *place, const char *help, const char *format, ...)
{
    char message[600];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    krules_complain(cli->k, "E0803", place, message, help);
    return KRULES_USE;
}

static bool unknown_flag(cli_line *cli, const char *given, const char *name, size_t len)
{
    const char *names[CLI_FLAGS], *verb = cli->command ? cli->command->verb : "";
    size_t count = 0;
    char message[300], help[300], word[100];
    for (int i = 0; cli_flags[i].verb; i++)
        if (!strcmp(cli_flags[i].verb, "all") || !strcmp(cli_flags[i].verb, verb))
            names[count++] = cli_flags[i].name;
    snprintf(word, sizeof word, "%.*s", (int)len, name);
    snprintf(message, sizeof message, "`krules %s` has no flag `%.150s`", verb, given);
    const char *near = krules_nearest(word, names, count);
    if (near)
        snprintf(help, sizeof help, "did you mean `--%s`?", near);
    else
        snprintf(help, sizeof help, "`krules help %s` lists them", verb);
    krules_complain(cli->k, "E0802", NULL, message, help);
    return false;
}

/* A flag that may be given again. */
static bool is_list(const cli_flag *flag)
{
    static const char mark[] = " …";
    size_t len = flag->value ? strlen(flag->value) : 0;
    return len >= sizeof mark - 1 && !strcmp(flag->value + len - (sizeof mark - 1), mark);
}

static const char *join(cli_line *cli, int flag, const char *value)
{
    size_t a = strlen(cli->given[flag]), b = strlen(value);
    char *text = malloc(a + b + 2);
    if (!text)
        abort();
    memcpy(text, cli->given[flag], a);
    text[a] = '\n';
    memcpy(text + a + 1, value, b + 1);
    free(cli->joined[flag]);
    cli->joined[flag] = text;
    return text;
}

const char **cli_values(cli_line *cli, const char *flag, size_t *count)
{
    int at = flag_at(cli, flag, strlen(flag), 0);
    *count = 0;
    if (at < 0 || !cli->given[at])
        return NULL;
    if (!cli->joined[at]) { /* given once: a copy of our own, as it is cut up below */
        cli->joined[at] = strdup(cli->given[at]);
        if (!cli->joined[at])
            abort();
    }
    size_t most = 1;
    for (const char *c = cli->joined[at]; *c; c++)
        most += *c == '\n';
    const char **list = calloc(most, sizeof *list);
    if (!list)
        abort();
    for (char *text = cli->joined[at], *end; text; text = end) {
        end = strchr(text, '\n');
        if (end)
            *end++ = 0;
        list[(*count)++] = text;
    }
    return list;
}

static bool read_flag(cli_line *cli, int argc, char **argv, int *at)
{
    const char *given = argv[*at], *value = NULL;
    int flag;
    if (given[1] == '-') {
        const char *name = given + 2, *equals = strchr(name, '=');
        size_t len = equals ? (size_t)(equals - name) : strlen(name);
        value = equals ? equals + 1 : NULL;
        flag = flag_at(cli, name, len, 0);
        if (flag < 0)
            return unknown_flag(cli, given, name, len);
    } else {
        flag = flag_at(cli, NULL, 0, given[1]);
        if (flag < 0 || (given[2] && !cli_flags[flag].value))
            return unknown_flag(cli, given, given + 1, strlen(given + 1));
        value = given[2] ? given + 2 + (given[2] == '=') : NULL;
    }
    const cli_flag *f = &cli_flags[flag];
    if (!f->value && value) {
        cli_wrong(cli, NULL, NULL, "`--%s` takes no value", f->name);
        return false;
    }
    if (f->value && !value) {
        if (*at + 1 >= argc) {
            cli_wrong(cli, NULL, f->doc, "`--%s` needs a value: --%s %s", f->name, f->name, f->value);
            return false;
        }
        value = argv[++*at];
    }
    if (cli->given[flag] && is_list(f)) {
        cli->given[flag] = join(cli, flag, value);
        return true;
    }
    if (cli->given[flag]) {
        cli_wrong(cli, NULL, NULL, "`--%s` is given twice", f->name);
        return false;
    }
    cli->given[flag] = f->value ? value : "";
    return true;
}

/* A formula may begin with a sign: `krules calc '-2 ^ 2'`. No flag begins like a number or a bracket. */
static bool is_flag(const char *word) { return word[0] == '-' && word[1] && !strchr("0123456789.( ", word[1]); }

bool cli_read(cli_line *cli, int argc, char **argv)
{
    bool flags = true, ok = true;
    cli->args = calloc((size_t)argc + 1, sizeof *cli->args);
    if (!cli->args)
        abort();
    for (int i = 0; i < argc; i++)
        if (flags && !strcmp(argv[i], "--"))
            flags = false;
        else if (flags && is_flag(argv[i]))
            ok = read_flag(cli, argc, argv, &i) && ok;
        else
            cli->args[cli->arg_count++] = argv[i];
    bool plain = cli_has(cli, "no-color");
    cli->json = cli_has(cli, "json");
    cli->quiet = cli_has(cli, "quiet");
    cli->colour_out = term_colour(STDOUT_FILENO, plain);
    cli->colour_err = term_colour(STDERR_FILENO, plain);
    krules_set_rules(cli->k, cli_value(cli, "rules"));
    return ok;
}

/* The most important last: notes, warnings, errors. */
void cli_messages(cli_line *cli)
{
    size_t count = krules_message_count(cli->k), errors = 0;
    for (int severity = KRULES_NOTE; severity >= KRULES_ERROR; severity--)
        for (size_t i = cli->printed; i < count; i++) {
            if ((int)krules_message_severity(cli->k, i) != severity)
                continue;
            errors += severity == KRULES_ERROR;
            if (cli->json)
                printf("%s\n", krules_message_json(cli->k, i));
            else if (severity != KRULES_NOTE || !cli->quiet)
                fputs(krules_message_text(cli->k, i, cli->colour_err), stderr);
        }
    size_t all = krules_error_count(cli->k);
    if (errors && all > 1 && !cli->json)
        fprintf(stderr, errors < all ? "%zu errors, %zu of them shown\n" : "%zu errors\n", all, errors);
    cli->printed = count;
}

void cli_done(const cli_line *cli, const char *format, ...)
{
    if (cli->quiet || cli->json)
        return;
    va_list args;
    va_start(args, format);
    fflush(stdout); /* where both streams go to one place, the answer stands before what is said of it */
    fputs(term_on(cli->colour_err, TERM_DIM), stderr);
    vfprintf(stderr, format, args);
    fputs(term_off(cli->colour_err), stderr);
    fputc('\n', stderr);
    va_end(args);
}

void cli_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", out);
        else if (c < 32)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void cli_json_code(FILE *out, const krules_code *code)
{
    fprintf(out, "{\"code\":\"%s\",\"status\":%d,\"title\":", code->name, code->status);
    cli_json_string(out, code->title);
    fputs(",\"explain\":", out);
    cli_json_string(out, code->explain);
    fputs("}\n", out);
}
