/* tips.c: compute a rulebook from within a program.
 *   cc tips.c -I../.. ../../build/libkrules.a $(pkg-config --libs lua5.4 sqlite3 libcjson libcrypto mpfr gmp zlib) -lpthread
 *   ./a.out ../five-lines/tips.lua ../five-lines/data */
#include <stdio.h>

#include "vm/krules.h"

static int complain(krules *k)
{
    for (size_t i = 0; i < krules_message_count(k); i++)
        fputs(krules_message_text(k, i, false), stderr);
    int status = krules_status(k);
    krules_free(k);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return fprintf(stderr, "usage: tips RULES DATA\n"), KRULES_USE;
    krules *k = krules_new();
    krules_book *book = krules_open(k, argv[1]);
    krules_data *data = book ? krules_load(book, argv[2]) : NULL;
    krules_result *result = data ? krules_eval(book, data, NULL) : NULL;
    if (!result)
        return complain(k);
    for (size_t sheet = 0; sheet < krules_sheet_count(result); sheet++) {
        size_t columns = krules_column_count(result, sheet);
        printf("%s\n", krules_sheet_name(result, sheet));
        for (size_t row = 0; row < krules_row_count(result, sheet); row++)
            for (size_t column = 0; column < columns; column++)
                printf("%s=%s%c", krules_column_at(result, sheet, column).name, krules_cell(result, sheet, row, column), column + 1 < columns ? ' ' : '\n');
    }
    krules_free(k);
    return KRULES_OK;
}
