/* The connection manager: listeners, connections, events. */
#define _GNU_SOURCE

#include "internal.h"
#include "penstock.h"
#include "rdma.h"

#ifdef PENSTOCK_HAS_RDMA

#include <fcntl.h>
#include <string.h>

#define PRIVATE_OFFSET 32
#define PRIVATE_LENGTH_MAX (PENSTOCK_RDMA_EVENT_LENGTH - PRIVATE_OFFSET)
#define RETRY_COUNT 7
/* Not 7, which means for ever. */
#define NO_RECEIVE_RETRY_COUNT 6

_Static_assert(PENSTOCK_RDMA_REJECTED == RDMA_CM_EVENT_REJECTED, "numbers of events");
_Static_assert(PENSTOCK_RDMA_DEVICE_REMOVED == RDMA_CM_EVENT_DEVICE_REMOVAL, "numbers of events");
_Static_assert(PENSTOCK_RDMA_TIME_OVER == RDMA_CM_EVENT_TIMEWAIT_EXIT, "numbers of events");
/* The length of private data is a byte. */
_Static_assert(PRIVATE_LENGTH_MAX >= UINT8_MAX, "room for private data");

int64_t penstock_rdma_channel_open(void) {
    if (rdma_calls == NULL) {
        return -ENOSYS;
    }
    struct rdma_event_channel *channel = rdma_calls->rdma_create_event_channel();
    if (channel == NULL) {
        return errno != 0 ? -errno : -ENODEV;
    }
    if (fcntl(channel->fd, F_SETFL, O_NONBLOCK) != 0) {
        const int error = errno;
        rdma_calls->rdma_destroy_event_channel(channel);
        return -error;
    }
    return (int64_t) (intptr_t) channel;
}

int32_t penstock_rdma_channel_descriptor(const int64_t channel) {
    return channel == 0 ? -EINVAL : ((struct rdma_event_channel *) pointer(channel))->fd;
}

int32_t penstock_rdma_channel_close(const int64_t channel) {
    if (channel == 0) {
        return -EINVAL;
    }
    rdma_calls->rdma_destroy_event_channel(pointer(channel));
    return 0;
}

static void put_int32(char *target, const int32_t value) {
    memcpy(target, &value, sizeof(value));
}

static void put_address(char *target, const void *address) {
    const int64_t value = (int64_t) (intptr_t) address;
    memcpy(target, &value, sizeof(value));
}

int32_t penstock_rdma_event(const int64_t channel, const int64_t address) {
    if (channel == 0) {
        return -EINVAL;
    }
    struct rdma_cm_event *event;
    if (rdma_calls->rdma_get_cm_event(pointer(channel), &event) != 0) {
        return errno == EAGAIN ? 0 : -errno;
    }
    char *target = pointer(address);
    memset(target, 0, PENSTOCK_RDMA_EVENT_LENGTH);
    put_int32(target, (int32_t) event->event);
    put_int32(target + 4, event->status);
    put_address(target + 8, event->id);
    put_address(target + 16, event->listen_id);
    if (event->param.conn.private_data != NULL) {
        put_int32(target + 24, event->param.conn.private_data_len);
        memcpy(target + PRIVATE_OFFSET, event->param.conn.private_data, event->param.conn.private_data_len);
    }
    rdma_calls->rdma_ack_cm_event(event);
    return 1;
}

int64_t penstock_rdma_id_open(const int64_t channel) {
    if (channel == 0) {
        return -EINVAL;
    }
    struct rdma_cm_id *id;
    const int failed = rdma_calls->rdma_create_id(pointer(channel), &id, NULL, RDMA_PS_TCP);
    return failed != 0 ? -errno : (int64_t) (intptr_t) id;
}

int32_t penstock_rdma_id_close(const int64_t id) {
    if (id == 0) {
        return -EINVAL;
    }
    struct rdma_cm_id *closed = pointer(id);
    if (closed->qp != NULL) {
        rdma_calls->rdma_destroy_qp(closed);
    }
    return result(rdma_calls->rdma_destroy_id(closed));
}

static socklen_t length_of(const struct sockaddr *name) {
    switch (name->sa_family) {
        case AF_INET:
            return sizeof(struct sockaddr_in);
        case AF_INET6:
            return sizeof(struct sockaddr_in6);
        default:
            return 0;
    }
}

static int is_whole(const int64_t address, const int32_t length) {
    return length >= (int32_t) sizeof(struct sockaddr) && length_of(pointer(address)) == (socklen_t) length;
}

int32_t penstock_rdma_listen(const int64_t id, const int64_t address, const int32_t length, const int32_t backlog) {
    if (id == 0 || !is_whole(address, length)) {
        return -EINVAL;
    }
    if (rdma_calls->rdma_bind_addr(pointer(id), pointer(address)) != 0) {
        return -errno;
    }
    return result(rdma_calls->rdma_listen(pointer(id), backlog));
}

int32_t penstock_rdma_name(const int64_t id, const int32_t is_peer, const int64_t address, const int32_t capacity) {
    if (id == 0) {
        return -EINVAL;
    }
    const struct sockaddr *name = is_peer != 0 ? rdma_get_peer_addr(pointer(id)) : rdma_get_local_addr(pointer(id));
    const socklen_t length = length_of(name);
    if (capacity < (int32_t) length) {
        return -ENOBUFS;
    }
    memcpy(pointer(address), name, length);
    return (int32_t) length;
}

int32_t penstock_rdma_resolve_address(
        const int64_t id, const int64_t address, const int32_t length, const int32_t timeout_ms) {
    if (id == 0 || !is_whole(address, length)) {
        return -EINVAL;
    }
    return result(rdma_calls->rdma_resolve_addr(pointer(id), NULL, pointer(address), timeout_ms));
}

int32_t penstock_rdma_resolve_route(const int64_t id, const int32_t timeout_ms) {
    return id == 0 ? -EINVAL : result(rdma_calls->rdma_resolve_route(pointer(id), timeout_ms));
}

static struct rdma_conn_param parameters(const int64_t address, const int32_t length) {
    return (struct rdma_conn_param) {
            .private_data = length == 0 ? NULL : pointer(address),
            .private_data_len = (uint8_t) length,
            .responder_resources = RDMA_MAX_RESP_RES,
            .initiator_depth = RDMA_MAX_INIT_DEPTH,
            .retry_count = RETRY_COUNT,
            .rnr_retry_count = NO_RECEIVE_RETRY_COUNT};
}

int32_t penstock_rdma_connect(const int64_t id, const int64_t address, const int32_t length) {
    if (id == 0 || length < 0 || length > UINT8_MAX) {
        return -EINVAL;
    }
    struct rdma_conn_param how = parameters(address, length);
    return result(rdma_calls->rdma_connect(pointer(id), &how));
}

int32_t penstock_rdma_accept(const int64_t id, const int64_t address, const int32_t length) {
    if (id == 0 || length < 0 || length > UINT8_MAX) {
        return -EINVAL;
    }
    struct rdma_conn_param how = parameters(address, length);
    return result(rdma_calls->rdma_accept(pointer(id), &how));
}

int32_t penstock_rdma_reject(const int64_t id, const int64_t address, const int32_t length) {
    if (id == 0 || length < 0 || length > UINT8_MAX) {
        return -EINVAL;
    }
    return result(rdma_calls->rdma_reject(pointer(id), length == 0 ? NULL : pointer(address), (uint8_t) length));
}

int32_t penstock_rdma_disconnect(const int64_t id) {
    return id == 0 ? -EINVAL : result(rdma_calls->rdma_disconnect(pointer(id)));
}

int64_t penstock_rdma_device(const int64_t id) {
    if (id == 0) {
        return -EINVAL;
    }
    const struct ibv_context *device = ((struct rdma_cm_id *) pointer(id))->verbs;
    return device == NULL ? -ENODEV : (int64_t) (intptr_t) device;
}

#endif
