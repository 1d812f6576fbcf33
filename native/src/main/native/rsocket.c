/* Sockets of librdmacm, which look like those of the kernel and move their bytes by RDMA. Looked up at run time. */
#define _GNU_SOURCE

#include "internal.h"
#include "penstock.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

static int (*rs_socket)(int family, int type, int protocol);
static int (*rs_bind)(int fd, const struct sockaddr *address, socklen_t length);
static int (*rs_listen)(int fd, int backlog);
static int (*rs_accept)(int fd, struct sockaddr *address, socklen_t *length);
static int (*rs_connect)(int fd, const struct sockaddr *address, socklen_t length);
static int (*rs_shutdown)(int fd, int how);
static int (*rs_close)(int fd);
static ssize_t (*rs_receive)(int fd, void *bytes, size_t length, int flags);
static ssize_t (*rs_send)(int fd, const void *bytes, size_t length, int flags);
static int (*rs_poll)(struct pollfd *fds, nfds_t count, int timeout_ms);
static int (*rs_name)(int fd, struct sockaddr *address, socklen_t *length);
static int (*rs_peer)(int fd, struct sockaddr *address, socklen_t *length);
static int (*rs_option)(int fd, int level, int name, void *value, socklen_t *length);
static int (*rs_set_option)(int fd, int level, int name, const void *value, socklen_t length);
static int (*rs_control)(int fd, int command, ...);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256];
static bool is_there;

static bool note_failure(void) {
    const char *text = dlerror();
    snprintf(failure, sizeof(failure), "%s", text == NULL ? "unknown error" : text);
    return false;
}

/* ISO C has no conversion from an object's pointer to a function's, though POSIX says that they are alike. */
static bool look_up(void *library, const char *name, void *target) {
    void *function = dlsym(library, name);
    if (function == NULL) {
        return note_failure();
    }
    memcpy(target, &function, sizeof(function));
    return true;
}

/* The library stays loaded until the process ends. */
static void load(void) {
    void *library = dlopen("librdmacm.so.1", RTLD_NOW);
    if (library == NULL) {
        note_failure();
        return;
    }
    is_there = look_up(library, "rsocket", &rs_socket) && look_up(library, "rbind", &rs_bind)
            && look_up(library, "rlisten", &rs_listen) && look_up(library, "raccept", &rs_accept)
            && look_up(library, "rconnect", &rs_connect) && look_up(library, "rshutdown", &rs_shutdown)
            && look_up(library, "rclose", &rs_close) && look_up(library, "rrecv", &rs_receive)
            && look_up(library, "rsend", &rs_send) && look_up(library, "rpoll", &rs_poll)
            && look_up(library, "rgetsockname", &rs_name) && look_up(library, "rgetpeername", &rs_peer)
            && look_up(library, "rgetsockopt", &rs_option) && look_up(library, "rsetsockopt", &rs_set_option)
            && look_up(library, "rfcntl", &rs_control);
}

int32_t penstock_rsocket_load(const int64_t address, const int32_t capacity) {
    if (capacity <= 0) {
        return -EINVAL;
    }
    pthread_once(&once, load);
    if (is_there) {
        return 0;
    }
    snprintf(pointer(address), (size_t) capacity, "%s", failure);
    return -ENOENT;
}

/* A caller that calls another function first gets an error. */
#define NEED_LIBRARY    \
    if (!is_there) {    \
        return -ENOSYS; \
    }

int32_t penstock_rsocket_open(const int32_t family) {
    NEED_LIBRARY
    const int fd = rs_socket(family, SOCK_STREAM, 0);
    if (fd >= 0 && rs_control(fd, F_SETFL, O_NONBLOCK) != 0) {
        const int error = errno;
        rs_close(fd);
        return -error;
    }
    return result(fd);
}

int32_t penstock_rsocket_bind(const int32_t fd, const int64_t address, const int32_t length) {
    NEED_LIBRARY
    return length < 0 ? -EINVAL : result(rs_bind(fd, pointer(address), (socklen_t) length));
}

int32_t penstock_rsocket_listen(const int32_t fd, const int32_t backlog) {
    NEED_LIBRARY
    return result(rs_listen(fd, backlog));
}

int32_t penstock_rsocket_accept(const int32_t fd) {
    NEED_LIBRARY
    const int accepted = rs_accept(fd, NULL, NULL);
    if (accepted >= 0 && rs_control(accepted, F_SETFL, O_NONBLOCK) != 0) {
        const int error = errno;
        rs_close(accepted);
        return -error;
    }
    return result(accepted);
}

int32_t penstock_rsocket_connect(const int32_t fd, const int64_t address, const int32_t length) {
    NEED_LIBRARY
    return length < 0 ? -EINVAL : result(rs_connect(fd, pointer(address), (socklen_t) length));
}

int32_t penstock_rsocket_name(
        const int32_t fd, const int32_t is_peer, const int64_t address, const int32_t capacity) {
    NEED_LIBRARY
    if (capacity < 0) {
        return -EINVAL;
    }
    socklen_t length = (socklen_t) capacity;
    if ((is_peer != 0 ? rs_peer : rs_name)(fd, pointer(address), &length) != 0) {
        return -errno;
    }
    return length > (socklen_t) capacity ? -ENOBUFS : (int32_t) length;
}

int32_t penstock_rsocket_option(const int32_t fd, const int32_t level, const int32_t name) {
    NEED_LIBRARY
    int value = 0;
    socklen_t length = sizeof(value);
    if (rs_option(fd, level, name, &value, &length) != 0) {
        return -errno;
    }
    return value >= 0 ? value : -EPROTO;
}

int32_t penstock_rsocket_set_option(
        const int32_t fd, const int32_t level, const int32_t name, const int32_t value) {
    NEED_LIBRARY
    return result(rs_set_option(fd, level, name, &value, sizeof(value)));
}

int32_t penstock_rsocket_send(const int32_t fd, const int64_t address, const int32_t length) {
    NEED_LIBRARY
    return length < 0 ? -EINVAL : result(rs_send(fd, pointer(address), (size_t) length, 0));
}

int32_t penstock_rsocket_receive(const int32_t fd, const int64_t address, const int32_t length) {
    NEED_LIBRARY
    return length < 0 ? -EINVAL : result(rs_receive(fd, pointer(address), (size_t) length, 0));
}

int32_t penstock_rsocket_shutdown(const int32_t fd, const int32_t how) {
    NEED_LIBRARY
    return result(rs_shutdown(fd, how));
}

int32_t penstock_rsocket_poll(const int64_t address, const int32_t count, const int32_t is_waiting) {
    NEED_LIBRARY
    return count < 0 ? -EINVAL : result(rs_poll(pointer(address), (nfds_t) count, is_waiting != 0 ? -1 : 0));
}

int32_t penstock_rsocket_close(const int32_t fd) {
    NEED_LIBRARY
    /* An errno of its own where it does not know the socket. */
    const int closed = rs_close(fd);
    return closed > 0 ? -closed : result(closed);
}
