/* eval.c: the main job: what a rulebook publishes, from data. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "vm/cmd/cli.h"
#include "vm/cmd/term.h"

enum { ROWS_SHOWN = 60 };

typedef struct request {
    const char *data, *format, *out, *save;
    krules_options options;
} request;

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(word, words[i]))
            return true;
    return false;
}

static bool ends_with(const char *text, const char *tail)
{
    size_t n = strlen(text), m = strlen(tail);
    return n >= m && !strcmp(text + n - m, tail);
}

static int read_request(cli_line *cli, request *r)
{
    static const char *const formats[] = { "table", "csv", "json", "jsonl" };
    const char *day = cli_value(cli, "day"), *threads = cli_value(cli, "threads");
    r->data = cli_value(cli, "data");
    r->format = cli_value(cli, "format");
    r->out = cli_value(cli, "out");
    r->save = cli_value(cli, "save");
    r->options.from = day ? day : cli_value(cli, "from");
    r->options.to = day ? day : cli_value(cli, "to");
    r->options.only = cli_value(cli, "only");
    r->options.where = cli_value(cli, "where");
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules eval kokoah/pay --data DIR", "eval wants one rulebook or rule file");
    if (!r->data)
        return cli_wrong(cli, NULL, "--data PATH: a folder of tables, or a SQLite database", "eval needs data");
    if (day && (cli_has(cli, "from") || cli_has(cli, "to")))
        return cli_wrong(cli, NULL, NULL, "--day is --from and --to in one: give either");
    if (cli_has(cli, "what-if") && (r->save || cli_has(cli, "receipt")))
        return cli_wrong(cli, NULL, "a result that is kept must come of published rules", "--what-if only tries: it takes neither --save nor --receipt");
    if (r->save && r->options.where)
        return cli_wrong(cli, "--where", "leave one of them out; --only chooses sheets and columns", "--save keeps whole days, and --where takes rows out of them");
    if (cli_has(cli, "replace") && !r->save)
        return cli_wrong(cli, NULL, NULL, "--replace goes with --save");
    if (cli_has(cli, "replace") && !*cli_value(cli, "replace"))
        return cli_wrong(cli, NULL, "it is kept beside both digests", "--replace needs a reason");
    if (cli_has(cli, "resume") && !r->save)
        return cli_wrong(cli, NULL, "krules eval … --save results.db --resume", "--resume goes on from what --save keeps: name the store");
    r->options.resume = cli_has(cli, "resume") ? r->save : NULL;
    if (threads) {
        char *end;
        long n = strtol(threads, &end, 10);
        if (*end || end == threads || n < 1 || n > 4096)
            return cli_wrong(cli, "--threads", NULL, "`%s` is not a number of cores", threads);
        r->options.threads = (int)n;
    }
    if (!r->format)
        r->format = cli->json ? "jsonl" : r->out && ends_with(r->out, ".json") ? "json" : r->out && ends_with(r->out, ".jsonl") ? "jsonl" : r->out ? "csv"
                    : term_is(STDOUT_FILENO) ? "table" : "jsonl";
    if (!is_one_of(r->format, formats, 4)) {
        const char *near = krules_nearest(r->format, formats, 4);
        return cli_wrong(cli, "--format", near, "there is no format `%s`; there are table, csv, json and jsonl", r->format);
    }
    if (r->out && !strcmp(r->format, "table"))
        return cli_wrong(cli, "--format", "take csv, json or jsonl", "a table is for the terminal, not for --out");
    return KRULES_OK;
}

/* ------------------------------------------------------------------ a table to read */

static const char *keep(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        abort();
    return copy;
}

/* Decimals that suit a column: few where numbers are large. */
static int decimals_for(krules_result *r, size_t sheet, size_t column, const size_t *rows, size_t count)
{
    size_t digits = 0;
    for (size_t i = 0; i < count; i++) {
        const char *text = krules_cell(r, sheet, rows[i], column);
        size_t n = strcspn(text + (*text == '-'), ".");
        digits = n > digits ? n : digits;
    }
    return digits > 3 ? 2 : digits > 1 ? 4 : 6;
}

static bool adds_up(const krules_column *c) { return !strcmp(c->type, "number") && *c->unit && strcmp(c->unit, "1") != 0 && !strchr(c->unit, '/') && !c->key; }

static void show_sheet(cli_line *cli, krules_result *r, size_t sheet, const char *day)
{
    size_t columns = krules_column_count(r, sheet), all = krules_row_count(r, sheet), count = 0, keys = 0;
    size_t *rows = calloc(all + 1, sizeof *rows);
    const char **cells = calloc((ROWS_SHOWN + 3) * (columns + 1), sizeof *cells), **heads = cells + ROWS_SHOWN * columns, **units = heads + columns, **totals = units + columns;
    bool *right = calloc(columns + 1, sizeof *right), any_total = false, dated = false;
    if (!rows || !cells || !right)
        abort();
    for (size_t row = 0; row < all; row++) {
        const char *own = krules_row_day(r, sheet, row);
        dated |= own != NULL;
        if (!day || !own || !strcmp(own, day))
            rows[count++] = row;
    }
    size_t shown = count < ROWS_SHOWN ? count : ROWS_SHOWN;
    for (size_t c = 0; c < columns; c++) {
        krules_column column = krules_column_at(r, sheet, c);
        bool number = !strcmp(column.type, "number");
        int decimals = number ? decimals_for(r, sheet, c, rows, shown) : 0;
        char unit[100], buffer[64];
        keys += column.key && keys == c;
        right[c] = number || !strcmp(column.type, "time");
        heads[c] = keep(column.name);
        snprintf(unit, sizeof unit, *column.unit && strcmp(column.unit, "1") != 0 ? "[%s]" : "%s", strcmp(column.unit, "1") != 0 ? column.unit : "");
        units[c] = keep(unit);
        for (size_t i = 0; i < shown; i++) {
            const char *text = krules_cell(r, sheet, rows[i], c);
            cells[i * columns + c] = keep(number ? krules_shorten(buffer, text, decimals) : text);
        }
        bool total = adds_up(&column) && count > 1;
        any_total |= total;
        totals[c] = keep(total ? krules_shorten(buffer, krules_total(r, sheet, c, dated ? day : NULL), decimals) : c == 0 ? "total" : "");
    }
    printf("%s%s%s%s%s  %zu row%s\n", term_on(cli->colour_out, TERM_BOLD), krules_sheet_name(r, sheet), term_off(cli->colour_out), dated && day ? "  " : "",
           dated && day ? day : "", count, count == 1 ? "" : "s");
    term_table table = { columns, keys, heads, units, right, shown, cells, any_total ? totals : NULL };
    if (count)
        term_print_table(stdout, &table, term_width(STDOUT_FILENO), cli->colour_out);
    if (shown < count)
        printf("… %zu more rows (all of them: --format csv --out DIR)\n", count - shown);
    for (size_t i = 0; i < columns * 3; i++)
        free((void *)heads[i]);
    for (size_t i = 0; i < shown * columns; i++)
        free((void *)cells[i]);
    free(cells);
    free(rows);
    free(right);
}

static size_t key_count(const krules_result *r, size_t sheet)
{
    size_t keys = 0;
    while (keys < krules_column_count(r, sheet) && krules_column_at(r, sheet, keys).key)
        keys++;
    return keys;
}

static void show_table(cli_line *cli, krules_result *r, const request *q)
{
    const char *from, *to;
    bool days = krules_period(r, &from, &to);
    size_t most = 0, shown = 0; /* the widest view first: sheets of fewer keys before those that go into detail */
    for (size_t sheet = 0; sheet < krules_sheet_count(r); sheet++)
        most = key_count(r, sheet) > most ? key_count(r, sheet) : most;
    for (size_t keys = 0; keys <= most; keys++)
        for (size_t sheet = 0; sheet < krules_sheet_count(r); sheet++)
            if (key_count(r, sheet) == keys) {
                if (shown++)
                    putchar('\n');
                show_sheet(cli, r, sheet, days && *to ? to : NULL);
            }
    if (days && strcmp(from, to) != 0 && !(q->options.from && q->options.to && !strcmp(q->options.from, q->options.to)))
        cli_done(cli, "numbers are shortened; all days (%s to %s) with every digit: --format csv --out DIR", from, to);
    else
        cli_done(cli, "numbers are shortened; every digit: --format csv --out DIR");
}

/* ------------------------------------------------------------------ the command */

static int deliver(cli_line *cli, krules_result *r, const request *q)
{
    size_t errors = krules_error_cells(r, !cli_has(cli, "keep-going")), days = 0;
    const char *receipt = cli_value(cli, "receipt"), *where = q->out ? q->out : "-";
    if (!strcmp(q->format, "table"))
        show_table(cli, r, q);
    else if (fflush(stdout) != 0 || !krules_write(r, q->format, where))
        return krules_status(cli->k);
    else if (q->out)
        cli_done(cli, "wrote %s", q->out);
    if (errors && cli_has(cli, "keep-going"))
        cli_done(cli, "%zu cell%s hold%s an error", errors, errors == 1 ? "" : "s", errors == 1 ? "s" : "");
    bool whole = !errors || cli_has(cli, "keep-going");
    if (!whole && (q->save || receipt))
        cli_done(cli, "not saved: the result has errors (--keep-going saves it all the same)");
    if (whole && q->save && krules_save(r, q->save, cli_value(cli, "replace"), &days))
        cli_done(cli, days ? "saved in %s: %zu days of sheets" : "saved in %s: nothing new", q->save, days);
    if (whole && receipt && krules_write_receipt(r, receipt))
        cli_done(cli, "receipt in %s; check it with `krules verify %s --data %s`", receipt, receipt, q->data);
    if (cli_has(cli, "times")) {
        krules_phases ms = krules_times(r);
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        cli_done(cli, "load %llu ms, plan %llu ms, rows and indexes %llu ms, formulas %llu ms, write %llu ms; most memory %ld MB", (unsigned long long)ms.load,
                 (unsigned long long)ms.plan, (unsigned long long)ms.rows_and_indexes, (unsigned long long)ms.formulas, (unsigned long long)ms.write,
                 usage.ru_maxrss / 1024);
    }
    return krules_status(cli->k);
}

int cmd_eval(cli_line *cli)
{
    request q = { 0 };
    int status = read_request(cli, &q);
    if (status)
        return status;
    const char *try = cli_value(cli, "what-if");
    krules_book *book = try ? krules_open_what_if(cli->k, cli->args[0], try, q.options.from) : krules_open(cli->k, cli->args[0]);
    if (!book || (!cli_has(cli, "incomplete") && !krules_require_ready(book, q.data, q.options.from, q.options.to)))
        return krules_status(cli->k);
    krules_data *data = krules_load(book, q.data);
    if (!data)
        return krules_status(cli->k);
    term_progress progress;
    term_progress_start(&progress, krules_book_name(book));
    q.options.progress = term_progress_step;
    q.options.progress_context = &progress;
    krules_result *r = krules_eval(book, data, &q.options);
    term_progress_end(&progress);
    cli_messages(cli); /* notes on the data and failed checks, before the answer */
    return r ? deliver(cli, r, &q) : krules_status(cli->k);
}
