/*
 * What the programs of plain loops share: numbers that follow from other numbers, times, the clock of the CPU, and the words of
 * a command. The numbers are those of io.penstock.bench.plain.Mix.
 */
#ifndef PENSTOCK_PLAIN_H
#define PENSTOCK_PLAIN_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LINE_LENGTH_MAX (1 << 16)

/* Loops over arrays are made for the vectors of the CPU that runs them. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define VECTORIZED __attribute__((optimize("O3"), target_clones("avx512f", "avx2", "default")))
#else
#define VECTORIZED
#endif

static inline uint64_t mix(uint64_t number)
{
    uint64_t mixed = (number + 1) * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

static inline int64_t time_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct watch {
    int64_t wall_ns;
    int64_t cpu_ns;
};

static inline struct watch watch_start(void)
{
    return (struct watch){time_ns(CLOCK_MONOTONIC), time_ns(CLOCK_PROCESS_CPUTIME_ID)};
}

/* Ends an answer with how long it took, of all threads. */
static inline void print_times(struct watch since)
{
    const int64_t wall_ns = time_ns(CLOCK_MONOTONIC) - since.wall_ns;
    const int64_t cpu_ns = time_ns(CLOCK_PROCESS_CPUTIME_ID) - since.cpu_ns;
    printf(",\"wall_ns\":%lld,\"cpu_ns\":%lld}\n", (long long)wall_ns, (long long)cpu_ns);
    fflush(stdout);
}

/* One addition, which the compiler neither leaves out nor joins with another; one more instruction would be seen in the clock. */
#if defined(__x86_64__)
#define ADD(sum, step) __asm__ volatile("addq %1, %0" : "+r"(sum) : "r"(step) : "cc")
#elif defined(__aarch64__)
#define ADD(sum, step) __asm__ volatile("add %0, %0, %1" : "+r"(sum) : "r"(step))
#else
#define ADD(sum, step)                                                                                                 \
    do {                                                                                                               \
        (sum) += (step);                                                                                               \
        __asm__ volatile("" : "+r"(sum));                                                                              \
    } while (0)
#endif

/*
 * The clock of the CPU in GHz: each addition waits for the one before, so that a nanosecond has as many as the CPU has
 * cycles. The fastest of many short pieces counts: nothing else ran in that one.
 */
static inline double clock_ghz(void)
{
    enum { PIECES = 60, ROUNDS = 100000, ADDS = 8 };
    double best = 0;
    uint64_t sum = 1;
    uint64_t step = 3;
    for (int piece = 0; piece < PIECES; piece++) {
        const int64_t start_ns = time_ns(CLOCK_MONOTONIC);
        for (int i = 0; i < ROUNDS; i++) {
            ADD(sum, step);
            ADD(sum, step);
            ADD(sum, step);
            ADD(sum, step);
            ADD(sum, step);
            ADD(sum, step);
            ADD(sum, step);
            ADD(sum, step);
        }
        const int64_t took_ns = time_ns(CLOCK_MONOTONIC) - start_ns;
        const double ghz = took_ns > 0 ? (double)ROUNDS * ADDS / (double)took_ns : 0;
        if (ghz > best)
            best = ghz;
    }
    return best;
}

/* The next word of a command as a number; ends the program when there is none. */
static inline long long next_number(char **rest)
{
    char *end;
    const long long number = strtoll(*rest, &end, 10);
    if (end == *rest) {
        fprintf(stderr, "plain loops: not a number: %s\n", *rest);
        exit(2);
    }
    *rest = end;
    return number;
}

static inline void *allocate(size_t length)
{
    void *memory = length == 0 ? malloc(1) : malloc(length);
    if (memory == NULL) {
        fprintf(stderr, "plain loops: no memory for %zu bytes\n", length);
        exit(1);
    }
    return memory;
}

/* Takes lines from standard input, each a word and numbers, until there are no more. */
static inline int serve(void (*answer)(const char *word, char *rest))
{
    static char line[LINE_LENGTH_MAX];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *rest = line + strcspn(line, " \n");
        if (*rest != '\0')
            *rest++ = '\0';
        if (strcmp(line, "clock") == 0) {
            printf("{\"ghz\":%.4f}\n", clock_ghz());
            fflush(stdout);
        } else {
            answer(line, rest);
        }
    }
    return 0;
}

#endif
