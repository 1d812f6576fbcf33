/* Waiting for other threads and processes. */
#define _GNU_SOURCE

#include "internal.h"
#include "penstock.h"
#include <linux/futex.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

static int futex_operation(const int operation, const int32_t flags) {
    return (flags & PENSTOCK_FUTEX_SHARED) != 0 ? operation : operation | FUTEX_PRIVATE_FLAG;
}

int32_t penstock_futex_wait(
        const int64_t address, const int32_t expected, const int64_t timeout_ns, const int32_t flags) {
    if ((flags & ~PENSTOCK_FUTEX_SHARED) != 0) {
        return -EINVAL;
    }
    const struct timespec timeout = timespec_of(timeout_ns);
    return result(syscall(SYS_futex, address, futex_operation(FUTEX_WAIT, flags), expected,
            timeout_ns < 0 ? NULL : &timeout, NULL, 0));
}

int32_t penstock_futex_wake(const int64_t address, const int32_t count, const int32_t flags) {
    if (count < 0 || (flags & ~PENSTOCK_FUTEX_SHARED) != 0) {
        return -EINVAL;
    }
    return result(syscall(SYS_futex, address, futex_operation(FUTEX_WAKE, flags), count, NULL, NULL, 0));
}

/* As futex_waitv(2) takes it; older headers do not have it. */
struct futex_word {
    uint64_t expected;
    uint64_t address;
    uint32_t flags;
    uint32_t reserved;
};

enum { FUTEX_OF_32_BITS = 2 };

int32_t penstock_futex_wait_any(const int64_t addresses, const int32_t count, const int64_t timeout_ns) {
    if (count < 1 || count > PENSTOCK_FUTEX_WORDS_MAX) {
        return -EINVAL;
    }
    const int64_t *address = pointer(addresses);
    struct futex_word words[PENSTOCK_FUTEX_WORDS_MAX];
    for (int32_t i = 0; i < count; i++) {
        words[i] = (struct futex_word) {.address = (uint64_t) address[i], .flags = FUTEX_OF_32_BITS};
    }
    struct timespec end;
    if (timeout_ns >= 0) {
        clock_gettime(CLOCK_MONOTONIC, &end);
        const struct timespec timeout = timespec_of(timeout_ns);
        end.tv_sec += timeout.tv_sec + (end.tv_nsec + timeout.tv_nsec) / NS_PER_S;
        end.tv_nsec = (end.tv_nsec + timeout.tv_nsec) % NS_PER_S;
    }
    return result(syscall(SYS_futex_waitv, words, count, 0, timeout_ns < 0 ? NULL : &end, CLOCK_MONOTONIC));
}

int32_t penstock_process_open(const int32_t pid) {
    return result(syscall(SYS_pidfd_open, pid, 0));
}

int32_t penstock_process_wait(const int32_t fd, const int64_t timeout_ns) {
    struct pollfd process = {.fd = fd, .events = POLLIN};
    const struct timespec timeout = timespec_of(timeout_ns);
    const int ready = ppoll(&process, 1, timeout_ns < 0 ? NULL : &timeout, NULL);
    if (ready > 0 && (process.revents & POLLIN) == 0) {
        return -EBADF;
    }
    return result(ready);
}

int32_t penstock_signal_open(void) {
    return result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

int32_t penstock_signal_set(const int32_t fd) {
    const uint64_t one = 1;
    const long written = write(fd, &one, sizeof(one));
    return written < 0 && errno != EAGAIN ? -errno : 0;
}

int32_t penstock_timer_open(void) {
    return result(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
}

int32_t penstock_timer_set(const int32_t fd, const int64_t duration_ns) {
    if (duration_ns < 0) {
        return -EINVAL;
    }
    const struct itimerspec once = {.it_value = timespec_of(duration_ns)};
    return result(timerfd_settime(fd, 0, &once, NULL));
}

int32_t penstock_signal_clear(const int32_t fd) {
    uint64_t count;
    const long got = read(fd, &count, sizeof(count));
    return got < 0 && errno != EAGAIN ? -errno : 0;
}

int32_t penstock_descriptors_wait(const int64_t address, const int32_t count, const int64_t timeout_ns) {
    if (count < 0) {
        return -EINVAL;
    }
    const struct timespec timeout = timespec_of(timeout_ns);
    return result(ppoll(pointer(address), (nfds_t) count, timeout_ns < 0 ? NULL : &timeout, NULL));
}
