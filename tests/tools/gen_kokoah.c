/* gen_kokoah: made-up input tables of the pay rule, the same bytes for the same arguments on every machine.
 * usage: gen_kokoah OUTDIR [--miners 256] [--days 365] [--fills 2000000] [--seed 1]
 *
 * Every miner links one address at the start; each eighth shares its coldkey with the one before it and holds the opposite of its
 * positions. Positions follow from fills, value points walk at random, prices do too; some fills are off the mark, some against other miners. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { COINS = 8, HOUR = 3600000 };
static const int64_t day_ms = 86400000, start_day = 19723; /* 2024-01-01 */
static const char *coin_name[COINS] = { "BTC", "ETH", "SOL", "TAO", "HYPE", "DOGE", "kPEPE", "ARB" };

static uint64_t state;
static uint64_t next(void) /* splitmix64 */
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static int64_t below(int64_t n) { return (int64_t)(next() % (uint64_t)n); }

static FILE *table(const char *dir, const char *name, const char *header)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.csv", dir, name);
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
        exit(2);
    }
    fprintf(f, "%s\n", header);
    return f;
}
static void address(char out[43], int64_t i) { snprintf(out, 43, "0x%040llx", (unsigned long long)(i + 1) * 0x9E3779B97F4A7C15u); }
static void day_text(char out[40], int64_t day) /* civil date of a day number */
{
    int64_t z = day + 719468, era = z / 146097, doe = z - era * 146097, yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153, m = mp < 10 ? mp + 3 : mp - 9;
    snprintf(out, 40, "%04d-%02d-%02d", (int)(yoe + era * 400 + (m <= 2)), (int)m, (int)(doy - (153 * mp + 2) / 5 + 1));
}
/* A count of ten-thousandths as a decimal. */
static const char *decimal(char out[32], int64_t v)
{
    int64_t size = v < 0 ? -v : v;
    snprintf(out, 32, "%s%lld.%04d", v < 0 ? "-" : "", (long long)(size / 10000), (int)(size % 10000));
    return out;
}

int main(int argc, char **argv)
{
    int64_t miners = 256, days = 365, fills = 2000000;
    state = 1;
    if (argc < 2) {
        fprintf(stderr, "usage: gen_kokoah OUTDIR [--miners N] [--days N] [--fills N] [--seed N]\n");
        return 2;
    }
    for (int i = 2; i + 1 < argc; i += 2) {
        int64_t v = atoll(argv[i + 1]);
        if (!strcmp(argv[i], "--miners")) miners = v;
        else if (!strcmp(argv[i], "--days")) days = v;
        else if (!strcmp(argv[i], "--fills")) fills = v;
        else if (!strcmp(argv[i], "--seed")) state = (uint64_t)v;
        else return fprintf(stderr, "gen_kokoah: unknown option %s\n", argv[i]), 2;
    }
    mkdir(argv[1], 0777);
    char a[43], other[43], day[40], t1[32], t2[32], t3[32], t4[32];
    FILE *f = table(argv[1], "identity", "miner,hotkey,coldkey,address,master,linked_at,unlinked_at");
    for (int64_t m = 0; m < miners; m++) {
        address(a, m);
        fprintf(f, "m%05d,hot%05d,cold%05d,%s,,%lld,\n", (int)m, (int)m, (int)(m % 8 == 7 ? m - 1 : m), a, (long long)(start_day * day_ms + below(HOUR)));
    }
    fclose(f);

    FILE *candle = table(argv[1], "candle", "coin,span,time,close,volume");
    FILE *fill = table(argv[1], "fill", "address,time,coin,tid,side,px,sz,start_position,mark,counterparty,builder,market");
    FILE *point = table(argv[1], "value_point", "address,time,value,first");
    FILE *read = table(argv[1], "fill_read", "address,day,count,complete");
    FILE *position = table(argv[1], "position", "address,coin,day,size");
    FILE *flow = table(argv[1], "flow", "address,time,usd");
    FILE *agent = table(argv[1], "agent", "miner,day,verified");
    FILE *rate = table(argv[1], "pool_rate", "day,block,tao_per_alpha");
    int64_t (*held)[COINS] = calloc((size_t)miners, sizeof *held), *value = calloc((size_t)miners, sizeof *value);
    int64_t price[COINS] = { 650000000, 34000000, 1800000, 4500000, 250000, 1500, 120, 9000 }, tid = 1;
    if (!held || !value)
        return 2;
    for (int64_t m = 0; m < miners; m++)
        value[m] = 100000000 + below(500000000); /* 10,000 to 60,000 */
    for (int64_t d = -1; d <= days; d++) {
        int64_t t0 = (start_day + d) * day_ms;
        day_text(day, start_day + d);
        for (int c = 0; c < COINS; c++) {
            price[c] += price[c] * (below(2001) - 1000) / 50000;
            for (int h = 0; h < 24; h++)
                fprintf(candle, "%s,1h,%lld,%s,%d\n", coin_name[c], (long long)(t0 + h * HOUR), decimal(t1, price[c] + price[c] * (below(201) - 100) / 100000), (int)below(100000));
            for (int k = 0; k < 96; k++)
                fprintf(candle, "%s,1m,%lld,%s,%d\n", coin_name[c], (long long)(t0 + k * (int64_t)900000), decimal(t1, price[c] + price[c] * (below(201) - 100) / 100000), (int)below(100000));
        }
        for (int64_t m = 0; m < miners; m++) {
            address(a, m);
            for (int k = 0; k < 6; k++) {
                value[m] += value[m] * (below(2001) - 980) / 200000;
                fprintf(point, "%s,%lld,%s,0\n", a, (long long)(t0 + k * day_ms / 6 + below(HOUR)), decimal(t1, value[m]));
            }
            int64_t today = fills / (miners * days), base = 0;
            if (below(miners * days) < fills % (miners * days))
                today++;
            for (int64_t k = 0; k < today; k++) {
                int c = (int)(m + below(3)) % COINS;
                int64_t counter = below(50) == 0 ? below(miners) : miners + below(5000), mark = price[c] + price[c] * (below(201) - 100) / 100000;
                int64_t px = below(40) == 0 ? mark + mark * (below(401) - 200) / 10000 : mark + mark * (below(21) - 10) / 10000;
                int64_t want = (20000000 + below(20000000)) / (price[c] / 10000 + 1); /* about 2,000 to 4,000 USD */
                int64_t size = held[m][c] != 0 && below(3) == 0 ? (held[m][c] < 0 ? -held[m][c] : held[m][c]) : want + 1;
                int buy = held[m][c] != 0 ? held[m][c] < 0 : (int)(below(2));
                if (m % 8 == 7 && held[m][c] == 0)
                    buy = held[m - 1][c] < 0;
                int spot = below(60) == 0;
                base += (day_ms - 1) / (today + 1);
                address(other, counter);
                fprintf(fill, "%s,%lld,%s,%lld,%s,%s,%s,%s,%s,%s,%d,%s\n", a, (long long)(t0 + base), coin_name[c], (long long)tid++, buy ? "buy" : "sell", decimal(t1, px < 1 ? 1 : px), decimal(t2, size),
                        decimal(t3, held[m][c]), decimal(t4, mark < 1 ? 1 : mark), other, below(5) != 0, spot ? "spot" : "perp");
                if (!spot)
                    held[m][c] += buy ? size : -size;
            }
            fprintf(read, "%s,%s,%lld,1\n", a, day, (long long)today);
            for (int c = 0; c < COINS; c++)
                if (held[m][c] != 0 && below(4) == 0)
                    fprintf(position, "%s,%s,%s,%s\n", a, coin_name[c], day, decimal(t1, held[m][c]));
            if (below(60) == 0)
                fprintf(flow, "%s,%lld,%s\n", a, (long long)(t0 + below(day_ms)), decimal(t1, (below(2001) - 1000) * 10000));
            if (m % 4 == 0)
                fprintf(agent, "m%05d,%s,%d\n", (int)m, day, (int)below(2));
        }
        for (int k = 0; k < 20; k++)
            fprintf(rate, "%s,%lld,0.0%03d\n", day, (long long)((d + 2) * 7200 + k * 360), 300 + (int)below(20));
    }
    fclose(table(argv[1], "transfer", "sender,receiver,time"));
    FILE *all[] = { candle, fill, point, read, position, flow, agent, rate };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (fclose(all[i]) != 0) {
            perror("gen_kokoah");
            return 2;
        }
    free(held);
    free(value);
    return 0;
}
