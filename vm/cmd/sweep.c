/* sweep.c: many variants of a rule over the same data. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm/cmd/cli.h"
#include "vm/cmd/term.h"

static bool read_part(cli_line *cli, krules_sweep_options *o)
{
    const char *text = cli_value(cli, "part");
    char *end, *end2;
    if (!text)
        return true;
    unsigned long k = strtoul(text, &end, 10), n = *end == '/' ? strtoul(end + 1, &end2, 10) : 0;
    if (end == text || *end != '/' || *end2 || end2 == end + 1 || k < 1 || k > n || n > 1000000 || strchr(text, '-')) {
        cli_wrong(cli, "--part", "--part 2/4: the second of four", "`%s` names no part", text);
        return false;
    }
    o->part = k;
    o->parts = n;
    return true;
}

static void show_table(cli_line *cli, const krules_sweep *s)
{
    size_t columns = krules_sweep_columns(s), rows = krules_sweep_rows(s);
    const char **heads = calloc(columns + 1, sizeof *heads), **cells = calloc(rows * columns + 1, sizeof *cells);
    bool *right = calloc(columns + 1, sizeof *right);
    if (!heads || !cells || !right)
        abort();
    for (size_t c = 0; c < columns; c++) {
        heads[c] = krules_sweep_head(s, c);
        right[c] = true;
    }
    for (size_t i = 0; i < rows * columns; i++)
        cells[i] = krules_sweep_cell(s, i / columns, i % columns);
    term_table table = { .columns = columns, .keys = krules_sweep_varied(s), .heads = heads, .right = right, .rows = rows, .cells = cells };
    term_print_table(stdout, &table, term_width(STDOUT_FILENO), cli->colour_out);
    free(heads);
    free(cells);
    free(right);
}

static int deliver(cli_line *cli, krules_sweep *s)
{
    static const char *const formats[] = { "table", "csv", "json", "svg" };
    const char *out = cli_value(cli, "out"), *format = cli_value(cli, "format");
    size_t len = out ? strlen(out) : 0;
    if (!format)
        format = cli->json || (len > 5 && !strcmp(out + len - 5, ".json")) ? "json" : len > 4 && !strcmp(out + len - 4, ".svg") ? "svg" : out || !term_is(STDOUT_FILENO) ? "csv" : "table";
    bool known = false;
    for (size_t i = 0; i < 4; i++)
        known |= !strcmp(formats[i], format);
    if (!known)
        return cli_wrong(cli, "--format", krules_nearest(format, formats, 4), "there is no format `%s`; there are table, csv, json and svg", format);
    if (!strcmp(format, "table") && out)
        return cli_wrong(cli, "--format", "take csv, json or svg", "a table is for the terminal, not for --out");
    if (!strcmp(format, "table"))
        show_table(cli, s);
    else if (fflush(stdout) == 0 && krules_sweep_write(s, format, out ? out : "-") && out)
        cli_done(cli, "wrote %s%s: %zu variant%s", out, !strcmp(format, "csv") ? " and its receipt" : "", krules_sweep_rows(s), krules_sweep_rows(s) == 1 ? "" : "s");
    return krules_status(cli->k);
}

int cmd_sweep(cli_line *cli)
{
    if (cli_has(cli, "merge")) {
        if (!cli->arg_count)
            return cli_wrong(cli, NULL, "krules sweep --merge part1.csv part2.csv", "--merge wants the CSV files of the parts");
        if (cli_has(cli, "vary") || cli_has(cli, "show") || cli_has(cli, "part") || cli_has(cli, "data"))
            return cli_wrong(cli, NULL, NULL, "--merge only puts parts together: it takes no --vary, --show, --part or --data");
        krules_sweep *merged = krules_sweep_merge(cli->k, cli->args, (size_t)cli->arg_count);
        return merged ? deliver(cli, merged) : krules_status(cli->k);
    }
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules sweep kokoah/pay --vary name=0.1..0.5/0.1 --data DIR --show FORMULA", "sweep wants one rulebook or rule file");
    if (!cli_has(cli, "vary") || !cli_has(cli, "show") || !cli_has(cli, "data"))
        return cli_wrong(cli, NULL, "--vary name=a..b/step --show FORMULA --data PATH", "sweep needs what to vary, what to show, and data");
    krules_sweep_options o = { .data = cli_value(cli, "data"), .to = cli_value(cli, "to") };
    const char *threads = cli_value(cli, "threads");
    char *end = "";
    if (threads)
        o.threads = (int)strtol(threads, &end, 10);
    if (*end || (threads && (o.threads < 1 || o.threads > 256)))
        return cli_wrong(cli, "--threads", NULL, "`%s` is not a number of cores", threads);
    if (!read_part(cli, &o))
        return KRULES_USE;
    const char **vary = cli_values(cli, "vary", &o.vary_count), **show = cli_values(cli, "show", &o.show_count);
    term_progress progress;
    term_progress_start(&progress, "sweep");
    o.vary = vary;
    o.show = show;
    o.progress = term_progress_step;
    o.progress_context = &progress;
    krules_sweep *s = krules_sweep_run(cli->k, cli->args[0], &o);
    term_progress_end(&progress);
    cli_messages(cli);
    int status = s ? deliver(cli, s) : krules_status(cli->k);
    free(vary);
    free(show);
    return status;
}
