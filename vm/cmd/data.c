/* data.c: what a dataset holds, and whether a day of it can be scored. */
#include <string.h>

#include "vm/cmd/cli.h"

static void json_list(const char *name, const char *const *texts)
{
    printf(",\"%s\":[", name);
    for (size_t i = 0; texts[i]; i++) {
        if (i)
            putchar(',');
        cli_json_string(stdout, texts[i]);
    }
    putchar(']');
}

static int check(cli_line *cli, krules_book *book, const char *path)
{
    const char *day = cli_value(cli, "day"), *from = day ? day : cli_value(cli, "from"), *to = day ? day : cli_value(cli, "to");
    size_t count, off = 0;
    if (day && (cli_has(cli, "from") || cli_has(cli, "to")))
        return cli_wrong(cli, NULL, NULL, "--day is --from and --to in one: give either");
    const krules_day *days = krules_check_days(book, path, from, to, cli_value(cli, "now"), &count);
    if (!days)
        return krules_status(cli->k);
    for (size_t i = 0; i < count; i++) {
        bool ready = !days[i].missing[0];
        off += !ready;
        if (cli->json) {
            printf("{\"day\":\"%s\",\"ready\":%s", days[i].day, ready ? "true" : "false");
            json_list("missing", days[i].missing);
            json_list("notes", days[i].notes);
            puts("}");
            continue;
        }
        printf("%s  %s\n", days[i].day, ready ? "ready" : "not ready");
        for (size_t m = 0; days[i].missing[m]; m++)
            printf("  - %s\n", days[i].missing[m]);
        for (size_t n = 0; days[i].notes[n]; n++)
            printf("  note: %s\n", days[i].notes[n]);
    }
    if (count > 1)
        cli_done(cli, "%zu of %zu days are ready", count - off, count);
    return off ? KRULES_FINDING : KRULES_OK;
}

static int info(cli_line *cli, krules_book *book, const char *path)
{
    krules_data *data = krules_load(book, path);
    size_t gap_count;
    if (!data)
        return krules_status(cli->k);
    const krules_gap *gaps = krules_known_gaps(cli->k, path, &gap_count);
    if (cli->json)
        printf("{\"data\":\"%s\",\"tables\":[", krules_data_digest(data));
    else
        printf("%-14s %10s  %-10s  %-10s  %10s  %s\n", "table", "rows", "first", "last", "empty days", "digest");
    for (size_t i = 0; i < krules_table_count(data); i++) {
        krules_table_days days = krules_table_range(data, i);
        const char *digest = krules_table_digest(data, i);
        if (cli->json)
            printf("%s{\"table\":\"%s\",\"rows\":%zu,\"first\":\"%s\",\"last\":\"%s\",\"empty_days\":%zu,\"digest\":\"%s\"}", i ? "," : "", krules_table_name(data, i),
                   krules_table_rows(data, i), days.first, days.last, days.empty, digest);
        else
            printf("%-14s %10zu  %-10s  %-10s  %10zu  %.16s\n", krules_table_name(data, i), krules_table_rows(data, i), *days.first ? days.first : "-",
                   *days.last ? days.last : "-", days.empty, *digest ? digest : "absent");
    }
    if (cli->json)
        printf("],\"gaps\":[");
    else
        printf("digest of the data: %s\n", krules_data_digest(data));
    for (size_t i = 0; i < gap_count; i++)
        if (cli->json) {
            printf("%s{\"address\":\"%s\",\"day\":\"%s\",\"reason\":", i ? "," : "", gaps[i].address, gaps[i].day);
            cli_json_string(stdout, gaps[i].reason);
            putchar('}');
        } else {
            printf("%s%s  %s  %s\n", i ? "" : "known gaps\n", gaps[i].address, gaps[i].day, gaps[i].reason);
        }
    if (cli->json)
        puts("]}");
    return krules_status(cli->k);
}

int cmd_data(cli_line *cli)
{
    const char *path = cli_value(cli, "data"), *what = cli->arg_count ? cli->args[0] : "";
    bool checks = !strcmp(what, "check");
    if (cli->arg_count != 1 || (!checks && strcmp(what, "info") != 0))
        return cli_wrong(cli, NULL, "krules data check --data data.db --day D, or krules data info --data PATH", "data wants one of check and info");
    if (!path)
        return cli_wrong(cli, NULL, "--data PATH: a folder of tables, or a SQLite database", "data needs data");
    const char *const of_check[] = { "day", "from", "to", "now" };
    for (size_t i = 0; !checks && i < sizeof of_check / sizeof *of_check; i++)
        if (cli_has(cli, of_check[i]))
            return cli_wrong(cli, NULL, NULL, "--%s is for `krules data check`", of_check[i]);
    krules_book *book = krules_open(cli->k, cli_value(cli, "book") ? cli_value(cli, "book") : "kokoah/pay");
    if (!book)
        return krules_status(cli->k);
    return checks ? check(cli, book, path) : info(cli, book, path);
}
