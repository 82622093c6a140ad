/* weights.c: a day's weights in the form the chain takes: a list of uids and a list of weights beside it. The rulebook says who has which
 * weight; here hotkeys become uids, and what goes out is held against the pay it stands for once more. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "vm/cmd/cli.h"

enum { TOTAL = 65535, UIDS = 65536, FAULTS = 20 };

/* The table of neurons, as a rule file of its own: so it is read and checked like any data. */
static const char neuron_rule[] =
    "rulebook { id = \"neuron\", version = 1, language = 1, title = \"Neurons of a day\" }\n"
    "local neuron = sheet(\"neuron\", { \"day\", \"hotkey\" })\n"
    "neuron.day = day\n"
    "neuron.hotkey = text\n"
    "neuron.uid = number { whole = true, min = 0, max = \"65_535\", required = true }\n"
    "require(neuron, \"a uid is one hotkey's on a day\", \"COUNT(neuron.hotkey BY day, uid) = 1\")\n"
    "output { neuron }\n";

typedef struct neuron { char *hotkey; long weight; bool known; } neuron;

typedef struct weighing {
    cli_line *cli;
    const char *day, *burn_hotkey;
    neuron *by_uid;            /* UIDS of them */
    const char *total_pay;
    long sum, miners;
    size_t faults;
    bool burned;
} weighing;

static void fault(weighing *w, const char *code, const char *place, const char *help, const char *format, ...) __attribute__((format(printf, 5, 6)));
static void fault(weighing *w, const char *code, const char *place, const char *help, const char *format, ...)
{
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    w->faults++;
    krules_complain(w->cli->k, code, place, message, help);
}

static char *copy(const char *text)
{
    char *own = strdup(text);
    if (!own)
        abort();
    return own;
}

/* neuron.csv may be named itself; the loader is given its folder. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strcmp(name, "neuron.csv") != 0 && strcmp(name, "neuron.jsonl") != 0 && strcmp(name, "neuron.csv.gz") != 0 && strcmp(name, "neuron.jsonl.gz") != 0)
        return copy(path);
    char *folder = copy(slash ? path : ".");
    if (slash)
        folder[slash == path ? 1 : slash - path] = '\0';
    return folder;
}

static bool read_neurons(weighing *w, const char *path)
{
    char *folder = folder_of(path);
    krules_book *book = krules_open_text(w->cli->k, "neuron", neuron_rule);
    krules_data *data = book ? krules_load(book, folder) : NULL;
    krules_result *r = data ? krules_eval(book, data, NULL) : NULL;
    size_t found = 0;
    free(folder);
    for (size_t row = 0; r && row < krules_row_count(r, 0); row++) {
        if (strcmp(krules_cell(r, 0, row, 0), w->day) != 0)
            continue;
        neuron *n = &w->by_uid[strtol(krules_cell(r, 0, row, 2), NULL, 10)];
        *n = (neuron){ .hotkey = copy(krules_cell(r, 0, row, 1)), .known = true };
        found++;
    }
    if (r && !found)
        fault(w, "E0517", path, "give a `neuron` table (day, hotkey, uid) with the neurons of that day", "there are no neurons of %s", w->day);
    return r && found;
}

static neuron *neuron_of(weighing *w, const char *hotkey)
{
    for (size_t uid = 0; uid < UIDS; uid++)
        if (w->by_uid[uid].known && !strcmp(w->by_uid[uid].hotkey, hotkey))
            return &w->by_uid[uid];
    return NULL;
}

/* |weight - TOTAL pay / sum of pay| < 1, as products, so that nothing is rounded. */
static bool fair(weighing *w, const char *weight, const char *pay)
{
    char formula[300];
    krules_value value;
    snprintf(formula, sizeof formula, "AND((%s - 1) * %s < %d * %s, (%s + 1) * %s > %d * %s)", weight, w->total_pay, TOTAL, pay, weight, w->total_pay, TOTAL, pay);
    return krules_calc(w->cli->k, formula, &value) && !strcmp(value.text, "true");
}

static void weigh_account(weighing *w, const char *miner, const char *hotkey, const char *pay, const char *weight)
{
    char *end;
    long units = strtol(weight, &end, 10);
    char place[300];
    snprintf(place, sizeof place, "account[miner=%.150s, day=%s]", miner, w->day);
    if (!*weight || *end || units < 0 || units > TOTAL) {
        fault(w, "E0517", place, NULL, "`%s` is not a weight: a whole number from 0 to %d", weight, TOTAL);
        return;
    }
    if (strcmp(w->total_pay, "0") != 0 && !fair(w, weight, pay))
        fault(w, "E0517", place, "the rulebook's weights and its pay do not belong together", "the weight %s is off the exact share of pay %s of %s by one or more", weight, pay, w->total_pay);
    w->sum += units;
    if (!units)
        return;
    w->miners++;
    neuron *n = *hotkey ? neuron_of(w, hotkey) : NULL;
    if (n)
        n->weight += units;
    else
        fault(w, "E0517", place, "a weight that nobody takes would leave the others more than their share", *hotkey ? "hotkey %s has weight %s, but is no neuron on %s" : "%sno hotkey, but weight %s on %s", hotkey, weight, w->day);
}

static bool weigh(weighing *w, krules_result *r)
{
    size_t columns[3], sheet = 0; /* hotkey, pay, weight */
    static const char *const names[] = { "hotkey", "pay", "weight" };
    for (size_t i = 0; i < 3; i++) {
        size_t c = 0;
        while (c < krules_column_count(r, sheet) && strcmp(krules_column_at(r, sheet, c).name, names[i]) != 0)
            c++;
        columns[i] = c;
    }
    char *total = copy(krules_total(r, sheet, columns[1], NULL));
    w->total_pay = total;
    for (size_t row = 0; row < krules_row_count(r, sheet) && w->faults < FAULTS; row++)
        weigh_account(w, krules_cell(r, sheet, row, 0), krules_cell(r, sheet, row, columns[0]), krules_cell(r, sheet, row, columns[1]), krules_cell(r, sheet, row, columns[2]));
    if (!w->faults && w->sum == 0 && !strcmp(total, "0")) {
        w->burned = true;
        neuron *n = w->burn_hotkey ? neuron_of(w, w->burn_hotkey) : NULL;
        if (n)
            n->weight = TOTAL;
        else if (!w->burn_hotkey)
            fault(w, "E0517", NULL, "give --burn-hotkey HOTKEY", "%s is burned: all weight goes to the burn hotkey, and none is named", w->day);
        else
            fault(w, "E0517", "--burn-hotkey", NULL, "%s is burned, and the burn hotkey %s is no neuron on that day", w->day, w->burn_hotkey);
    } else if (!w->faults && w->sum != TOTAL) {
        fault(w, "E0517", NULL, NULL, "the weights of %s add up to %ld, not to %d", w->day, w->sum, TOTAL);
    }
    free(total);
    w->total_pay = NULL;
    return !w->faults;
}

static void list(const weighing *w, bool zeros, bool weights)
{
    bool first = true;
    for (long uid = 0; uid < UIDS; uid++)
        if (w->by_uid[uid].known && (zeros || w->by_uid[uid].weight)) {
            printf("%s%ld", first ? "" : ",", weights ? w->by_uid[uid].weight : uid);
            first = false;
        }
}

static void show(const weighing *w, const char *format, bool zeros)
{
    if (!strcmp(format, "chain")) {
        printf("{\"day\":\"%s\",\"burned\":%s,\"uids\":[", w->day, w->burned ? "true" : "false");
        list(w, zeros, false);
        fputs("],\"weights\":[", stdout);
        list(w, zeros, true);
        puts("]}");
        return;
    }
    puts("uid,hotkey,weight");
    for (long uid = 0; uid < UIDS; uid++)
        if (w->by_uid[uid].known && (zeros || w->by_uid[uid].weight))
            printf("%ld,%s,%ld\n", uid, w->by_uid[uid].hotkey, w->by_uid[uid].weight);
}

int cmd_weights(cli_line *cli)
{
    static const char *const formats[] = { "chain", "csv" };
    const char *data_path = cli_value(cli, "data"), *format = cli_value(cli, "format"), *neurons = cli_value(cli, "neurons");
    weighing w = { .cli = cli, .day = cli_value(cli, "day"), .burn_hotkey = cli_value(cli, "burn-hotkey") };
    format = format ? format : "chain";
    if (cli->arg_count > 1)
        return cli_wrong(cli, cli->args[1], "krules weights kokoah/pay --data DIR --day DAY", "weights takes one rulebook");
    if (!data_path || !w.day)
        return cli_wrong(cli, NULL, "krules weights --data DIR --day DAY --neurons neuron.csv --burn-hotkey HOTKEY", "weights needs %s", data_path ? "a day" : "data");
    if (strcmp(format, formats[0]) != 0 && strcmp(format, formats[1]) != 0)
        return cli_wrong(cli, "--format", krules_nearest(format, formats, 2), "there is no format `%s`; there are chain and csv", format);
    krules_book *book = krules_open(cli->k, cli->arg_count ? cli->args[0] : "kokoah/pay");
    bool asked = book && (cli_has(cli, "incomplete") || krules_require_ready(book, data_path, w.day, w.day));
    krules_data *data = asked ? krules_load(book, data_path) : NULL;
    krules_options options = { .from = w.day, .to = w.day, .only = "account.hotkey,account.pay,account.weight" };
    krules_result *r = data ? krules_eval(book, data, &options) : NULL;
    if (!r || krules_status(cli->k) || krules_error_cells(r, true))
        return krules_status(cli->k);
    w.by_uid = calloc(UIDS, sizeof *w.by_uid);
    if (!w.by_uid)
        abort();
    if (read_neurons(&w, neurons ? neurons : data_path) && weigh(&w, r)) {
        show(&w, format, cli_has(cli, "keep-zeros"));
        if (w.burned)
            cli_done(cli, "%s is burned: all %d to %s", w.day, TOTAL, w.burn_hotkey);
        else
            cli_done(cli, "%s: %ld miners share %d; each is within one of its exact share", w.day, w.miners, TOTAL);
    }
    for (size_t uid = 0; uid < UIDS; uid++)
        free(w.by_uid[uid].hotkey);
    free(w.by_uid);
    return krules_status(cli->k);
}
