/* propose.c: the next version of a book, written and reported, not published. */
#include <stdlib.h>
#include <string.h>

#include "vm/cmd/cli.h"
#include "vm/cmd/term.h"

int cmd_propose(cli_line *cli)
{
    if (cli->arg_count != 1)
        return cli_wrong(cli, NULL, "krules propose kokoah/pay --set name=value --effective DAY --why TEXT", "propose wants one rulebook or rule file");
    if (!cli_has(cli, "set") && !cli_has(cli, "from"))
        return cli_wrong(cli, NULL, "--set name=value, or --from an edited copy", "propose needs a change");
    if (!cli_has(cli, "effective"))
        return cli_wrong(cli, NULL, "--effective YYYY-MM-DD", "propose needs the day from which it would be in force");
    if (!cli_has(cli, "why") || !*cli_value(cli, "why"))
        return cli_wrong(cli, NULL, "--why TEXT", "propose needs a reason");
    term_progress progress;
    term_progress_start(&progress, "comparing");
    const char *threads = cli_value(cli, "threads"), *budget = cli_value(cli, "budget"), *path = "";
    char *end = "", *end2 = "";
    size_t count;
    const char **sets = cli_values(cli, "set", &count);
    krules_proposal p = { .sets = sets, .set_count = count, .file = cli_value(cli, "from"), .effective = cli_value(cli, "effective"), .why = cli_value(cli, "why"), .folder = cli_value(cli, "out") };
    p.compare = (krules_diff_options){ .data = cli_value(cli, "data"), .measure = cli_value(cli, "measure"), .threads = threads ? (int)strtol(threads, &end, 10) : 0,
                                       .budget = budget ? strtoull(budget, &end2, 10) : 0, .progress = term_progress_step, .progress_context = &progress };
    if (*end || *end2 || p.compare.threads < 0 || (budget && (*budget == '-' || !p.compare.budget))) {
        free(sets);
        return cli_wrong(cli, NULL, NULL, "--threads and --budget take whole numbers");
    }
    krules_diff *diff = krules_propose(cli->k, cli->args[0], &p, &path);
    term_progress_end(&progress);
    free(sets);
    cli_messages(cli);
    if (!diff)
        return krules_status(cli->k);
    fputs(krules_diff_report(diff, cli->json ? "json" : "text", false, 8), stdout);
    fflush(stdout);
    cli_done(cli, "wrote %s, and reports beside it (.md, .html); publish it with `krules publish %s --key KEY.pem`", path, path);
    return krules_status(cli->k);
}
