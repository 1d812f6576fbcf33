/* Finds the functions of libibverbs and librdmacm. */
#define _GNU_SOURCE

#include "libraries.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define FIND_VERBS(function) find(verbs, #function, &rdma.function, sizeof(rdma.function)) &&
#define FIND_CONNECTION(function) find(connections, #function, &rdma.function, sizeof(rdma.function)) &&

struct libraries rdma;
char libraries_missing[512];

static bool failed(void) {
    const char *reason = dlerror();
    snprintf(libraries_missing, sizeof(libraries_missing),
            "%s (install the libraries of rdma-core: Debian's packages libibverbs1, ibverbs-providers and librdmacm1)",
            reason == NULL ? "a function is missing" : reason);
    return false;
}

static bool find(void *library, const char *name, void *function, const size_t length) {
    void *found = dlsym(library, name);
    if (found == NULL) {
        return failed();
    }
    memcpy(function, &found, length);
    return true;
}

/* The libraries stay open: what they made outlives every caller. */
void libraries_open(void) {
    libraries_missing[0] = '\0';
    void *verbs = dlopen("libibverbs.so.1", RTLD_NOW);
    void *connections = verbs == NULL ? NULL : dlopen("librdmacm.so.1", RTLD_NOW);
    if (connections == NULL) {
        failed();
        return;
    }
    (void) (VERBS_FUNCTIONS(FIND_VERBS) CONNECTION_FUNCTIONS(FIND_CONNECTION) true);
}
