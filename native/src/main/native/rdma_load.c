/* Finds libibverbs and librdmacm, which not every machine has. */
#define _GNU_SOURCE

#include "internal.h"
#include "penstock.h"
#include "rdma.h"
#include <stdio.h>

#ifdef PENSTOCK_HAS_RDMA

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

const struct rdma_calls *rdma_calls;

static struct rdma_calls found;
static char failure[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void note_failure(void) {
    const char *text = dlerror();
    snprintf(failure, sizeof(failure), "%s", text == NULL ? "unknown error" : text);
}

/* ISO C has no conversion from an object's pointer to a function's, though POSIX says that they are alike. */
static bool look_up(void *library, const char *name, void *target, const size_t length) {
    void *function = dlsym(library, name);
    if (function == NULL) {
        note_failure();
        return false;
    }
    memcpy(target, &function, length);
    return true;
}

/* Both stay loaded until the process ends. */
static void load(void) {
    void *verbs = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_GLOBAL);
    void *cm = verbs == NULL ? NULL : dlopen("librdmacm.so.1", RTLD_NOW);
    if (cm == NULL) {
        note_failure();
        return;
    }
#define RDMA_LOOK_UP(library, name) &&look_up(library, #name, &found.name, sizeof(found.name))
    if (true RDMA_CALLS(RDMA_LOOK_UP)) {
        rdma_calls = &found;
    }
}

int32_t penstock_rdma_load(const int64_t address, const int32_t capacity) {
    if (capacity <= 0) {
        return -EINVAL;
    }
    pthread_once(&once, load);
    if (rdma_calls != NULL) {
        return 0;
    }
    snprintf(pointer(address), (size_t) capacity, "%s", failure);
    return -ENOENT;
}

#else

int32_t penstock_rdma_load(const int64_t address, const int32_t capacity) {
    if (capacity <= 0) {
        return -EINVAL;
    }
    snprintf(pointer(address), (size_t) capacity, "built without the headers of libibverbs and librdmacm");
    return -ENOSYS;
}

#endif
