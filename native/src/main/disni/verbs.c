/* Memory, queues and completions: the native methods over libibverbs. */
#define _GNU_SOURCE

#include "dispatcher.h"
#include "libraries.h"
#include <stdio.h>
#include <string.h>

NATIVE(int64_t, allocPd)(const jni_env env, void *self, const int64_t context) {
    (void) self;
    return is_there(env, "ibv_alloc_pd", context) ? made(env, "ibv_alloc_pd", rdma.ibv_alloc_pd(pointer(context))) : 0;
}

NATIVE(int32_t, deallocPd)(const jni_env env, void *self, const int64_t domain) {
    (void) env;
    (void) self;
    return domain == 0 ? -EINVAL : negative(rdma.ibv_dealloc_pd(pointer(domain)));
}

NATIVE(int32_t, getPdHandle)(const jni_env env, void *self, const int64_t domain) {
    (void) self;
    return is_there(env, "ibv_pd.handle", domain) ? (int32_t) ((struct ibv_pd *) pointer(domain))->handle : 0;
}

NATIVE(int64_t, createCompChannel)(const jni_env env, void *self, const int64_t context) {
    (void) self;
    if (!is_there(env, "ibv_create_comp_channel", context)) {
        return 0;
    }
    struct ibv_comp_channel *channel = rdma.ibv_create_comp_channel(pointer(context));
    if (channel != NULL && set_nonblocking(channel->fd) != 0) {
        const int error = errno;
        rdma.ibv_destroy_comp_channel(channel);
        errno = error;
        channel = NULL;
    }
    return made(env, "ibv_create_comp_channel", channel);
}

NATIVE(int32_t, destroyCompChannel)(const jni_env env, void *self, const int64_t channel) {
    (void) env;
    (void) self;
    return channel == 0 ? -EINVAL : negative(rdma.ibv_destroy_comp_channel(pointer(channel)));
}

NATIVE(int64_t, createCQ)(const jni_env env, void *self, const int64_t context, const int64_t channel,
        const int32_t count, const int32_t vector) {
    (void) self;
    if (!is_there(env, "ibv_create_cq", context)) {
        return 0;
    }
    return made(env, "ibv_create_cq", rdma.ibv_create_cq(pointer(context), count, NULL, pointer(channel), vector));
}

NATIVE(int32_t, destroyCQ)(const jni_env env, void *self, const int64_t queue) {
    (void) env;
    (void) self;
    return queue == 0 ? -EINVAL : negative(rdma.ibv_destroy_cq(pointer(queue)));
}

/* The Java side gives no attributes, so there is nothing that it could mean. */
NATIVE(int32_t, modifyQP)(const jni_env env, void *self, const int64_t pair, const int64_t attributes) {
    (void) self;
    (void) pair;
    (void) attributes;
    throw_text(env, "ibv_modify_qp", "there are no attributes to set (rdma_connect and rdma_accept set them)");
    return -1;
}

NATIVE(int32_t, getQpNum)(const jni_env env, void *self, const int64_t pair) {
    (void) self;
    return is_there(env, "ibv_qp.qp_num", pair) ? (int32_t) ((struct ibv_qp *) pointer(pair))->qp_num : 0;
}

NATIVE(int32_t, getContextFd)(const jni_env env, void *self, const int64_t context) {
    (void) self;
    return is_there(env, "ibv_context.cmd_fd", context) ? ((struct ibv_context *) pointer(context))->cmd_fd : -1;
}

NATIVE(int32_t, getContextNumCompVectors)(const jni_env env, void *self, const int64_t context) {
    (void) self;
    return is_there(env, "ibv_context.num_comp_vectors", context)
            ? ((struct ibv_context *) pointer(context))->num_comp_vectors
            : 0;
}

NATIVE(int64_t, regMr)(const jni_env env, void *self, const int64_t domain, const int64_t address, const int32_t length,
        const int32_t access, const int64_t local_key_at, const int64_t remote_key_at, const int64_t handle_at) {
    (void) self;
    if (domain == 0 || length < 0 || local_key_at == 0 || remote_key_at == 0 || handle_at == 0) {
        throw_error(env, "ibv_reg_mr", EINVAL);
        return 0;
    }
    const struct ibv_mr *region = (rdma.ibv_reg_mr)(pointer(domain), pointer(address), (size_t) length, access);
    if (region == NULL) {
        const int error = errno;
        char called[64];
        snprintf(called, sizeof(called), "ibv_reg_mr: %d bytes", length);
        throw_error(env, called, error);
        return 0;
    }
    memcpy(pointer(local_key_at), &region->lkey, sizeof(region->lkey));
    memcpy(pointer(remote_key_at), &region->rkey, sizeof(region->rkey));
    memcpy(pointer(handle_at), &region->handle, sizeof(region->handle));
    return (int64_t) (intptr_t) region;
}

NATIVE(void, deregMr)(const jni_env env, void *self, const int64_t region) {
    (void) self;
    const int error = region == 0 ? EINVAL : rdma.ibv_dereg_mr(pointer(region));
    if (error != 0) {
        throw_error(env, "ibv_dereg_mr", error);
    }
}

/* Which operations of reliable connections may use memory that is not pinned; 0 is none. */
NATIVE(int32_t, queryOdpSupport)(const jni_env env, void *self, const int64_t context) {
    (void) env;
    (void) self;
    if (context == 0) {
        return -EINVAL;
    }
    struct ibv_context *legacy = pointer(context);
    struct verbs_context *device = __extension__ verbs_get_ctx_op(legacy, query_device_ex);
    if (device == NULL) {
        return 0;
    }
    struct ibv_device_attr_ex attributes;
    memset(&attributes, 0, sizeof(attributes));
    const int error = device->query_device_ex(legacy, NULL, &attributes, sizeof(attributes));
    if (error != 0) {
        return negative(error);
    }
    return (attributes.odp_caps.general_caps & IBV_ODP_SUPPORT) == 0
            ? 0
            : (int32_t) attributes.odp_caps.per_transport_caps.rc_odp_caps;
}

NATIVE(int32_t, expPrefetchMr)(const jni_env env, void *self, const int64_t region, const int64_t address,
        const int32_t length) {
    (void) self;
    if (!is_there(env, "ibv_advise_mr", region)) {
        return -EINVAL;
    }
    const struct ibv_mr *advised = pointer(region);
    struct ibv_sge part = {.addr = (uint64_t) address, .length = (uint32_t) length, .lkey = advised->lkey};
    const int error = ibv_advise_mr(advised->pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &part, 1);
    if (error != 0) {
        throw_error(env, "ibv_advise_mr", error);
    }
    return negative(error);
}

static void post_failed(const jni_env env, const char *called, const int error, const int posted) {
    remembered.error = error;
    remembered.posted = posted;
    throw_error(env, called, error);
}

NATIVE(void, postSend)(const jni_env env, void *self, const int64_t pair, const int64_t requests) {
    (void) self;
    struct ibv_send_wr *refused = pointer(requests);
    const int error =
            pair == 0 || requests == 0 ? EINVAL : ibv_post_send(pointer(pair), pointer(requests), &refused);
    if (error != 0) {
        int posted = 0;
        for (const struct ibv_send_wr *each = pointer(requests); each != refused && each != NULL; each = each->next) {
            posted++;
        }
        post_failed(env, "ibv_post_send", error, posted);
    }
}

NATIVE(void, postRecv)(const jni_env env, void *self, const int64_t pair, const int64_t requests) {
    (void) self;
    struct ibv_recv_wr *refused = pointer(requests);
    const int error =
            pair == 0 || requests == 0 ? EINVAL : ibv_post_recv(pointer(pair), pointer(requests), &refused);
    if (error != 0) {
        int posted = 0;
        for (const struct ibv_recv_wr *each = pointer(requests); each != refused && each != NULL; each = each->next) {
            posted++;
        }
        post_failed(env, "ibv_post_recv", error, posted);
    }
}

NATIVE(int32_t, pollCQ)(const jni_env env, void *self, const int64_t queue, const int32_t count, const int64_t at) {
    (void) self;
    if (queue == 0 || count < 0 || at == 0) {
        throw_error(env, "ibv_poll_cq", EINVAL);
        return -1;
    }
    return ibv_poll_cq(pointer(queue), count, pointer(at));
}

NATIVE(int32_t, reqNotifyCQ)(const jni_env env, void *self, const int64_t queue, const int32_t solicited_only) {
    (void) self;
    const int error = queue == 0 ? EINVAL : ibv_req_notify_cq(pointer(queue), solicited_only);
    if (error != 0) {
        throw_error(env, "ibv_req_notify_cq", error);
    }
    return negative(error);
}

/*
 * 0 when there was an event, -1 when the time was up. The event is acknowledged here, because the Java side does not
 * learn whose it was; a queue that is destroyed would wait for ever for an unknown one.
 */
NATIVE(int32_t, getCqEvent)(const jni_env env, void *self, const int64_t channel, const int32_t timeout_ms) {
    (void) self;
    if (!is_there(env, "ibv_get_cq_event", channel)) {
        return -1;
    }
    struct ibv_comp_channel *source = pointer(channel);
    struct ibv_cq *queue = NULL;
    void *context = NULL;
    const int ready = wait_readable(source->fd, timeout_ms);
    if (ready < 0 || (ready > 0 && rdma.ibv_get_cq_event(source, &queue, &context) != 0)) {
        if (errno != EAGAIN) {
            throw_error(env, "ibv_get_cq_event", errno);
        }
        return -1;
    }
    if (queue == NULL) {
        return -1;
    }
    rdma.ibv_ack_cq_events(queue, 1);
    return 0;
}

NATIVE(int32_t, ackCqEvent)(const jni_env env, void *self, const int64_t queue, const int32_t count) {
    (void) env;
    (void) self;
    return queue == 0 || count < 0 ? -EINVAL : 0;
}

SUPPLEMENT(int32_t, postError)(const jni_env env, void *type) {
    (void) env;
    (void) type;
    return remembered.error;
}

SUPPLEMENT(int32_t, postCount)(const jni_env env, void *type) {
    (void) env;
    (void) type;
    return remembered.posted;
}
