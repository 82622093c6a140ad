/* embed.c: a program that runs a rulebook through libkrules and prints who is owed what.
 *     cc -I. -o embed examples/embed/embed.c build/libkrules.a $(pkg-config --libs lua5.4 sqlite3 libcjson libcrypto mpfr gmp) -lz -lpthread
 *     ./embed rules/kokoah/pay/v1.lua data/kokoah account pay */
#include <stdio.h>
#include <string.h>

#include "vm/krules.h"

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: embed BOOK DATA SHEET COLUMN\n");
        return KRULES_USE;
    }
    krules *k = krules_new();
    krules_book *book = krules_open(k, argv[1]);
    krules_data *data = book ? krules_load(book, argv[2]) : NULL;
    krules_result *result = data ? krules_eval(book, data, &(krules_options){ .only = argv[3] }) : NULL;
    for (size_t row = 0; result && row < krules_row_count(result, 0); row++) {
        const char *day = krules_row_day(result, 0, row), *from, *to;
        if (day && krules_period(result, &from, &to) && strcmp(day, to) != 0)
            continue; /* the last day only */
        for (size_t c = 0; c < krules_column_count(result, 0); c++) {
            krules_column column = krules_column_at(result, 0, c);
            if (column.key || !strcmp(column.name, argv[4]))
                printf("%s%s", krules_cell(result, 0, row, c), column.key ? "\t" : "\n");
        }
    }
    for (size_t i = 0; i < krules_message_count(k); i++)
        fputs(krules_message_text(k, i, false), stderr);
    int status = krules_status(k);
    krules_free(k);
    return status;
}
