/* Threads and the CPUs they run on. */
#define _GNU_SOURCE

#include "internal.h"
#include "penstock.h"
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CPU_COUNT_MAX 8192
#define WORD_BITS (8 * (int) sizeof(unsigned long))

int32_t penstock_thread_id(void) {
    return result(syscall(SYS_gettid));
}

int32_t penstock_thread_nice(const int32_t nice) {
    if (nice < -20 || nice > 19) {
        return -EINVAL;
    }
    /* Of a thread: on Linux a process is what its first thread is. */
    return result(syscall(SYS_setpriority, PRIO_PROCESS, 0, nice));
}

int32_t penstock_cpu_current(void) {
    unsigned int cpu = 0;
    const long failed = syscall(SYS_getcpu, &cpu, NULL, NULL);
    return failed != 0 ? -errno : (int32_t) cpu;
}

int32_t penstock_cpu_next(const int32_t from) {
    unsigned long cpus[CPU_COUNT_MAX / WORD_BITS] = {0};
    /* The C library's form knows 1024 CPUs only. */
    if (syscall(SYS_sched_getaffinity, 0, sizeof(cpus), cpus) < 0) {
        return -errno;
    }
    for (int cpu = from < 0 ? 0 : from; cpu < CPU_COUNT_MAX; cpu++) {
        if ((cpus[cpu / WORD_BITS] >> (cpu % WORD_BITS) & 1) != 0) {
            return cpu;
        }
    }
    return -ENOENT;
}

int32_t penstock_cpu_pin(const int32_t cpu) {
    if (cpu < 0 || cpu >= CPU_COUNT_MAX) {
        return -EINVAL;
    }
    unsigned long cpus[CPU_COUNT_MAX / WORD_BITS] = {0};
    cpus[cpu / WORD_BITS] = 1UL << (cpu % WORD_BITS);
    return result(syscall(SYS_sched_setaffinity, 0, sizeof(cpus), cpus));
}
