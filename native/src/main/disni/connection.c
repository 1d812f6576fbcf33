/* Connections: the native methods over librdmacm. */
#define _GNU_SOURCE

#include "dispatcher.h"
#include "libraries.h"
#include <netinet/in.h>
#include <string.h>

/* What a work request may gather or scatter; the Java side names no number. */
#define SGE_COUNT 4
/* The time after which an unanswered packet is sent again is 4.096 us * 2^16 = 0.27 s; eight of them are 2.1 s. */
#define ANSWER_TIME 16

NATIVE(int64_t, createEventChannel)(const jni_env env, void *self) {
    (void) self;
    if (libraries_missing[0] != '\0') {
        throw_text(env, "rdma", libraries_missing);
        return 0;
    }
    struct rdma_event_channel *channel = rdma.rdma_create_event_channel();
    if (channel != NULL && set_nonblocking(channel->fd) != 0) {
        const int error = errno;
        rdma.rdma_destroy_event_channel(channel);
        errno = error;
        channel = NULL;
    }
    return made(env, "rdma_create_event_channel", channel);
}

NATIVE(int32_t, destroyEventChannel)(const jni_env env, void *self, const int64_t channel) {
    (void) env;
    (void) self;
    if (channel == 0) {
        return -EINVAL;
    }
    rdma.rdma_destroy_event_channel(pointer(channel));
    return 0;
}

NATIVE(int64_t, createId)(const jni_env env, void *self, const int64_t channel, const int16_t port_space) {
    (void) self;
    struct rdma_cm_id *id = NULL;
    if (is_there(env, "rdma_create_id", channel)) {
        succeeded(env, "rdma_create_id",
                rdma.rdma_create_id(pointer(channel), &id, NULL, (enum rdma_port_space) port_space));
    }
    return (int64_t) (intptr_t) id;
}

NATIVE(int32_t, destroyCmId)(const jni_env env, void *self, const int64_t id) {
    (void) env;
    (void) self;
    return id == 0 ? -EINVAL : result_of(rdma.rdma_destroy_id(pointer(id)));
}

/* With its queue pair, if it has one. */
NATIVE(int32_t, destroyEp)(const jni_env env, void *self, const int64_t id) {
    (void) env;
    (void) self;
    if (id == 0) {
        return -EINVAL;
    }
    rdma.rdma_destroy_ep(pointer(id));
    return 0;
}

NATIVE(int64_t, createQP)(const jni_env env, void *self, const int64_t id, const int64_t domain, const int64_t send_queue,
        const int64_t receive_queue, const int32_t type, const int32_t send_count, const int32_t receive_count,
        const int32_t inline_length) {
    (void) self;
    if (id == 0 || domain == 0 || send_queue == 0 || receive_queue == 0 || send_count < 0 || receive_count < 0
            || inline_length < 0) {
        throw_error(env, "rdma_create_qp", EINVAL);
        return 0;
    }
    struct ibv_qp_init_attr attributes = {
        .send_cq = pointer(send_queue),
        .recv_cq = pointer(receive_queue),
        .cap = {
            .max_send_wr = (uint32_t) send_count,
            .max_recv_wr = (uint32_t) receive_count,
            .max_send_sge = SGE_COUNT,
            .max_recv_sge = SGE_COUNT,
            .max_inline_data = (uint32_t) inline_length,
        },
        .qp_type = (enum ibv_qp_type) type,
    };
    struct rdma_cm_id *owner = pointer(id);
    uint8_t answer_time = ANSWER_TIME;
    /* Older kernels do not know it, and have a longer one of their own. */
    (void) rdma.rdma_set_option(owner, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &answer_time, sizeof(answer_time));
    if (!succeeded(env, "rdma_create_qp", rdma.rdma_create_qp(owner, pointer(domain), &attributes))) {
        return 0;
    }
    return (int64_t) (intptr_t) owner->qp;
}

NATIVE(int32_t, destroyQP)(const jni_env env, void *self, const int64_t id) {
    (void) env;
    (void) self;
    if (id == 0) {
        return -EINVAL;
    }
    rdma.rdma_destroy_qp(pointer(id));
    return 0;
}

NATIVE(void, bindAddr)(const jni_env env, void *self, const int64_t id, const int64_t address) {
    (void) self;
    if (is_there(env, "rdma_bind_addr", id) && is_there(env, "rdma_bind_addr", address)) {
        succeeded(env, "rdma_bind_addr", rdma.rdma_bind_addr(pointer(id), pointer(address)));
    }
}

NATIVE(void, listen)(const jni_env env, void *self, const int64_t id, const int32_t backlog) {
    (void) self;
    if (is_there(env, "rdma_listen", id)) {
        succeeded(env, "rdma_listen", rdma.rdma_listen(pointer(id), backlog));
    }
}

NATIVE(void, resolveAddr)(const jni_env env, void *self, const int64_t id, const int64_t source,
        const int64_t destination, const int32_t timeout_ms) {
    (void) self;
    if (is_there(env, "rdma_resolve_addr", id) && is_there(env, "rdma_resolve_addr", destination)) {
        succeeded(env, "rdma_resolve_addr",
                rdma.rdma_resolve_addr(pointer(id), pointer(source), pointer(destination), timeout_ms));
    }
}

NATIVE(void, resolveRoute)(const jni_env env, void *self, const int64_t id, const int32_t timeout_ms) {
    (void) self;
    if (is_there(env, "rdma_resolve_route", id)) {
        succeeded(env, "rdma_resolve_route", rdma.rdma_resolve_route(pointer(id), timeout_ms));
    }
}

/* As many READs at once as both devices can, in both directions. */
static struct rdma_conn_param parameters(const int32_t retry_count, const int32_t rnr_retry_count) {
    return (struct rdma_conn_param) {
        .responder_resources = RDMA_MAX_RESP_RES,
        .initiator_depth = RDMA_MAX_INIT_DEPTH,
        .retry_count = (uint8_t) retry_count,
        .rnr_retry_count = (uint8_t) rnr_retry_count,
    };
}

NATIVE(void, connect)(const jni_env env, void *self, const int64_t id, const int32_t retry_count,
        const int32_t rnr_retry_count, const int64_t private_data, const int8_t private_length) {
    (void) self;
    if (is_there(env, "rdma_connect", id)) {
        struct rdma_conn_param given = parameters(retry_count, rnr_retry_count);
        given.private_data = pointer(private_data);
        given.private_data_len = private_data == 0 ? 0 : (uint8_t) private_length;
        succeeded(env, "rdma_connect", rdma.rdma_connect(pointer(id), &given));
    }
}

NATIVE(void, accept)(const jni_env env, void *self, const int64_t id, const int32_t retry_count,
        const int32_t rnr_retry_count) {
    (void) self;
    if (is_there(env, "rdma_accept", id)) {
        struct rdma_conn_param given = parameters(retry_count, rnr_retry_count);
        succeeded(env, "rdma_accept", rdma.rdma_accept(pointer(id), &given));
    }
}

NATIVE(int32_t, disconnect)(const jni_env env, void *self, const int64_t id) {
    (void) env;
    (void) self;
    return id == 0 ? -EINVAL : result_of(rdma.rdma_disconnect(pointer(id)));
}

static void remember(const struct rdma_cm_event *event) {
    remembered.status = event->status;
    const bool has_data = event->event == RDMA_CM_EVENT_CONNECT_REQUEST || event->event == RDMA_CM_EVENT_ESTABLISHED
            || event->event == RDMA_CM_EVENT_REJECTED;
    const struct rdma_conn_param *sent = &event->param.conn;
    remembered.private_data_length = has_data && sent->private_data != NULL ? sent->private_data_len : 0;
    if (remembered.private_data_length > 0) {
        memcpy(remembered.private_data, sent->private_data, sent->private_data_len);
    }
}

/*
 * Writes which endpoint listened, if any, and which it is about. The event is acknowledged here, because nothing of it
 * is left then: the Java side has its own copy, and its acknowledgement names but the kind of the event.
 */
NATIVE(int32_t, getCmEvent)(const jni_env env, void *self, const int64_t channel, const int64_t listener_at,
        const int64_t id_at, const int32_t timeout_ms) {
    (void) self;
    if (channel == 0 || listener_at == 0 || id_at == 0) {
        throw_error(env, "rdma_get_cm_event", EINVAL);
        return -EINVAL;
    }
    struct rdma_event_channel *source = pointer(channel);
    const int ready = wait_readable(source->fd, timeout_ms);
    struct rdma_cm_event *event = NULL;
    if (ready < 0 || (ready > 0 && rdma.rdma_get_cm_event(source, &event) != 0)) {
        if (errno != EAGAIN) {
            throw_error(env, "rdma_get_cm_event", errno);
        }
        return -1;
    }
    if (event == NULL) {
        return -1;
    }
    const int64_t listener = (int64_t) (intptr_t) event->listen_id;
    const int64_t id = (int64_t) (intptr_t) event->id;
    const int32_t kind = (int32_t) event->event;
    memcpy(pointer(listener_at), &listener, sizeof(listener));
    memcpy(pointer(id_at), &id, sizeof(id));
    remember(event);
    rdma.rdma_ack_cm_event(event);
    return kind;
}

NATIVE(int32_t, ackCmEvent)(const jni_env env, void *self, const int32_t kind) {
    (void) env;
    (void) self;
    (void) kind;
    return 0;
}

/* IPv4 is all that the Java side reads. */
static int32_t copy_address(const struct sockaddr *from, const int64_t to) {
    if (from->sa_family != AF_INET) {
        return -EAFNOSUPPORT;
    }
    memcpy(pointer(to), from, sizeof(struct sockaddr_in));
    return 0;
}

NATIVE(int32_t, getSrcAddr)(const jni_env env, void *self, const int64_t id, const int64_t address) {
    (void) env;
    (void) self;
    return id == 0 || address == 0 ? -EINVAL : copy_address(rdma_get_local_addr(pointer(id)), address);
}

NATIVE(int32_t, getDstAddr)(const jni_env env, void *self, const int64_t id, const int64_t address) {
    (void) env;
    (void) self;
    return id == 0 || address == 0 ? -EINVAL : copy_address(rdma_get_peer_addr(pointer(id)), address);
}

/* -1 as long as there is none: a listener on all addresses never has one. */
NATIVE(int64_t, getContext)(const jni_env env, void *self, const int64_t id) {
    (void) self;
    if (!is_there(env, "device of an endpoint", id)) {
        return -1;
    }
    const struct rdma_cm_id *owner = pointer(id);
    return owner->verbs == NULL ? -1 : (int64_t) (intptr_t) owner->verbs;
}

SUPPLEMENT(int32_t, eventStatus)(const jni_env env, void *type) {
    (void) env;
    (void) type;
    return remembered.status;
}

SUPPLEMENT(int32_t, eventData)(const jni_env env, void *type, const int64_t address, const int32_t capacity) {
    (void) env;
    (void) type;
    if (address == 0 || capacity < remembered.private_data_length) {
        return -EINVAL;
    }
    memcpy(pointer(address), remembered.private_data, (size_t) remembered.private_data_length);
    return remembered.private_data_length;
}
