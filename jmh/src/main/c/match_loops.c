/*
 * The filters of "penstock bench match" as a plain loop, which evaluates one predicate after the other over fields that are read
 * already; and equality by one look into a hash table.
 *
 * usage: match_loops, with commands on standard input, a line each; answers on standard output, a JSON object each
 *
 *   clock                GHz by additions that wait for each other
 *   filters KIND N SEED  makes filters: 0 equality, 1 range, 2 text, 3 a mix
 *   match FROM COUNT     evaluates all filters on messages, one by one
 *   lookup FROM COUNT    finds the filters that are equalities by a hash table
 */
#define _GNU_SOURCE
#include "plain.h"

#define SPOT_COUNT 1000000000
#define LETTERS_MAX 6
#define NOTE_LENGTH 32
#define WORD_OFFSET 16
#define MESSAGES_MAX 1048576

enum { EQUALITY, RANGE, TEXT, MIX };
enum { ACCOUNT, SPOT, REF_BEGINS, NOTE_CONTAINS, ACCOUNT_AND_SPOT };

/* One filter; which of the numbers count depends on its shape. */
struct filter {
    int32_t shape;
    int32_t account;
    int32_t low;
    int32_t high;
    char letters[LETTERS_MAX + 2];
};

/* The fields of one message. */
struct message {
    int32_t account;
    int32_t spot;
    char ref[8];
    char note[NOTE_LENGTH + 1];
};

static int64_t filter_count;
static int letter_count;
static uint64_t letter_words;
static uint64_t seed;
static struct filter *filters;
static struct message *messages;
static int32_t *slots; /* the account of a filter that is an equality, or -1 */
static uint64_t slot_mask;

static void write_letters(uint64_t number, char *to)
{
    for (int i = 0; i < letter_count; i++) {
        to[i] = (char)('A' + number % 26);
        number /= 26;
    }
}

static struct filter make_filter(int kind, int64_t i)
{
    struct filter filter = {0};
    const uint64_t number = mix((uint64_t)i + seed * 0x100000001B3u);
    const int32_t width = (int32_t)(SPOT_COUNT / filter_count) > 0 ? (int32_t)(SPOT_COUNT / filter_count) : 1;
    const int of = kind == MIX ? (int)(i & 3) : kind;
    filter.account = (int32_t)i;
    switch (of) {
    case EQUALITY:
        filter.shape = ACCOUNT;
        break;
    case RANGE:
        filter.shape = SPOT;
        filter.low = (int32_t)(number % (uint64_t)(SPOT_COUNT - width + 1));
        filter.high = filter.low + width - 1;
        break;
    case TEXT:
        filter.shape = (kind == MIX ? i >> 2 : i) & 1 ? NOTE_CONTAINS : REF_BEGINS;
        write_letters(number % letter_words, filter.letters);
        break;
    default:
        filter.shape = ACCOUNT_AND_SPOT;
        filter.low = (int32_t)(number % SPOT_COUNT);
        filter.high = INT32_MAX;
        break;
    }
    return filter;
}

static struct message make_message(int64_t i)
{
    struct message message = {0};
    const uint64_t number = mix(~(uint64_t)i + seed * 0x100000001B3u);
    const uint64_t texts = mix(number);
    message.account = (int32_t)((number & 0xFFFFFFFF) % (uint64_t)filter_count);
    message.spot = (int32_t)((number >> 32) % SPOT_COUNT);
    memset(message.ref, 'A', sizeof message.ref);
    write_letters((texts & 0xFFFFFFFF) % letter_words, message.ref);
    memcpy(message.note, "order of client ...... desk 0000", NOTE_LENGTH);
    write_letters((texts >> 32) % letter_words, message.note + WORD_OFFSET);
    return message;
}

static int matches(const struct filter *filter, const struct message *message)
{
    switch (filter->shape) {
    case ACCOUNT:
        return message->account == filter->account;
    case SPOT:
        return message->spot >= filter->low && message->spot <= filter->high;
    case REF_BEGINS:
        return memcmp(message->ref, filter->letters, (size_t)letter_count) == 0;
    case NOTE_CONTAINS:
        return memmem(message->note, NOTE_LENGTH, filter->letters, (size_t)letter_count) != NULL;
    default:
        return message->account == filter->account && message->spot > filter->low;
    }
}

static void make_filters(int kind, int64_t count, uint64_t new_seed)
{
    filter_count = count;
    seed = new_seed;
    letter_count = 1;
    for (letter_words = 26; letter_words < (uint64_t)count && letter_count < LETTERS_MAX; letter_words *= 26)
        letter_count++;
    free(filters);
    free(slots);
    filters = allocate((size_t)count * sizeof *filters);
    slot_mask = 1;
    while (slot_mask < 2 * (uint64_t)count)
        slot_mask = slot_mask * 2;
    slots = allocate(slot_mask * sizeof *slots);
    memset(slots, 0xFF, slot_mask * sizeof *slots);
    slot_mask--;
    for (int64_t i = 0; i < count; i++) {
        filters[i] = make_filter(kind, i);
        if (filters[i].shape == ACCOUNT) {
            uint64_t slot = mix((uint64_t)filters[i].account) & slot_mask;
            while (slots[slot] >= 0)
                slot = (slot + 1) & slot_mask;
            slots[slot] = filters[i].account;
        }
    }
}

static void make_messages(int64_t from, int64_t count)
{
    if (messages == NULL)
        messages = allocate(MESSAGES_MAX * sizeof *messages);
    for (int64_t i = 0; i < count; i++)
        messages[i] = make_message(from + i);
}

static void match_all(int64_t count)
{
    int64_t matched = 0;
    const struct watch since = watch_start();
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < filter_count; j++)
            matched += matches(&filters[j], &messages[i]);
    printf("{\"count\":%lld", (long long)matched);
    print_times(since);
}

static void look_up_all(int64_t count)
{
    int64_t matched = 0;
    const struct watch since = watch_start();
    for (int64_t i = 0; i < count; i++)
        for (uint64_t slot = mix((uint64_t)messages[i].account) & slot_mask; slots[slot] >= 0;
             slot = (slot + 1) & slot_mask)
            matched += slots[slot] == messages[i].account;
    printf("{\"count\":%lld", (long long)matched);
    print_times(since);
}

static int64_t bounded(long long number, long long min, long long max)
{
    if (number < min || number > max) {
        fprintf(stderr, "match_loops: out of range: %lld (%lld to %lld)\n", number, min, max);
        exit(2);
    }
    return number;
}

static void answer(const char *word, char *rest)
{
    if (strcmp(word, "filters") == 0) {
        const struct watch since = watch_start();
        const int kind = (int)bounded(next_number(&rest), EQUALITY, MIX);
        const int64_t count = bounded(next_number(&rest), 1, 100000000);
        make_filters(kind, count, (uint64_t)next_number(&rest));
        printf("{\"filters\":%lld", (long long)filter_count);
        print_times(since);
    } else if (filter_count > 0 && (strcmp(word, "match") == 0 || strcmp(word, "lookup") == 0)) {
        const int64_t from = bounded(next_number(&rest), 0, INT64_MAX);
        const int64_t count = bounded(next_number(&rest), 1, MESSAGES_MAX);
        make_messages(from, count);
        if (strcmp(word, "match") == 0)
            match_all(count);
        else
            look_up_all(count);
    } else {
        fprintf(stderr, "match_loops: no such command: %s\n", word);
        exit(2);
    }
}

int main(void)
{
    return serve(answer);
}
