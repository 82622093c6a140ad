/* signing.c: what the commands that sign have in common: their flags, and the line that says what was done. */
#include <stdlib.h>
#include <string.h>

#include "vm/cmd/cli.h"

bool cli_signing(cli_line *cli, krules_signing *out)
{
    *out = (krules_signing){ cli_value(cli, "key"), cli_value(cli, "timestamp"), cli_value(cli, "why"), cli_value(cli, "now") };
    if (out->key)
        return true;
    cli_wrong(cli, NULL, "openssl genpkey -algorithm ed25519 -out KEY.pem makes one", "%s signs: it needs --key KEY.pem", cli->command->verb);
    return false;
}

bool cli_number(cli_line *cli, const char *flag, int *out)
{
    const char *text = cli_value(cli, flag);
    char *end;
    *out = 0;
    if (!text)
        return true;
    long n = strtol(text, &end, 10);
    if (!*end && end != text && n > 0 && n <= 1000000) {
        *out = (int)n;
        return true;
    }
    cli_wrong(cli, NULL, NULL, "--%s wants a whole number from 1, not `%s`", flag, text);
    return false;
}

bool cli_book_version(cli_line *cli, const char *what, char *book, size_t size, int *version)
{
    const char *at = strrchr(what, '@');
    char *end = NULL;
    long n = at ? strtol(at + 1 + (at[1] == 'v'), &end, 10) : 0;
    if (at && end && !*end && n > 0 && n <= 1000000 && (size_t)(at - what) < size) {
        snprintf(book, size, "%.*s", (int)(at - what), what);
        *version = (int)n;
        return true;
    }
    cli_wrong(cli, NULL, "krules withdraw kokoah/pay@2", "`%s` does not say which version: BOOK@N", what);
    return false;
}

static void print_json(const krules_published *p)
{
    printf("{\"entry\":%d,\"kind\":\"%s\",\"book\":", p->entry, p->kind);
    cli_json_string(stdout, p->book);
    printf(",\"version\":%d,\"effective_from\":\"%s\",\"notice\":%d,\"proven\":%s,\"complete\":%s,\"signatures\":%d,\"needed\":%d,\"path\":", p->version, p->effective_from, p->notice,
           p->proven ? "true" : "false", p->done ? "true" : "false", p->signatures, p->needed);
    cli_json_string(stdout, p->path);
    puts("}");
}

int cli_signed(cli_line *cli, bool ok, const krules_published *p)
{
    if (!ok)
        return krules_status(cli->k) ? krules_status(cli->k) : KRULES_GOVERNANCE;
    if (cli->json)
        print_json(p);
    else if (!p->done)
        cli_done(cli, "signed entry %d of %s (%s): %d of %d signatures; next: krules cosign %s --key KEY.pem", p->entry, p->book, p->about, p->signatures, p->needed, p->book);
    else if (!strcmp(p->about, "genesis"))
        cli_done(cli, "published %s v%d, in force from %s: the first entry of its ledger", p->book, p->version, p->effective_from);
    else if (!strcmp(p->about, "publish"))
        cli_done(cli, "published %s v%d, in force from %s (%d day%s of notice, %s); entry %d of its ledger", p->book, p->version, p->effective_from, p->notice, p->notice == 1 ? "" : "s",
                 p->proven ? "proven" : "unproven", p->entry);
    else if (!strcmp(p->about, "withdraw"))
        cli_done(cli, "withdrew %s v%d; entry %d of its ledger", p->book, p->version, p->entry);
    else
        cli_done(cli, "changed who may sign for %s; entry %d of its ledger", p->book, p->entry);
    return krules_status(cli->k);
}
