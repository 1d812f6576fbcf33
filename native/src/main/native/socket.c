/* Sockets of any family. */
#define _GNU_SOURCE

#include "internal.h"
#include "penstock.h"
#include <sys/socket.h>
#include <unistd.h>

int32_t penstock_socket_open(const int32_t family, const int32_t type, const int32_t protocol) {
    return result(socket(family, type | SOCK_CLOEXEC, protocol));
}

int32_t penstock_socket_bind(const int32_t fd, const int64_t address, const int32_t length) {
    return length < 0 ? -EINVAL : result(bind(fd, pointer(address), (socklen_t) length));
}

int32_t penstock_socket_listen(const int32_t fd, const int32_t backlog) {
    return result(listen(fd, backlog));
}

int32_t penstock_socket_accept(const int32_t fd) {
    return result(accept4(fd, NULL, NULL, SOCK_CLOEXEC));
}

int32_t penstock_socket_connect(const int32_t fd, const int64_t address, const int32_t length) {
    return length < 0 ? -EINVAL : result(connect(fd, pointer(address), (socklen_t) length));
}

int32_t penstock_socket_name(const int32_t fd, const int64_t address, const int32_t capacity) {
    if (capacity < 0) {
        return -EINVAL;
    }
    socklen_t length = (socklen_t) capacity;
    if (getsockname(fd, pointer(address), &length) != 0) {
        return -errno;
    }
    return length > (socklen_t) capacity ? -ENOBUFS : (int32_t) length;
}

int32_t penstock_socket_option(const int32_t fd, const int32_t level, const int32_t name) {
    int value = 0;
    socklen_t length = sizeof(value);
    if (getsockopt(fd, level, name, &value, &length) != 0) {
        return -errno;
    }
    return length == sizeof(value) && value >= 0 ? value : -EPROTO;
}

int32_t penstock_socket_set_option(
        const int32_t fd, const int32_t level, const int32_t name, const int32_t value) {
    return result(setsockopt(fd, level, name, &value, sizeof(value)));
}

int64_t penstock_socket_peer(const int32_t fd, const int32_t which) {
    struct ucred peer;
    socklen_t length = sizeof(peer);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) {
        return -errno;
    }
    /* A socket that has no peer, and one of another family, say process 0. */
    if (length != sizeof(peer) || peer.pid <= 0) {
        return -ENOTCONN;
    }
    switch (which) {
    case PENSTOCK_PEER_PROCESS:
        return peer.pid;
    case PENSTOCK_PEER_USER:
        return peer.uid;
    case PENSTOCK_PEER_GROUP:
        return peer.gid;
    default:
        return -EINVAL;
    }
}

int32_t penstock_descriptor_close(const int32_t fd) {
    return result(close(fd));
}
