/* cli.h: a command line as read: verb, arguments, flags; and what every command needs to answer. */
#ifndef KR_CMD_CLI_H
#define KR_CMD_CLI_H

#include <stdio.h>

#include "vm/krules.h"

enum { CLI_FLAGS = 200 };

typedef struct cli_flag {
    const char *verb;  /* "all": every command */
    char letter;       /* 0: none */
    const char *name, *value, *doc;
} cli_flag;

struct cli_line;

typedef struct cli_command {
    const char *verb, *arguments, *summary, *text;
    int (*run)(struct cli_line *cli);
} cli_command;

typedef struct cli_example { const char *verb, *line, *what; } cli_example;
typedef struct cli_exit { const char *verb; int status; const char *when; } cli_exit;

extern const cli_command cli_commands[]; /* each list ends with a NULL verb */
extern const cli_flag cli_flags[];
extern const cli_example cli_examples[];
extern const cli_exit cli_exits[];

typedef struct cli_line {
    krules *k;
    const cli_command *command;
    const char **args;
    int arg_count;
    const char *given[CLI_FLAGS]; /* by the flag's place in cli_flags: its value, "" for one without; NULL: not given */
    char *joined[CLI_FLAGS];      /* values of a flag that may be given again (its VALUE ends in ` …`), apart by newlines; freed by main */
    bool json, quiet, colour_out, colour_err;
    size_t printed;               /* messages of the session already shown */
} cli_line;

const char *cli_value(const cli_line *cli, const char *flag); /* NULL: not given */
static inline bool cli_has(const cli_line *cli, const char *flag) { return cli_value(cli, flag) != NULL; }

/* The values of a flag that may be given again; *count of them; in memory of the caller's (free the list, then nothing else). */
const char **cli_values(cli_line *cli, const char *flag, size_t *count);

/* Read argv into cli. false: messages. */
bool cli_read(cli_line *cli, int argc, char **argv);
/* Show the messages that were not shown yet: on standard error, or with --json as objects on standard output. */
void cli_messages(cli_line *cli);
/* Wrong use: a message with help; gives the exit status 2. */
int cli_wrong(cli_line *cli, const char *place, const char *help, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* One line on standard error that says what was done; not with --quiet. */
void cli_done(const cli_line *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* JSON string to a stream. */
void cli_json_string(FILE *out, const char *text);
/* A code with its title and explanation: one object. */
void cli_json_code(FILE *out, const krules_code *code);

int cmd_eval(cli_line *cli);
int cmd_check(cli_line *cli);
int cmd_calc(cli_line *cli);
int cmd_explain(cli_line *cli);
int cmd_test(cli_line *cli);
int cmd_report(cli_line *cli);
int cmd_verify(cli_line *cli);
int cmd_diff(cli_line *cli);
int cmd_propose(cli_line *cli);
int cmd_sweep(cli_line *cli);
int cmd_weights(cli_line *cli);
int cmd_replay(cli_line *cli);
int cmd_publish(cli_line *cli);
int cmd_timestamp(cli_line *cli);
int cmd_withdraw(cli_line *cli);
int cmd_cosign(cli_line *cli);
int cmd_keys(cli_line *cli);
int cmd_log(cli_line *cli);
int cmd_import(cli_line *cli);
int cmd_data(cli_line *cli);
int cmd_help(cli_line *cli);
/* Commands that sign (signing.c): their flags (false: a message), a whole number of a flag (0: not given), BOOK@N, and the report at the
 * end, which gives the exit status. */
bool cli_signing(cli_line *cli, krules_signing *out);
bool cli_number(cli_line *cli, const char *flag, int *out);
bool cli_book_version(cli_line *cli, const char *what, char *book, size_t size, int *version);
int cli_signed(cli_line *cli, bool ok, const krules_published *done);

void cli_help_command(FILE *out, const cli_command *command);
void cli_help_short(FILE *out); /* what krules says without arguments */

#endif
