/*
 * The queries of "penstock bench state" by plain loops over arrays: one for each field, filled before anything is measured. No
 * keys, no readers beside writers, no plans: what is left is what the machine can do.
 *
 * usage: state_loops, with commands on standard input, a line each; answers on standard output, a JSON object each
 *
 *   clock                              GHz by additions that wait for each other
 *   load ROWS SEED VERSION             makes the rows
 *   scan THREADS PREFIX CENTS LOW HIGH counts symbol LIKE 'xx%' AND price > c AND qty BETWEEN a AND b; PREFIX -1 is any symbol
 *   scans N (PREFIX CENTS LOW HIGH)…   the same for many, each block of rows for all of them
 *   group                              count and mean price by symbol
 *   top N                              the highest prices
 *   overwrite COUNT LENGTH             copies messages over others in an order that no cache predicts
 *   documents COUNT                    finds three fields of JSON of 400 bytes, stores message and fields, tests them
 */
#define _GNU_SOURCE
#include "plain.h"
#include <pthread.h>

#define PREFIX_COUNT 16
#define SUFFIX_COUNT 64
#define SYMBOL_COUNT (PREFIX_COUNT * SUFFIX_COUNT)
#define BLOCK_ROWS 2048
#define QUERIES_MAX 64
#define THREADS_MAX 64
#define TOP_MAX 1000
#define OVERWRITTEN_MAX ((size_t)1 << 30)
#define RECORD_LENGTH_MAX 4096
#define DOCUMENT_COUNT 512
#define DOCUMENT_LENGTH 400

static int64_t row_count;
static uint32_t *symbols;   /* four letters, the first one lowest */
static uint16_t *symbol_ids; /* the same as a small number */
static double *prices;
static int32_t *quantities;
static char *overwritten;
static size_t overwritten_length;

struct query {
    uint32_t prefix;
    uint32_t mask; /* of the letters that are compared */
    int32_t low;
    int32_t high;
    double price;
};

/* The letters of a symbol, as io.penstock.bench.state.RowDocuments has them. */
static uint32_t symbol_letters(int prefix, int suffix)
{
    return (uint32_t)('A' + prefix) | (uint32_t)('A' + (prefix * 7 + 3) % 26) << 8
        | (uint32_t)('A' + suffix / 8) << 16 | (uint32_t)('A' + suffix % 8) << 24;
}

static void load(int64_t count, uint64_t seed, uint64_t version)
{
    if (count != row_count) {
        free(symbols);
        free(symbol_ids);
        free(prices);
        free(quantities);
        row_count = count;
        symbols = allocate((size_t)count * sizeof *symbols);
        symbol_ids = allocate((size_t)count * sizeof *symbol_ids);
        prices = allocate((size_t)count * sizeof *prices);
        quantities = allocate((size_t)count * sizeof *quantities);
    }
    for (int64_t row = 0; row < count; row++) {
        const uint64_t fixed = mix((uint64_t)row + seed * 0x100000001B3u);
        const uint64_t changing = mix(fixed + version);
        const int prefix = __builtin_ctzll(fixed | 1u << (PREFIX_COUNT - 1));
        const int suffix = (int)(fixed >> 16 & (SUFFIX_COUNT - 1));
        symbols[row] = symbol_letters(prefix, suffix);
        symbol_ids[row] = (uint16_t)(prefix * SUFFIX_COUNT + suffix);
        prices[row] = (double)(10000 + (changing >> 8 & 0xFFFFFF) % 40000) / 100.0;
        quantities[row] = (int32_t)(1000 + (changing >> 32 & 0xFFFFFF) % 9000);
    }
}

static struct query next_query(char **rest)
{
    struct query query;
    const int prefix = (int)next_number(rest);
    query.mask = prefix < 0 ? 0 : 0xFFFF;
    query.prefix = prefix < 0 ? 0 : symbol_letters(prefix, 0) & query.mask;
    query.price = (double)next_number(rest) / 100.0;
    query.low = (int32_t)next_number(rest);
    query.high = (int32_t)next_number(rest);
    return query;
}

VECTORIZED static int64_t count_matches(
    const uint32_t *symbol, const double *price, const int32_t *quantity, int64_t count, struct query query)
{
    int64_t matches = 0;
    for (int64_t i = 0; i < count; i++)
        matches += ((symbol[i] & query.mask) == query.prefix) & (price[i] > query.price) & (quantity[i] >= query.low)
            & (quantity[i] <= query.high);
    return matches;
}

struct part {
    int64_t from;
    int64_t to;
    struct query query;
    int64_t matches;
};

static void *scan_part(void *argument)
{
    struct part *part = argument;
    part->matches = count_matches(symbols + part->from, prices + part->from, quantities + part->from,
        part->to - part->from, part->query);
    return NULL;
}

static void scan(int threads, struct query query)
{
    static struct part parts[THREADS_MAX];
    static pthread_t started[THREADS_MAX];
    const struct watch since = watch_start();
    int64_t matches = 0;
    for (int i = 0; i < threads; i++) {
        parts[i] = (struct part){row_count * i / threads, row_count * (i + 1) / threads, query, 0};
        if (i > 0 && pthread_create(&started[i], NULL, scan_part, &parts[i]) != 0) {
            fprintf(stderr, "state_loops: cannot start a thread\n");
            exit(1);
        }
    }
    scan_part(&parts[0]);
    matches = parts[0].matches;
    for (int i = 1; i < threads; i++) {
        pthread_join(started[i], NULL);
        matches += parts[i].matches;
    }
    printf("{\"count\":%lld", (long long)matches);
    print_times(since);
}

static void scans(int count, const struct query *queries)
{
    int64_t matches[QUERIES_MAX] = {0};
    const struct watch since = watch_start();
    for (int64_t from = 0; from < row_count; from += BLOCK_ROWS) {
        const int64_t rows = row_count - from < BLOCK_ROWS ? row_count - from : BLOCK_ROWS;
        for (int i = 0; i < count; i++)
            matches[i] += count_matches(symbols + from, prices + from, quantities + from, rows, queries[i]);
    }
    printf("{\"values\":[");
    for (int i = 0; i < count; i++)
        printf("%s%lld", i == 0 ? "" : ",", (long long)matches[i]);
    printf("]");
    print_times(since);
}

static void group(void)
{
    static int64_t counts[SYMBOL_COUNT];
    static double sums[SYMBOL_COUNT];
    memset(counts, 0, sizeof counts);
    memset(sums, 0, sizeof sums);
    const struct watch since = watch_start();
    for (int64_t row = 0; row < row_count; row++) {
        counts[symbol_ids[row]]++;
        sums[symbol_ids[row]] += prices[row];
    }
    const char *separator = "";
    printf("{\"values\":[");
    for (int i = 0; i < SYMBOL_COUNT; i++) {
        if (counts[i] > 0) {
            printf("%s%u,%lld,%.17g", separator, symbol_letters(i / SUFFIX_COUNT, i % SUFFIX_COUNT),
                (long long)counts[i], sums[i] / (double)counts[i]);
            separator = ",";
        }
    }
    printf("]");
    print_times(since);
}

/* Keeps the highest in a heap whose first one is the lowest of them. */
static void top(int limit)
{
    static double heap[TOP_MAX];
    int count = 0;
    const struct watch since = watch_start();
    for (int64_t row = 0; row < row_count; row++) {
        const double price = prices[row];
        int at;
        if (count < limit) {
            for (at = count++; at > 0 && heap[(at - 1) / 2] > price; at = (at - 1) / 2)
                heap[at] = heap[(at - 1) / 2];
        } else if (price > heap[0]) {
            at = 0;
            for (int child = 1; child < count; child = 2 * at + 1) {
                if (child + 1 < count && heap[child + 1] < heap[child])
                    child++;
                if (heap[child] >= price)
                    break;
                heap[at] = heap[child];
                at = child;
            }
        } else {
            continue;
        }
        heap[at] = price;
    }
    printf("{\"values\":[");
    for (int i = 0; i < count; i++)
        printf("%s%.17g", i == 0 ? "" : ",", heap[i]);
    printf("]");
    print_times(since);
}

static void overwrite(int64_t count, size_t length)
{
    static char record[RECORD_LENGTH_MAX];
    const size_t all = (size_t)row_count * length;
    const size_t places = (all < OVERWRITTEN_MAX ? all : OVERWRITTEN_MAX) / length;
    if (overwritten_length != places * length) {
        free(overwritten);
        overwritten_length = places * length;
        overwritten = allocate(overwritten_length);
        memset(overwritten, 1, overwritten_length);
    }
    const struct watch since = watch_start();
    for (int64_t i = 0; i < count; i++) {
        const uint64_t number = mix((uint64_t)i);
        record[number >> 8 & 63]++;
        memcpy(overwritten + number % places * length, record, length);
    }
    printf("{\"bytes\":%zu", places * length);
    print_times(since);
}

/* The quote that ends a text. */
static const char *end_of_text(const char *p, const char *end)
{
    const char *quote = memchr(p, '"', (size_t)(end - p));
    while (quote != NULL && quote[-1] == '\\')
        quote = memchr(quote + 1, '"', (size_t)(end - quote - 1));
    return quote == NULL ? end : quote;
}

/* The value of the next field; its name lies behind a quote. NULL when the document has no more. Texts are passed over as wholes. */
static const char *next_field(const char **at, const char *end, const char **name)
{
    const char *quote = memchr(*at, '"', (size_t)(end - *at));
    if (quote == NULL)
        return NULL;
    *name = quote + 1;
    const char *value = end_of_text(*name, end) + 2;
    if (value >= end)
        return NULL;
    const char *p = value;
    if (*p == '"')
        p = end_of_text(p + 1, end) + 1;
    else
        while (p < end && *p != ',' && *p != '}')
            p++;
    *at = p < end ? p : end;
    return value;
}

static double parse_decimal(const char *p)
{
    int64_t digits = 0;
    int decimals = 0;
    for (; (*p >= '0' && *p <= '9') || *p == '.'; p++) {
        if (*p == '.') {
            decimals = 1;
        } else {
            digits = digits * 10 + (*p - '0');
            decimals *= 10;
        }
    }
    return decimals > 1 ? (double)digits / decimals : (double)digits;
}

static void documents(int64_t count)
{
    static char made[DOCUMENT_COUNT][DOCUMENT_LENGTH + 1];
    for (int i = 0; i < DOCUMENT_COUNT; i++) {
        const uint64_t number = mix((uint64_t)i);
        int length = snprintf(made[i], sizeof made[i],
            "{\"id\":%lld,\"symbol\":\"%c%cAB\",\"side\":\"B\",\"price\":%d.%02d,\"qty\":%d,\"venue\":\"XNAS\","
            "\"account\":\"ACCT1234\",\"created\":1700000000000,\"text\":\"",
            1000000000LL + i, 'A' + (int)(number % 16), 'A' + (int)(number >> 8 & 15), 100 + (int)(number >> 16 & 255),
            (int)(number >> 24 & 63), 1000 + (int)(number >> 32 & 4095));
        memset(made[i] + length, 'x', (size_t)(DOCUMENT_LENGTH - length));
        memcpy(made[i] + DOCUMENT_LENGTH - 2, "\"}", 3);
    }
    const size_t places = (size_t)(count < 1 << 20 ? count : 1 << 20);
    char *stored = allocate(places * DOCUMENT_LENGTH);
    uint32_t *symbol = allocate(places * sizeof *symbol);
    double *price = allocate(places * sizeof *price);
    int32_t *quantity = allocate(places * sizeof *quantity);
    memset(stored, 1, places * DOCUMENT_LENGTH);
    int64_t matches = 0;
    const struct watch since = watch_start();
    for (int64_t i = 0; i < count; i++) {
        const char *at = made[i & (DOCUMENT_COUNT - 1)];
        const char *end = at + DOCUMENT_LENGTH;
        const size_t place = mix((uint64_t)i) % places;
        memcpy(stored + place * DOCUMENT_LENGTH, at, DOCUMENT_LENGTH);
        const char *name;
        for (const char *value = next_field(&at, end, &name); value != NULL; value = next_field(&at, end, &name)) {
            if (memcmp(name, "symbol\"", 7) == 0)
                memcpy(&symbol[place], value + 1, 4);
            else if (memcmp(name, "price\"", 6) == 0)
                price[place] = parse_decimal(value);
            else if (memcmp(name, "qty\"", 4) == 0)
                quantity[place] = (int32_t)parse_decimal(value);
        }
        matches += (symbol[place] & 0xFF) == 'A' && price[place] > 200 && quantity[place] < 3000;
    }
    printf("{\"count\":%lld", (long long)matches);
    print_times(since);
    free(stored);
    free(symbol);
    free(price);
    free(quantity);
}

static long long bounded(long long number, long long min, long long max)
{
    if (number < min || number > max) {
        fprintf(stderr, "state_loops: out of range: %lld (%lld to %lld)\n", number, min, max);
        exit(2);
    }
    return number;
}

static void answer(const char *word, char *rest)
{
    if (strcmp(word, "load") == 0) {
        const struct watch since = watch_start();
        const int64_t count = bounded(next_number(&rest), 1, INT32_MAX);
        const uint64_t seed = (uint64_t)next_number(&rest);
        load(count, seed, (uint64_t)next_number(&rest));
        printf("{\"rows\":%lld", (long long)row_count);
        print_times(since);
    } else if (strcmp(word, "scan") == 0) {
        const int threads = (int)bounded(next_number(&rest), 1, THREADS_MAX);
        scan(threads, next_query(&rest));
    } else if (strcmp(word, "scans") == 0) {
        struct query queries[QUERIES_MAX];
        const int count = (int)bounded(next_number(&rest), 1, QUERIES_MAX);
        for (int i = 0; i < count; i++)
            queries[i] = next_query(&rest);
        scans(count, queries);
    } else if (strcmp(word, "group") == 0) {
        group();
    } else if (strcmp(word, "top") == 0) {
        top((int)bounded(next_number(&rest), 1, TOP_MAX));
    } else if (strcmp(word, "overwrite") == 0) {
        const int64_t count = bounded(next_number(&rest), 1, INT32_MAX);
        overwrite(count, (size_t)bounded(next_number(&rest), 1, RECORD_LENGTH_MAX));
    } else if (strcmp(word, "documents") == 0) {
        documents(bounded(next_number(&rest), 1, INT32_MAX));
    } else {
        fprintf(stderr, "state_loops: no such command: %s\n", word);
        exit(2);
    }
}

int main(void)
{
    return serve(answer);
}
