/*
 * How long a cache line takes to a second CPU and back. On virtual machines this moves with the placement of the CPUs,
 * and every figure of two threads handing data to each other moves with it.
 *
 * usage: cacheline_pingpong [MILLISECONDS]     (200)
 *
 * Prints one JSON object: the median, the least and the largest of batches.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BATCH 100
#define BATCHES_MAX 200000
#define MILLISECONDS_MAX 60000
#define STOP UINT64_MAX

static alignas(128) _Atomic uint64_t ball;
static alignas(128) double batch_ns[BATCHES_MAX];

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Answers every odd value with the even one after it. */
static void *answer(void *unused)
{
    (void)unused;
    for (;;) {
        const uint64_t value = atomic_load_explicit(&ball, memory_order_acquire);
        if (value == STOP)
            return NULL;
        if (value % 2 == 1)
            atomic_store_explicit(&ball, value + 1, memory_order_release);
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    long milliseconds = 200;
    if (argc > 1) {
        char *end;
        milliseconds = strtol(argv[1], &end, 10);
        if (*argv[1] == '\0' || *end != '\0' || milliseconds < 1 || milliseconds > MILLISECONDS_MAX) {
            fprintf(stderr, "cacheline_pingpong: not a number from 1 to %d: %s\n", MILLISECONDS_MAX, argv[1]);
            return 2;
        }
    }

    cpu_set_t cpus;
    if (sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) < 2) {
        fprintf(stderr, "cacheline_pingpong: needs two CPUs, this process may use one\n");
        return 1;
    }

    pthread_t peer;
    if (pthread_create(&peer, NULL, answer, NULL) != 0) {
        fprintf(stderr, "cacheline_pingpong: cannot start a thread\n");
        return 1;
    }

    const int64_t end_ns = now_ns() + milliseconds * 1000000;
    uint64_t value = 0;
    size_t batches = 0;
    for (int64_t before_ns = now_ns(); before_ns < end_ns && batches < BATCHES_MAX;) {
        for (int i = 0; i < BATCH; i++) {
            atomic_store_explicit(&ball, value + 1, memory_order_release);
            value += 2;
            while (atomic_load_explicit(&ball, memory_order_acquire) != value) {
            }
        }
        const int64_t after_ns = now_ns();
        batch_ns[batches++] = (double)(after_ns - before_ns) / BATCH;
        before_ns = after_ns;
    }
    atomic_store_explicit(&ball, STOP, memory_order_release);
    pthread_join(peer, NULL);

    qsort(batch_ns, batches, sizeof *batch_ns, ascending);
    printf("{\"probe\":\"cacheline_pingpong\",\"round_trips\":%zu,\"ns_per_round_trip\":%.1f,\"min_ns\":%.1f,"
           "\"max_ns\":%.1f}\n",
           batches * BATCH, batch_ns[batches / 2], batch_ns[0], batch_ns[batches - 1]);
    return 0;
}
