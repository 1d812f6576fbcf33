/*
 * What a C program gets out of an RDMA device, to compare the transport with: two processes, each polling without a pause,
 * over the same functions that Java calls.
 *
 *   rdma-peer ADDRESS echo LENGTH COUNT        round trips of a message; prints the median and the mean in ns
 *   rdma-peer ADDRESS stream LENGTH COUNT      messages one way, as many under way as fit; prints MB/s
 */
#define _GNU_SOURCE

#include "penstock.h"
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PORT 18515
#define WINDOW_MAX 16
#define WINDOW_LENGTH (64 * 1024 * 1024)
#define SIGNAL_INTERVAL 4
#define ANSWER_MS 5000
#define INLINE_LENGTH 256
#define NS_PER_S 1000000000LL

struct send {
    int64_t id;
    int32_t operation, flags;
    int64_t address;
    int32_t length, key;
    int64_t second_address;
    int32_t second_length, second_key;
    int64_t remote_address;
    int32_t remote_key, number;
};

struct receive {
    int64_t id, address;
    int32_t length, key;
};

struct completion {
    int64_t id;
    int32_t status, operation, length, number, vendor_error, zero;
};

struct side {
    int64_t channel, id, device, domain, queue;
    char *memory;
    int64_t registration;
    int32_t length, window, inline_length;
    int32_t key;
};

static void fail(const char *what, const int64_t error) {
    fprintf(stderr, "rdma-peer: %s: %s\n", what, strerror((int) -error));
    exit(1);
}

static int64_t checked(const char *what, const int64_t value) {
    if (value < 0) {
        fail(what, value);
    }
    return value;
}

static int64_t address_of(const void *pointer) {
    return (int64_t) (intptr_t) pointer;
}

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Waits for the next event, which is to be of a kind; returns its id. */
static int64_t await_event(const int64_t channel, const int32_t expected) {
    struct {
        int32_t event, status;
        int64_t id, listener;
        char rest[PENSTOCK_RDMA_EVENT_LENGTH - 24];
    } event;
    struct pollfd waited = {.fd = penstock_rdma_channel_descriptor(channel), .events = POLLIN};
    while (penstock_rdma_event(channel, address_of(&event)) == 0) {
        if (poll(&waited, 1, ANSWER_MS) == 0) {
            fail("no event", -ETIMEDOUT);
        }
    }
    if (event.event != expected) {
        fprintf(stderr, "rdma-peer: event %d, status %d, not event %d\n", event.event, event.status, expected);
        exit(1);
    }
    return event.id;
}

/* Two windows of messages: receives, then sends. */
static void open_side(struct side *side) {
    const size_t length = 2 * (size_t) side->window * (size_t) side->length;
    side->device = checked("device", penstock_rdma_device(side->id));
    side->domain = checked("domain", penstock_rdma_domain_open(side->device));
    side->queue = checked("queue", penstock_rdma_queue_open(side->device, 0, 4 * WINDOW_MAX, 0));
    side->inline_length = (int32_t) checked("pair",
            penstock_rdma_pair_open(
                    side->id, side->domain, side->queue, 2 * WINDOW_MAX, 2 * WINDOW_MAX, INLINE_LENGTH));
    side->memory =
            mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (side->memory == MAP_FAILED) {
        fail("memory", -errno);
    }
    side->registration =
            checked("registration", penstock_rdma_register(side->domain, address_of(side->memory), (int64_t) length, 0));
    side->key = (int32_t) penstock_rdma_key(side->registration, 0);
}

static void post_receive(const struct side *side, const int64_t slot) {
    struct receive request = {
            .id = slot, .address = address_of(side->memory + slot * side->length), .length = side->length,
            .key = side->key};
    checked("receive", penstock_rdma_post_receives(side->id, address_of(&request), 1));
}

static void post_send(const struct side *side, const int64_t number, const int is_signalled) {
    struct send request = {
            .id = number,
            .flags = (is_signalled ? PENSTOCK_RDMA_SIGNALLED : 0)
                    | (side->length <= side->inline_length ? PENSTOCK_RDMA_INLINE : 0),
            .address = address_of(side->memory + (side->window + number % side->window) * side->length),
            .length = side->length,
            .key = side->key};
    checked("send", penstock_rdma_post_sends(side->id, address_of(&request), 1));
}

/* Polls until there are completions; returns how many, all of which are good. */
static int take(const struct side *side, struct completion *completions) {
    int count;
    do {
        count = penstock_rdma_queue_poll(side->queue, address_of(completions), WINDOW_MAX);
    } while (count == 0);
    checked("poll", count);
    for (int i = 0; i < count; i++) {
        if (completions[i].status != 0) {
            fprintf(stderr, "rdma-peer: completion with status %d\n", completions[i].status);
            exit(1);
        }
    }
    return count;
}

static void await_receive(const struct side *side) {
    struct completion completions[WINDOW_MAX];
    for (;;) {
        const int count = take(side, completions);
        for (int i = 0; i < count; i++) {
            if (completions[i].operation != 0) {
                post_receive(side, completions[i].id);
                return;
            }
        }
    }
}

static int compare(const void *one, const void *other) {
    const int64_t a = *(const int64_t *) one;
    const int64_t b = *(const int64_t *) other;
    return (a > b) - (a < b);
}

static void echo(const struct side *side, const int count, const int is_client) {
    int64_t *times = calloc((size_t) count, sizeof(int64_t));
    const int64_t start = now_ns();
    for (int i = 0; i < count; i++) {
        const int64_t sent = now_ns();
        if (is_client) {
            post_send(side, i, i % SIGNAL_INTERVAL == 0);
        }
        await_receive(side);
        if (!is_client) {
            post_send(side, i, i % SIGNAL_INTERVAL == 0);
        }
        times[i] = now_ns() - sent;
    }
    if (is_client) {
        const int64_t mean = (now_ns() - start) / count;
        qsort(times, (size_t) count, sizeof(int64_t), compare);
        printf("c echo length=%d median_ns=%lld mean_ns=%lld\n", side->length, (long long) times[count / 2],
                (long long) mean);
    }
    free(times);
}

/* The receiver answers each half of the window with an empty message: a credit. */
static void stream_out(const struct side *side, const int count) {
    const int batch = side->window / 2;
    struct completion completions[WINDOW_MAX];
    int sent = 0;
    int completed = 0;
    int allowed = side->window;
    const int64_t start = now_ns();
    while (completed < count) {
        while (sent < count && sent < allowed && sent - completed < side->window) {
            post_send(side, sent++, 1);
        }
        const int found = take(side, completions);
        for (int i = 0; i < found; i++) {
            if (completions[i].operation == 0) {
                completed++;
            } else {
                allowed += batch;
                post_receive(side, completions[i].id);
            }
        }
    }
    const double seconds = (double) (now_ns() - start) / 1e9;
    printf("c stream length=%d mb_s=%.1f\n", side->length, (double) side->length * count / seconds / 1e6);
}

static void stream_in(const struct side *side, const int count) {
    const int batch = side->window / 2;
    struct completion completions[WINDOW_MAX];
    int received = 0;
    while (received < count) {
        const int found = take(side, completions);
        for (int i = 0; i < found; i++) {
            if (completions[i].operation != 0) {
                post_receive(side, completions[i].id);
                if (++received % batch == 0) {
                    struct send credit = {.id = -1, .flags = PENSTOCK_RDMA_SIGNALLED};
                    checked("credit", penstock_rdma_post_sends(side->id, address_of(&credit), 1));
                }
            }
        }
    }
}

static void run(struct side *side, const int is_stream, const int count, const int is_client) {
    if (!is_stream) {
        echo(side, count, is_client);
    } else if (is_client) {
        stream_out(side, count);
    } else {
        stream_in(side, count);
    }
}

static void serve(struct side *side, struct sockaddr_in *address, const int is_stream, const int count, const int ready) {
    const int64_t listener = checked("id", penstock_rdma_id_open(side->channel));
    checked("listen", penstock_rdma_listen(listener, address_of(address), sizeof(*address), 1));
    if (write(ready, "", 1) != 1) {
        fail("pipe", -errno);
    }
    side->id = await_event(side->channel, PENSTOCK_RDMA_REQUEST);
    open_side(side);
    for (int i = 0; i < side->window; i++) {
        post_receive(side, i);
    }
    checked("accept", penstock_rdma_accept(side->id, 0, 0));
    await_event(side->channel, PENSTOCK_RDMA_ESTABLISHED);
    run(side, is_stream, count, 0);
    await_event(side->channel, PENSTOCK_RDMA_DISCONNECTED);
}

static void call(struct side *side, struct sockaddr_in *address, const int is_stream, const int count) {
    side->id = checked("id", penstock_rdma_id_open(side->channel));
    checked("resolve", penstock_rdma_resolve_address(side->id, address_of(address), sizeof(*address), ANSWER_MS));
    await_event(side->channel, PENSTOCK_RDMA_ADDRESS_RESOLVED);
    checked("route", penstock_rdma_resolve_route(side->id, ANSWER_MS));
    await_event(side->channel, PENSTOCK_RDMA_ROUTE_RESOLVED);
    open_side(side);
    for (int i = 0; i < side->window; i++) {
        post_receive(side, i);
    }
    checked("connect", penstock_rdma_connect(side->id, 0, 0));
    await_event(side->channel, PENSTOCK_RDMA_ESTABLISHED);
    run(side, is_stream, count, 1);
    penstock_rdma_disconnect(side->id);
}

int main(const int argument_count, char **arguments) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    if (argument_count != 5 || inet_pton(AF_INET, arguments[1], &address.sin_addr) != 1) {
        fprintf(stderr, "usage: rdma-peer ADDRESS echo|stream LENGTH COUNT\n");
        return 2;
    }
    const int is_stream = strcmp(arguments[2], "stream") == 0;
    struct side side = {.length = atoi(arguments[3])};
    const int count = atoi(arguments[4]);
    if (side.length <= 0 || side.length > WINDOW_LENGTH || count <= 0) {
        fprintf(stderr, "rdma-peer: length or count out of range\n");
        return 2;
    }
    side.window = WINDOW_LENGTH / side.length < WINDOW_MAX ? WINDOW_LENGTH / side.length : WINDOW_MAX;
    side.window = side.window < 2 ? 2 : side.window;
    int ready[2];
    char byte;
    if (pipe(ready) != 0) {
        fail("pipe", -errno);
    }
    const pid_t server = fork();
    char text[256];
    if (penstock_rdma_load(address_of(text), sizeof(text)) != 0) {
        fprintf(stderr, "rdma-peer: %s\n", text);
        return 1;
    }
    side.channel = checked("channel", penstock_rdma_channel_open());
    if (server == 0) {
        serve(&side, &address, is_stream, count, ready[1]);
        _exit(0);
    }
    close(ready[1]);
    if (read(ready[0], &byte, 1) != 1) {
        fprintf(stderr, "rdma-peer: nobody listens\n");
        return 1;
    }
    call(&side, &address, is_stream, count);
    int status = 0;
    waitpid(server, &status, 0);
    return status == 0 ? 0 : 1;
}
