/* log.c: the history of a rulebook: its ledger, or one parameter or formula over its versions. */
#include <stdlib.h>
#include <string.h>

#include "vm/cmd/cli.h"

/* ------------------------------------------------------------------ the ledger */

static void entry_json(const krules_entry *e)
{
    const struct { const char *name, *text; } texts[] = {
        { "kind", e->kind },       { "state", e->state },     { "time", e->time }, { "effective_from", e->effective_from }, { "until", e->until },       { "authority", e->authority },
        { "signed_by", e->signed_by }, { "about", e->about }, { "why", e->why },   { "file_sha256", e->file_sha256 },       { "model_sha256", e->model_sha256 }, { "sha256", e->hash },
    };
    printf("{\"entry\":%d,\"version\":%d,\"notice\":%d,\"notice_days\":%d,\"emergency\":%s,\"proven\":%s,\"signatures\":%d,\"needed\":%d", e->seq, e->version, e->notice, e->notice_days,
           e->emergency ? "true" : "false", e->proven ? "true" : "false", e->signatures, e->needed);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        printf(",\"%s\":", texts[i].name);
        cli_json_string(stdout, texts[i].text);
    }
    puts("}");
}

/* What somebody wrote, in one line: a ledger made elsewhere may have line breaks and control characters in it, a certificate too. */
static void print_line(const char *before, const char *text)
{
    fputs(before, stdout);
    for (const char *p = text; *p; p++)
        putchar((unsigned char)*p < 0x20 || *p == 0x7f ? ' ' : *p);
}

static void entry_text(const krules_entry *e)
{
    bool publication = *e->effective_from, first = !strcmp(e->kind, "genesis");
    printf("%3d  ", e->seq);
    bool never = !strcmp(e->state, "withdrawn") || !strcmp(e->state, "lapsed");
    if (publication) {
        printf("v%-3d %-9s  %s%s%s  published %.10s", e->version, e->state, e->effective_from, never ? "    " : " to ", *e->until ? e->until : never ? "          " : "…         ", e->time);
        if (first)
            printf(", the first entry");
        else
            printf(", %d day%s of notice%s", e->notice, e->notice == 1 ? "" : "s", e->emergency ? " (emergency)" : "");
    } else {
        printf("     %-9s  %-32s  signed %.10s", e->kind, e->about, e->time);
    }
    print_line(e->proven ? ", proven by " : publication && !first ? ", unproven by " : " by ", e->signed_by);
    if (!strcmp(e->state, "waiting"))
        printf(" (%d of %d)", e->signatures, e->needed);
    else if (never && !publication)
        printf(" (%s)", e->state);
    if (*e->authority) {
        print_line("\n                  timestamp of ", e->authority);
        fputs(e->authority_named ? "" : " (an authority that the ledger does not name)", stdout);
    }
    if (*e->why)
        print_line("\n                  why: ", e->why);
    putchar('\n');
}

static int show_ledger(cli_line *cli, krules_ledger *ledger)
{
    for (size_t i = 0; i < krules_entry_count(ledger); i++) {
        krules_entry e = krules_entry_at(ledger, i);
        if (cli->json)
            entry_json(&e);
        else
            entry_text(&e);
    }
    return krules_status(cli->k);
}

static int show_headers(cli_line *cli, const krules_book *book)
{
    for (size_t i = 0; i < krules_version_count(book); i++) {
        krules_version v = krules_version_at(book, i);
        if (cli->json) {
            printf("{\"version\":%d,\"effective_from\":\"%s\",\"notice_days\":%d,\"title\":", v.number, v.effective_from, v.notice_days);
            cli_json_string(stdout, v.title);
            printf(",\"file_sha256\":\"%s\"}\n", v.sha256);
        } else {
            printf("     v%-3d from %s  %s\n", v.number, v.effective_from, v.title);
        }
    }
    cli_done(cli, "%s has no ledger: the headers of its files decide", krules_book_name(book));
    return krules_status(cli->k);
}

/* ------------------------------------------------------------------ one parameter or formula */

static const char *entry_of(krules_ledger *ledger, int version, krules_entry *out)
{
    for (size_t i = 0; ledger && i < krules_entry_count(ledger); i++) {
        *out = krules_entry_at(ledger, i);
        if (out->version == version && *out->effective_from)
            return out->why;
    }
    *out = (krules_entry){ .until = "", .state = "", .why = "" };
    return "";
}

static void item_json(const krules_version *v, const krules_item *item, const krules_entry *e, const char *name, bool changed)
{
    const struct { const char *name, *text; } texts[] = {
        { "name", name },           { "effective_from", v->effective_from }, { "until", e->until }, { "state", e->state },
        { "written", item->written }, { "meaning", item->meaning },          { "unit", item->unit }, { "why", e->why },
    };
    printf("{\"version\":%d,\"changed\":%s", v->number, changed ? "true" : "false");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        printf(",\"%s\":", texts[i].name);
        cli_json_string(stdout, texts[i].text);
    }
    puts("}");
}

static int show_item(cli_line *cli, krules_book *book, krules_ledger *ledger, const char *name)
{
    char *before = NULL;
    for (size_t i = 0; i < krules_version_count(book); i++) {
        krules_version v = krules_version_at(book, i);
        krules_item item;
        krules_entry e;
        if (!krules_version_item(book, i, name, &item)) {
            krules_complain(cli->k, "E0804", krules_book_name(book), "no version has this parameter or formula", "a parameter is named alone, a formula as sheet.column");
            return KRULES_USE;
        }
        entry_of(ledger, v.number, &e);
        bool changed = before && strcmp(before, item.meaning) != 0;
        if (cli->json) {
            item_json(&v, &item, &e, name, changed);
        } else if (!before || changed) { /* a version that leaves it as it was has nothing to say here */
            printf("v%-3d from %s%s%s%s\n", v.number, v.effective_from, *e.state ? "  " : "", e.state, e.emergency ? " (emergency)" : "");
            printf("     %s%s%s%s\n", *item.meaning ? item.written : "(not there)", *item.unit && *item.meaning ? " [" : "", *item.meaning ? item.unit : "", *item.unit && *item.meaning ? "]" : "");
            if (*e.why) {
                print_line("     why: ", e.why);
                putchar('\n');
            }
        }
        free(before);
        before = strdup(item.meaning);
    }
    free(before);
    return krules_status(cli->k);
}

int cmd_log(cli_line *cli)
{
    const char *formula = cli_value(cli, "formula"), *param = cli_value(cli, "param"), *authority = cli_value(cli, "authority");
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules log kokoah/pay", "log wants one rulebook");
    if ((formula != NULL) + (param != NULL) + cli_has(cli, "check") > 1)
        return cli_wrong(cli, NULL, NULL, "--formula, --param and --check are asked one at a time");
    if (authority && !cli_has(cli, "check"))
        return cli_wrong(cli, NULL, NULL, "--authority goes with --check");
    if (formula && !strchr(formula, '.'))
        return cli_wrong(cli, NULL, "--formula account.credit", "a formula is named sheet.column");
    const char *name = cli->args[0];
    bool kept = krules_has_ledger(cli->k, name) || cli_has(cli, "check");
    krules_ledger *ledger = kept ? krules_ledger_open(cli->k, name, cli_value(cli, "now")) : NULL;
    if (kept && !ledger)
        return krules_status(cli->k);
    if (cli_has(cli, "check")) {
        bool ok = krules_ledger_check(ledger, authority);
        if (cli->json)
            printf("{\"entries\":%zu,\"head\":\"%s\",\"holds\":%s}\n", krules_entry_count(ledger), krules_ledger_head(ledger), ok ? "true" : "false");
        else if (ok)
            printf("the ledger holds: %zu entr%s, head %s\n", krules_entry_count(ledger), krules_entry_count(ledger) == 1 ? "y" : "ies", krules_ledger_head(ledger));
        return ok ? KRULES_OK : krules_status(cli->k);
    }
    if (ledger && !formula && !param)
        return show_ledger(cli, ledger);
    krules_book *book = krules_open(cli->k, name);
    if (!book)
        return krules_status(cli->k);
    return formula || param ? show_item(cli, book, ledger, formula ? formula : param) : show_headers(cli, book);
}
