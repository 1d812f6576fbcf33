/*
 * Calls every function of the library, also as it must not be called. Prints a line for each test: ok NAME, or
 * failed NAME: what; ends with the number of those that failed.
 */
#define _GNU_SOURCE

#include "internal.h"
#include "penstock.h"
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIB 1024
#define MS 1000000LL
#define NO_FD 1000000

static char failure[256];

#define CHECK(condition)                                                                        \
    do {                                                                                        \
        if (!(condition)) {                                                                     \
            snprintf(failure, sizeof(failure), "line %d: %s", __LINE__, #condition);            \
            return;                                                                             \
        }                                                                                       \
    } while (0)

static int64_t address_of(const void *pointer_to) {
    return (int64_t) (intptr_t) pointer_to;
}

static void test_probe_and_version(void) {
    CHECK(penstock_probe(1, 2, 3) == 22);
    CHECK(penstock_probe(INT64_MAX, INT64_MAX, INT64_MIN) == INT64_MAX - 3);
    CHECK(penstock_version() == PENSTOCK_VERSION);
}

static void test_error_text(void) {
    char text[128];
    CHECK(penstock_error_text(EBADF, address_of(text), sizeof(text)) == (int) strlen(text));
    CHECK(strstr(text, "descriptor") != NULL);
    CHECK(penstock_error_text(EBADF, address_of(text), 4) == -ERANGE);
    CHECK(penstock_error_text(EBADF, address_of(text), 0) == -EINVAL);
}

static void test_memory_of_a_file(void) {
    const int fd = penstock_memory_file(address_of("test"), 64 * KIB, PENSTOCK_MEMORY_FILE_SEALED);
    CHECK(fd >= 0);
    CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    const int64_t one = penstock_memory_map(fd, 64 * KIB, PENSTOCK_MEMORY_SHARED | PENSTOCK_MEMORY_POPULATED);
    const int64_t other = penstock_memory_map(fd, 64 * KIB, PENSTOCK_MEMORY_SHARED);
    const int64_t own = penstock_memory_map(fd, 64 * KIB, 0);
    CHECK(one > 0 && other > 0 && own > 0);
    memset(pointer(one), 7, 64 * KIB);
    CHECK(((char *) pointer(other))[64 * KIB - 1] == 7);
    memset(pointer(own), 8, 64 * KIB);
    CHECK(((char *) pointer(other))[0] == 7);
    CHECK(ftruncate(fd, 4 * KIB) == -1 && errno == EPERM);
    CHECK(penstock_memory_unmap(one, 64 * KIB) == 0);
    CHECK(penstock_memory_unmap(other, 64 * KIB) == 0);
    CHECK(penstock_memory_unmap(own, 64 * KIB) == 0);
    CHECK(penstock_descriptor_close(fd) == 0);
}

static void test_memory_that_cannot_be_had(void) {
    CHECK(penstock_memory_file(address_of("test"), 0, 0) == -EINVAL);
    CHECK(penstock_memory_file(address_of("test"), KIB, 64) == -EINVAL);
    CHECK(penstock_memory_map(-1, 0, 0) == -EINVAL);
    CHECK(penstock_memory_map(-1, -1, 0) == -EINVAL);
    CHECK(penstock_memory_map(-1, INT64_MAX, 0) == -ENOMEM);
    CHECK(penstock_memory_map(-2, KIB, 0) == -EINVAL);
    CHECK(penstock_memory_map(-1, KIB, 64) == -EINVAL);
    CHECK(penstock_memory_map(NO_FD, KIB, 0) == -EBADF);
    CHECK(penstock_memory_unmap(1, KIB) == -EINVAL);
    CHECK(penstock_memory_unmap(0, 0) == -EINVAL);
    CHECK(penstock_memory_file(address_of("test"), 1, PENSTOCK_MEMORY_FILE_HUGE_PAGES) < 0);
}

static void test_huge_pages_and_places(void) {
    const int64_t length = 4096 * KIB;
    const int64_t address =
            penstock_memory_map(-1, length, PENSTOCK_MEMORY_HUGE_PAGES | PENSTOCK_MEMORY_POPULATED);
    /* A kernel may have been built without huge pages. */
    CHECK(address > 0 || address == -EINVAL);
    if (address > 0) {
        *(volatile char *) (intptr_t) address = 1;
        CHECK(penstock_memory_advise_huge(address, length) == 0);
        CHECK(*(volatile char *) (intptr_t) address == 0);
        CHECK(penstock_memory_advise_huge(address + 1, length) == -EINVAL);
        CHECK(penstock_memory_unmap(address, length) == 0);
    }
    CHECK(penstock_memory_advise_huge(0, 0) == -EINVAL);
    CHECK(penstock_node_count() >= 1);
    const int64_t placed = penstock_memory_map(-1, 64 * KIB, PENSTOCK_MEMORY_POPULATED);
    const int32_t result_of_place = penstock_memory_place(placed, 64 * KIB, 0);
    /* Containers may forbid it, kernels may not know it. */
    CHECK(result_of_place == 0 || result_of_place == -EPERM || result_of_place == -ENOSYS);
    if (result_of_place == 0) {
        CHECK(penstock_memory_node(placed) == 0);
        CHECK(penstock_memory_place(placed, 64 * KIB, 1000) == -EINVAL);
        CHECK(penstock_memory_place(placed + 1, 64 * KIB, 0) == -EINVAL);
    }
    CHECK(penstock_memory_place(placed, 64 * KIB, 1024) == -EINVAL);
    CHECK(penstock_memory_place(placed, 64 * KIB, -1) == -EINVAL);
    CHECK(penstock_memory_unmap(placed, 64 * KIB) == 0);
    CHECK(penstock_memory_node(placed) < 0);
}

/* The sanitizer takes the place of mlock in this process, and does nothing there: only bounds can be tried. */
static void test_locked_memory(void) {
    const int64_t address = penstock_memory_map(-1, 16 * KIB, 0);
    CHECK(penstock_memory_lock(address, 16 * KIB) == 0);
    CHECK(penstock_memory_unlock(address, 16 * KIB) == 0);
    CHECK(penstock_memory_lock(address, 0) == -EINVAL);
    CHECK(penstock_memory_unlock(address, -1) == -EINVAL);
    CHECK(penstock_memory_unmap(address, 16 * KIB) == 0);
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_MEMLOCK, &limit) == 0);
    CHECK(penstock_memory_lock_limit() == (limit.rlim_cur == RLIM_INFINITY ? INT64_MAX : (int64_t) limit.rlim_cur));
}

static void *pin_to_the_last(void *result_out) {
    int last = -1;
    for (int cpu = penstock_cpu_next(0); cpu >= 0; cpu = penstock_cpu_next(cpu + 1)) {
        last = cpu;
    }
    bool *is_good = result_out;
    *is_good = last >= 0 && penstock_cpu_pin(last) == 0 && penstock_cpu_current() == last
            && penstock_cpu_next(0) == last && penstock_cpu_next(last + 1) == -ENOENT;
    return NULL;
}

static void *be_nice(void *nice_out) {
    int *nice = nice_out;
    const bool is_set = penstock_thread_nice(7) == 0;
    *nice = is_set ? getpriority(PRIO_PROCESS, 0) : -1;
    return NULL;
}

static void test_nice(void) {
    const int before = getpriority(PRIO_PROCESS, 0);
    int nice = -1;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, be_nice, &nice) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(nice == 7 || before > 7);
    CHECK(getpriority(PRIO_PROCESS, 0) == before);
    CHECK(penstock_thread_nice(20) == -EINVAL);
    CHECK(penstock_thread_nice(-21) == -EINVAL);
}

static void test_cpus(void) {
    bool is_good = false;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, pin_to_the_last, &is_good) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(is_good);
    CHECK(penstock_thread_id() == getpid());
    CHECK(penstock_cpu_next(-5) >= 0);
    CHECK(penstock_cpu_next(INT32_MAX) == -ENOENT);
    CHECK(penstock_cpu_pin(-1) == -EINVAL);
    CHECK(penstock_cpu_pin(8192) == -EINVAL);
    CHECK(penstock_cpu_pin(8191) == -EINVAL);
}

static void test_sockets(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int listener = penstock_socket_open(AF_INET, SOCK_STREAM, 0);
    CHECK(listener >= 0);
    CHECK(penstock_socket_set_option(listener, SOL_SOCKET, SO_REUSEADDR, 1) == 0);
    CHECK(penstock_socket_option(listener, SOL_SOCKET, SO_REUSEADDR) == 1);
    CHECK(penstock_socket_bind(listener, address_of(&address), sizeof(address)) == 0);
    CHECK(penstock_socket_listen(listener, 1) == 0);
    CHECK(penstock_socket_name(listener, address_of(&address), 4) == -ENOBUFS);
    CHECK(penstock_socket_name(listener, address_of(&address), -1) == -EINVAL);
    CHECK(penstock_socket_name(listener, address_of(&address), sizeof(address)) == sizeof(address));
    const int client = penstock_socket_open(AF_INET, SOCK_STREAM, 0);
    CHECK(penstock_socket_connect(client, address_of(&address), sizeof(address)) == 0);
    const int server = penstock_socket_accept(listener);
    CHECK(server >= 0);
    CHECK(penstock_socket_peer(server, PENSTOCK_PEER_PROCESS) == -ENOTCONN);
    CHECK(penstock_descriptor_close(listener) == 0);
    const int late = penstock_socket_open(AF_INET, SOCK_STREAM, 0);
    CHECK(penstock_socket_connect(late, address_of(&address), sizeof(address)) == -ECONNREFUSED);
    CHECK(penstock_socket_bind(late, address_of(&address), -1) == -EINVAL);
    CHECK(penstock_socket_connect(late, address_of(&address), -1) == -EINVAL);
    CHECK(penstock_socket_option(late, SOL_SOCKET, 9999) == -ENOPROTOOPT);
    CHECK(penstock_descriptor_close(late) == 0);
    CHECK(penstock_descriptor_close(client) == 0);
    CHECK(penstock_descriptor_close(server) == 0);
    CHECK(penstock_descriptor_close(server) == -EBADF);
    CHECK(penstock_socket_open(12345, SOCK_STREAM, 0) == -EAFNOSUPPORT);
    CHECK(penstock_socket_accept(NO_FD) == -EBADF);
    CHECK(penstock_socket_listen(NO_FD, 1) == -EBADF);
}

static void test_peer_of_a_unix_socket(void) {
    int pair[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    CHECK(penstock_socket_peer(pair[0], PENSTOCK_PEER_PROCESS) == getpid());
    CHECK(penstock_socket_peer(pair[0], PENSTOCK_PEER_USER) == getuid());
    CHECK(penstock_socket_peer(pair[0], PENSTOCK_PEER_GROUP) == getgid());
    CHECK(penstock_socket_peer(pair[0], 3) == -EINVAL);
    CHECK(penstock_socket_peer(NO_FD, PENSTOCK_PEER_USER) == -EBADF);
    close(pair[0]);
    close(pair[1]);
}

static int32_t *word;

static void *wait_while_zero(void *result_out) {
    int32_t waited = 0;
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 0 && waited == 0) {
        waited = penstock_futex_wait(address_of(word), 0, 10000 * MS, 0);
    }
    *(int32_t *) result_out = waited;
    return NULL;
}

static void test_futex(void) {
    int32_t value = 0;
    word = &value;
    CHECK(penstock_futex_wait(address_of(word), 1, -1, 0) == -EAGAIN);
    CHECK(penstock_futex_wait(address_of(word), 0, 2 * MS, 0) == -ETIMEDOUT);
    CHECK(penstock_futex_wait(address_of(word), 0, 0, PENSTOCK_FUTEX_SHARED) == -ETIMEDOUT);
    CHECK(penstock_futex_wait(address_of(word) + 1, 0, 0, 0) == -EINVAL);
    CHECK(penstock_futex_wait(address_of(word), 0, 0, 2) == -EINVAL);
    CHECK(penstock_futex_wake(address_of(word), 1, 2) == -EINVAL);
    CHECK(penstock_futex_wake(address_of(word), -1, 0) == -EINVAL);
    CHECK(penstock_futex_wake(address_of(word), 1, 0) == 0);
    int32_t waited = -1;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, wait_while_zero, &waited) == 0);
    __atomic_store_n(word, 1, __ATOMIC_RELEASE);
    /* Either it was there already, or it sees the new value. */
    CHECK(penstock_futex_wake(address_of(word), 1, 0) >= 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(waited == 0 || waited == -EAGAIN);
}

static void test_futex_of_two_processes(void) {
    const int64_t shared = penstock_memory_map(-1, 4 * KIB, PENSTOCK_MEMORY_SHARED);
    int32_t *shared_word = pointer(shared);
    const pid_t child = fork();
    if (child == 0) {
        int32_t waited = 0;
        while (__atomic_load_n(shared_word, __ATOMIC_ACQUIRE) == 0 && waited == 0) {
            waited = penstock_futex_wait(shared, 0, 10000 * MS, PENSTOCK_FUTEX_SHARED);
        }
        _exit(waited == 0 || waited == -EAGAIN ? 0 : 1);
    }
    CHECK(child > 0);
    __atomic_store_n(shared_word, 1, __ATOMIC_RELEASE);
    CHECK(penstock_futex_wake(shared, 1, PENSTOCK_FUTEX_SHARED) >= 0);
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(penstock_memory_unmap(shared, 4 * KIB) == 0);
}

static int32_t *words_of_two;

static void *wait_for_one_of_two(void *result_out) {
    const int64_t addresses[] = {address_of(&words_of_two[0]), address_of(&words_of_two[1])};
    int32_t waited = 0;
    while (__atomic_load_n(&words_of_two[1], __ATOMIC_ACQUIRE) == 0 && waited >= 0) {
        waited = penstock_futex_wait_any(address_of(addresses), 2, 10000 * MS);
    }
    *(int32_t *) result_out = waited;
    return NULL;
}

static void test_futexes(void) {
    int32_t words[2] = {0, 0};
    int64_t addresses[PENSTOCK_FUTEX_WORDS_MAX];
    for (int i = 0; i < PENSTOCK_FUTEX_WORDS_MAX; i++) {
        addresses[i] = address_of(&words[0]);
    }
    CHECK(penstock_futex_wait_any(address_of(addresses), 0, 0) == -EINVAL);
    CHECK(penstock_futex_wait_any(address_of(addresses), PENSTOCK_FUTEX_WORDS_MAX + 1, 0) == -EINVAL);
    CHECK(penstock_futex_wait_any(address_of(addresses), PENSTOCK_FUTEX_WORDS_MAX, 2 * MS) == -ETIMEDOUT);
    addresses[PENSTOCK_FUTEX_WORDS_MAX - 1] = address_of(&words[1]);
    words[1] = 1;
    CHECK(penstock_futex_wait_any(address_of(addresses), PENSTOCK_FUTEX_WORDS_MAX, -1) == -EAGAIN);
    addresses[1] = address_of(&words[0]) + 1;
    CHECK(penstock_futex_wait_any(address_of(addresses), 2, 0) == -EINVAL);

    words[1] = 0;
    words_of_two = words;
    int32_t waited = -1;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, wait_for_one_of_two, &waited) == 0);
    int32_t woken = 0;
    while (woken == 0) {
        woken = penstock_futex_wake(address_of(&words[1]), 1, PENSTOCK_FUTEX_SHARED);
    }
    CHECK(woken == 1);
    __atomic_store_n(&words[1], 1, __ATOMIC_RELEASE);
    CHECK(penstock_futex_wake(address_of(&words[1]), 1, PENSTOCK_FUTEX_SHARED) >= 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(waited == 1 || waited == -EAGAIN);
}

static void test_process(void) {
    int gate[2];
    CHECK(pipe(gate) == 0);
    const pid_t child = fork();
    if (child == 0) {
        close(gate[1]);
        char byte;
        _exit(read(gate[0], &byte, 1) == 0 ? 0 : 1);
    }
    CHECK(child > 0);
    const int fd = penstock_process_open(child);
    CHECK(fd >= 0);
    CHECK(penstock_process_wait(fd, 0) == 0);
    CHECK(penstock_process_wait(fd, 2 * MS) == 0);
    close(gate[1]);
    CHECK(penstock_process_wait(fd, -1) == 1);
    CHECK(waitpid(child, NULL, 0) == child);
    CHECK(penstock_process_wait(fd, 0) == 1);
    CHECK(penstock_descriptor_close(fd) == 0);
    close(gate[0]);
    CHECK(penstock_process_open(child) == -ESRCH);
    CHECK(penstock_process_open(-1) == -EINVAL);
    CHECK(penstock_process_wait(NO_FD, 0) == -EBADF);
}

static void *set_signal(void *fd) {
    usleep(1000);
    penstock_signal_set(*(int *) fd);
    return NULL;
}

static void test_signal(void) {
    int fd = penstock_signal_open();
    CHECK(fd >= 0);
    struct pollfd waited[2] = {{.fd = fd, .events = POLLIN}, {.fd = -1}};
    CHECK(penstock_signal_clear(fd) == 0);
    CHECK(penstock_descriptors_wait(address_of(waited), 2, 0) == 0);
    CHECK(penstock_descriptors_wait(address_of(waited), 2, MS) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, set_signal, &fd) == 0);
    CHECK(penstock_descriptors_wait(address_of(waited), 2, -1) == 1);
    CHECK(waited[0].revents == POLLIN && waited[1].revents == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(penstock_signal_set(fd) == 0);
    CHECK(penstock_signal_clear(fd) == 0);
    CHECK(penstock_descriptors_wait(address_of(waited), 2, 0) == 0);
    CHECK(penstock_descriptor_close(fd) == 0);
    CHECK(penstock_signal_set(NO_FD) == -EBADF);
    CHECK(penstock_signal_clear(NO_FD) == -EBADF);
    CHECK(penstock_descriptors_wait(address_of(waited), -1, 0) == -EINVAL);
}

static void test_timer(void) {
    const int fd = penstock_timer_open();
    CHECK(fd >= 0);
    struct pollfd waited = {.fd = fd, .events = POLLIN};
    CHECK(penstock_descriptors_wait(address_of(&waited), 1, 0) == 0);
    CHECK(penstock_timer_set(fd, MS) == 0);
    CHECK(penstock_descriptors_wait(address_of(&waited), 1, -1) == 1);
    CHECK(penstock_timer_set(fd, 0) == 0);
    CHECK(penstock_descriptors_wait(address_of(&waited), 1, 0) == 0);
    CHECK(penstock_timer_set(fd, -1) == -EINVAL);
    CHECK(penstock_smc_mode(fd) == -ENOTSOCK);
    CHECK(penstock_descriptor_close(fd) == 0);
    CHECK(penstock_timer_set(NO_FD, 1) == -EBADF);
}

/* The library may be missing. */
static void test_rsockets_without_a_device(void) {
    char text[256] = "";
    CHECK(penstock_rsocket_load(address_of(text), 0) == -EINVAL);
    const int loaded = penstock_rsocket_load(address_of(text), sizeof(text));
    CHECK(loaded == 0 || (loaded == -ENOENT && text[0] != 0));
    CHECK(penstock_rsocket_bind(NO_FD, 0, -1) == (loaded == 0 ? -EINVAL : -ENOSYS));
    CHECK(penstock_rsocket_listen(NO_FD, 1) == (loaded == 0 ? -EBADF : -ENOSYS));
    CHECK(penstock_rsocket_close(NO_FD) == (loaded == 0 ? -EBADF : -ENOSYS));
    CHECK(penstock_rsocket_poll(0, -1, 0) == (loaded == 0 ? -EINVAL : -ENOSYS));
    CHECK(penstock_smc_mode(NO_FD) == -EBADF);
}

/* What can be tested without a device; none may be there, and the libraries may be missing. */
static void test_rdma_without_a_device(void) {
    char text[256] = "";
    CHECK(penstock_rdma_load(address_of(text), 0) == -EINVAL);
    const int loaded = penstock_rdma_load(address_of(text), sizeof(text));
    CHECK(penstock_rdma_load(address_of(text), sizeof(text)) == loaded);
    CHECK(loaded == 0 || (loaded == -ENOENT && strstr(text, ".so") != NULL)
            || (loaded == -ENOSYS && strstr(text, "headers") != NULL));
    const int64_t channel = penstock_rdma_channel_open();
    CHECK(channel > 0 || (channel == -ENOSYS) == (loaded != 0));
    if (channel > 0) {
        CHECK(penstock_rdma_channel_descriptor(channel) >= 0);
        char event[PENSTOCK_RDMA_EVENT_LENGTH];
        CHECK(penstock_rdma_event(channel, address_of(event)) == 0);
        const int64_t id = penstock_rdma_id_open(channel);
        CHECK(id > 0);
        CHECK(penstock_rdma_device(id) == -ENODEV);
        struct sockaddr_in nowhere = {.sin_family = AF_INET, .sin_addr = {htonl(0xC0000201)}};
        CHECK(penstock_rdma_listen(id, address_of(&nowhere), 3, 1) == -EINVAL);
        CHECK(penstock_rdma_listen(id, address_of(&nowhere), sizeof(nowhere), 1) < 0);
        CHECK(penstock_rdma_name(id, 0, address_of(event), 0) <= 0);
        CHECK(penstock_rdma_connect(id, 0, -1) == -EINVAL);
        CHECK(penstock_rdma_accept(id, 0, 256) == -EINVAL);
        CHECK(penstock_rdma_reject(id, 0, 256) == -EINVAL);
        CHECK(penstock_rdma_id_close(id) == 0);
        CHECK(penstock_rdma_channel_close(channel) == 0);
    }
}

static void test_rdma_of_nothing(void) {
    char text[256];
    const int expected = penstock_rdma_load(address_of(text), sizeof(text)) == -ENOSYS ? -ENOSYS : -EINVAL;
    CHECK(penstock_rdma_channel_descriptor(0) == expected);
    CHECK(penstock_rdma_channel_close(0) == expected);
    CHECK(penstock_rdma_event(0, address_of(text)) == expected);
    CHECK(penstock_rdma_id_open(0) == expected);
    CHECK(penstock_rdma_id_close(0) == expected);
    CHECK(penstock_rdma_listen(0, 0, 0, 0) == expected);
    CHECK(penstock_rdma_name(0, 0, 0, 0) == expected);
    CHECK(penstock_rdma_resolve_address(0, 0, 0, 0) == expected);
    CHECK(penstock_rdma_resolve_route(0, 0) == expected);
    CHECK(penstock_rdma_connect(0, 0, 0) == expected);
    CHECK(penstock_rdma_accept(0, 0, 0) == expected);
    CHECK(penstock_rdma_reject(0, 0, 0) == expected);
    CHECK(penstock_rdma_disconnect(0) == expected);
    CHECK(penstock_rdma_device(0) == expected);
    CHECK(penstock_rdma_device_name(0, 0, 0) == expected);
    CHECK(penstock_rdma_device_limit(0, 0) == expected);
    CHECK(penstock_rdma_domain_open(0) == expected);
    CHECK(penstock_rdma_domain_close(0) == expected);
    CHECK(penstock_rdma_register(0, 0, 0, 0) == expected);
    CHECK(penstock_rdma_key(0, 0) == expected);
    CHECK(penstock_rdma_deregister(0) == expected);
    CHECK(penstock_rdma_bell_open(0) == expected);
    CHECK(penstock_rdma_bell_descriptor(0) == expected);
    CHECK(penstock_rdma_bell_take(0, 0, 0) == expected);
    CHECK(penstock_rdma_bell_close(0) == expected);
    CHECK(penstock_rdma_queue_open(0, 0, 0, 0) == expected);
    CHECK(penstock_rdma_queue_close(0) == expected);
    CHECK(penstock_rdma_queue_arm(0) == expected);
    CHECK(penstock_rdma_queue_poll(0, 0, 0) == expected);
    CHECK(penstock_rdma_pair_open(0, 0, 0, 0, 0, 0) == expected);
    CHECK(penstock_rdma_post_sends(0, 0, 0) == expected);
    CHECK(penstock_rdma_post_receives(0, 0, 0) == expected);
}

static const struct {
    const char *name;
    void (*run)(void);
} TESTS[] = {
    {"probe and version", test_probe_and_version},
    {"error text", test_error_text},
    {"memory of a file", test_memory_of_a_file},
    {"memory that cannot be had", test_memory_that_cannot_be_had},
    {"huge pages and places", test_huge_pages_and_places},
    {"locked memory", test_locked_memory},
    {"nice values", test_nice},
    {"CPUs", test_cpus},
    {"sockets", test_sockets},
    {"peer of a unix socket", test_peer_of_a_unix_socket},
    {"futex", test_futex},
    {"futex of two processes", test_futex_of_two_processes},
    {"futexes", test_futexes},
    {"process", test_process},
    {"signal", test_signal},
    {"timer", test_timer},
    {"rsockets without a device", test_rsockets_without_a_device},
    {"RDMA without a device", test_rdma_without_a_device},
    {"RDMA of nothing", test_rdma_of_nothing},
};

int main(void) {
    int failed = 0;
    for (size_t i = 0; i < sizeof(TESTS) / sizeof(TESTS[0]); i++) {
        failure[0] = '\0';
        TESTS[i].run();
        printf(failure[0] == '\0' ? "ok %s%s\n" : "failed %s: %s\n", TESTS[i].name, failure);
        /* Children must not print it once more. */
        fflush(stdout);
        failed += failure[0] != '\0';
    }
    return failed;
}
