/* diff.c: what a change of the rules means, and does. */
#include <stdlib.h>
#include <string.h>

#include "vm/cmd/cli.h"
#include "vm/cmd/term.h"

static bool read_number(cli_line *cli, const char *flag, unsigned long long least, unsigned long long most, unsigned long long *out)
{
    const char *text = cli_value(cli, flag);
    char *end;
    if (!text)
        return true;
    *out = strtoull(text, &end, 10);
    if (*end || end == text || *text == '-' || *out < least || *out > most) {
        char place[40];
        snprintf(place, sizeof place, "--%s", flag);
        cli_wrong(cli, place, NULL, "`%s` is not a number that it takes", text);
        return false;
    }
    return true;
}

static bool is_format(cli_line *cli, const char *format)
{
    static const char *const formats[] = { "text", "md", "html", "json" };
    for (size_t i = 0; i < 4; i++)
        if (!strcmp(formats[i], format))
            return true;
    cli_wrong(cli, "--format", krules_nearest(format, formats, 4), "there is no format `%s`; there are text, md, html and json", format);
    return false;
}

int cmd_diff(cli_line *cli)
{
    unsigned long long top = 0, budget = 0, context = 8, threads = 0;
    const char *out = cli_value(cli, "out"), *format = cli_value(cli, "format");
    if (cli->arg_count < 1 || cli->arg_count > 2)
        return cli_wrong(cli, NULL, "krules diff A.lua B.lua, krules diff BOOK@1 BOOK@2, or krules diff BOOK", "diff wants two rule files, or one rulebook");
    if (!format)
        format = cli->json ? "json" : "text";
    if (!is_format(cli, format) || !read_number(cli, "top", 1, 1000000, &top) || !read_number(cli, "budget", 1, 1000000000000000ull, &budget) ||
        !read_number(cli, "context", 0, 100000, &context) || !read_number(cli, "threads", 0, 256, &threads))
        return KRULES_USE;
    static const char *const needs[] = { "from", "to", "measure", "top", "budget" };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (cli_has(cli, needs[i]) && !cli_has(cli, "data"))
            return cli_wrong(cli, NULL, NULL, "--%s goes with --data", needs[i]);
    term_progress progress;
    term_progress_start(&progress, "comparing");
    krules_diff_options o = { .data = cli_value(cli, "data"), .from = cli_value(cli, "from"), .to = cli_value(cli, "to"), .measure = cli_value(cli, "measure"),
                              .budget = budget, .top = (size_t)top, .threads = (int)threads, .progress = term_progress_step, .progress_context = &progress };
    krules_diff *diff = krules_compare(cli->k, cli->args[0], cli->arg_count == 2 ? cli->args[1] : NULL, &o);
    term_progress_end(&progress);
    cli_messages(cli);
    if (!diff)
        return krules_status(cli->k);
    bool full = cli_has(cli, "full") || (!strcmp(format, "html") && !cli_has(cli, "context"));
    if (!krules_diff_write(diff, format, full, (int)context, out ? out : "-"))
        return krules_status(cli->k);
    if (out)
        cli_done(cli, "wrote %s", out);
    return krules_status(cli->k) ? krules_status(cli->k) : cli_has(cli, "exit-code") && krules_diff_count(diff) ? KRULES_FINDING : KRULES_OK;
}
