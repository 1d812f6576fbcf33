/* Memory: files in it, mappings, huge pages, locking, NUMA nodes. */
#define _GNU_SOURCE

#include "internal.h"
#include "penstock.h"
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define NODE_COUNT_MAX 1024
#define WORD_BITS (8 * (int) sizeof(unsigned long))

int32_t penstock_memory_file(const int64_t name, const int64_t length, const int32_t flags) {
    if (length <= 0 || (flags & ~(PENSTOCK_MEMORY_FILE_HUGE_PAGES | PENSTOCK_MEMORY_FILE_SEALED)) != 0) {
        return -EINVAL;
    }
    unsigned int how = MFD_CLOEXEC;
    how |= (flags & PENSTOCK_MEMORY_FILE_HUGE_PAGES) != 0 ? MFD_HUGETLB : 0;
    how |= (flags & PENSTOCK_MEMORY_FILE_SEALED) != 0 ? MFD_ALLOW_SEALING : 0;
    const int fd = memfd_create(pointer(name), how);
    if (fd < 0) {
        return -errno;
    }
    int failed = ftruncate(fd, length);
    if (failed == 0 && (flags & PENSTOCK_MEMORY_FILE_SEALED) != 0) {
        failed = fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    }
    if (failed != 0) {
        const int error = errno;
        close(fd);
        return -error;
    }
    return fd;
}

/* Takes all pages without changing what is in them. */
static int populate(char *address, const size_t length) {
    if (madvise(address, length, MADV_POPULATE_WRITE) == 0) {
        return 0;
    }
    if (errno != EINVAL) {
        return -1;
    }
    /* Linux before 5.14. */
    const size_t page = (size_t) sysconf(_SC_PAGESIZE);
    for (size_t at = 0; at < length; at += page) {
        __atomic_fetch_or(address + at, 0, __ATOMIC_RELAXED);
    }
    return 0;
}

int64_t penstock_memory_map(const int32_t fd, const int64_t length, const int32_t flags) {
    if (length <= 0 || fd < -1
            || (flags & ~(PENSTOCK_MEMORY_SHARED | PENSTOCK_MEMORY_POPULATED | PENSTOCK_MEMORY_HUGE_PAGES)) != 0) {
        return -EINVAL;
    }
    int how = (flags & PENSTOCK_MEMORY_SHARED) != 0 ? MAP_SHARED : MAP_PRIVATE;
    how |= fd == -1 ? MAP_ANONYMOUS : 0;
    void *address = mmap(NULL, (size_t) length, PROT_READ | PROT_WRITE, how, fd, 0);
    if (address == MAP_FAILED) {
        return -errno;
    }
    int failed = 0;
    if ((flags & PENSTOCK_MEMORY_HUGE_PAGES) != 0) {
        failed = madvise(address, (size_t) length, MADV_HUGEPAGE);
    }
    /* After the advice, so that the pages taken are huge ones. */
    if (failed == 0 && (flags & PENSTOCK_MEMORY_POPULATED) != 0) {
        failed = populate(address, (size_t) length);
    }
    if (failed != 0) {
        const int error = errno;
        munmap(address, (size_t) length);
        return -error;
    }
    return (int64_t) (intptr_t) address;
}

int32_t penstock_memory_unmap(const int64_t address, const int64_t length) {
    return length <= 0 ? -EINVAL : result(munmap(pointer(address), (size_t) length));
}

int32_t penstock_memory_lock(const int64_t address, const int64_t length) {
    return length <= 0 ? -EINVAL : result(mlock(pointer(address), (size_t) length));
}

int32_t penstock_memory_unlock(const int64_t address, const int64_t length) {
    return length <= 0 ? -EINVAL : result(munlock(pointer(address), (size_t) length));
}

int64_t penstock_memory_lock_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) {
        return -errno;
    }
    return limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t) limit.rlim_cur;
}

int32_t penstock_memory_advise_huge(const int64_t address, const int64_t length) {
    if (length <= 0) {
        return -EINVAL;
    }
    const int32_t advised = result(madvise(pointer(address), (size_t) length, MADV_HUGEPAGE));
    /* Small pages that are there would stay, until the kernel's own thread copies them while they are in use. */
    return advised != 0 ? advised : result(madvise(pointer(address), (size_t) length, MADV_DONTNEED));
}

int32_t penstock_memory_place(const int64_t address, const int64_t length, const int32_t node) {
    if (length <= 0 || node < 0 || node >= NODE_COUNT_MAX) {
        return -EINVAL;
    }
    unsigned long nodes[NODE_COUNT_MAX / WORD_BITS] = {0};
    nodes[node / WORD_BITS] = 1UL << (node % WORD_BITS);
    /* The kernel takes one bit less than the given number. */
    return result(syscall(SYS_mbind, address, length, MPOL_BIND, nodes, NODE_COUNT_MAX + 1,
            MPOL_MF_MOVE | MPOL_MF_STRICT));
}

int32_t penstock_memory_node(const int64_t address) {
    int node = 0;
    const long failed = syscall(SYS_get_mempolicy, &node, NULL, 0, address, MPOL_F_NODE | MPOL_F_ADDR);
    return failed != 0 ? -errno : node;
}

int32_t penstock_node_count(void) {
    FILE *file = fopen("/sys/devices/system/node/online", "re");
    if (file == NULL) {
        return errno == ENOENT ? 1 : -errno;
    }
    /* A list such as 0-3,8. */
    int count = 0;
    int first;
    bool more = true;
    while (more && fscanf(file, "%d", &first) == 1) {
        int last = first;
        int separator = fgetc(file);
        if (separator == '-' && fscanf(file, "%d", &last) == 1) {
            separator = fgetc(file);
        }
        count += last - first + 1;
        more = separator == ',';
    }
    fclose(file);
    return count > 0 ? count : 1;
}
