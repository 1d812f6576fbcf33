/* What the files of the library share. */
#ifndef PENSTOCK_INTERNAL_H
#define PENSTOCK_INTERNAL_H

#include <errno.h>
#include <stdint.h>
#include <time.h>

#define NS_PER_S 1000000000

/* The result of a system call as the library gives it. */
static inline int32_t result(const long value) {
    return value < 0 ? -errno : (int32_t) value;
}

static inline void *pointer(const int64_t address) {
    return (void *) (intptr_t) address;
}

static inline struct timespec timespec_of(const int64_t duration_ns) {
    return (struct timespec) {.tv_sec = duration_ns / NS_PER_S, .tv_nsec = duration_ns % NS_PER_S};
}

#endif
