/* pages.h: documentation made of the command's own tables. */
#ifndef KR_CMD_PAGES_H
#define KR_CMD_PAGES_H

#include "vm/cmd/cli.h"

/* `krules help [commands | functions | errors] --format FORMAT`: the page on standard output; its exit status. */
int cli_page(cli_line *cli, const char *format);
/* A command with its flags, examples and exit statuses: one object. */
void cli_json_command(FILE *out, const cli_command *command);

#endif
