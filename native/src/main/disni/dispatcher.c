/* Loading, waiting, and the layouts that the Java side writes and reads. */
#define _GNU_SOURCE

#include "dispatcher.h"
#include "libraries.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>

#define JNI_VERSION 0x00010008
#define DISNI_VERSION 32

EXPORTED int32_t JNI_OnLoad(void *vm, void *reserved);
EXPORTED int32_t JNI_OnLoad_disni(void *vm, void *reserved);

/*
 * System.load calls it. It makes the library's functions visible to the whole process; a JVM that is then asked to load
 * the library "disni" finds JNI_OnLoad_disni and takes the library for one that is linked into the process, as the Java
 * Native Interface specifies, and looks for no file. It stays for good, because others use it than those who loaded it.
 */
int32_t JNI_OnLoad(void *vm, void *reserved) {
    (void) vm;
    (void) reserved;
    Dl_info self;
    if (dladdr(&rdma, &self) == 0
            || dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL | RTLD_NODELETE) == NULL) {
        return -1;
    }
    libraries_open();
    return JNI_VERSION;
}

int32_t JNI_OnLoad_disni(void *vm, void *reserved) {
    (void) vm;
    (void) reserved;
    return JNI_VERSION;
}

_Thread_local struct remembered remembered;

int set_nonblocking(const int fd) {
    const int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

int wait_readable(const int fd, const int32_t timeout_ms) {
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    const int ready = poll(&waiting, 1, timeout_ms);
    return ready < 0 && errno == EINTR ? 0 : ready;
}

NATIVE(int32_t, getVersion)(const jni_env env, void *self) {
    (void) env;
    (void) self;
    return DISNI_VERSION;
}

NATIVE(int32_t, getSockAddrInSize)(const jni_env env, void *self) {
    (void) env;
    (void) self;
    return sizeof(struct sockaddr_in);
}

NATIVE(int32_t, getIbvRecvWRSize)(const jni_env env, void *self) {
    (void) env;
    (void) self;
    return sizeof(struct ibv_recv_wr);
}

NATIVE(int32_t, getIbvSendWRSize)(const jni_env env, void *self) {
    (void) env;
    (void) self;
    return sizeof(struct ibv_send_wr);
}

NATIVE(int32_t, getIbvSgeSize)(const jni_env env, void *self) {
    (void) env;
    (void) self;
    return sizeof(struct ibv_sge);
}

NATIVE(int32_t, getIbvWCSize)(const jni_env env, void *self) {
    (void) env;
    (void) self;
    return sizeof(struct ibv_wc);
}

NATIVE(int32_t, getRemoteAddressOffset)(const jni_env env, void *self) {
    (void) env;
    (void) self;
    return offsetof(struct ibv_send_wr, wr.rdma.remote_addr);
}

NATIVE(int32_t, getRKeyOffset)(const jni_env env, void *self) {
    (void) env;
    (void) self;
    return offsetof(struct ibv_send_wr, wr.rdma.rkey);
}
