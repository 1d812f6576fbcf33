/* Devices, registered memory, and queues. */
#define _GNU_SOURCE

#include "internal.h"
#include "penstock.h"
#include "rdma.h"

#ifdef PENSTOCK_HAS_RDMA

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

/* So many requests are handed to the device at once. */
#define BATCH 32
/* The time after which an unanswered packet is sent again is 4.096 us * 2^16 = 0.27 s; eight of them are 2.1 s. */
#define ANSWER_TIME 16

struct piece {
    uint64_t address;
    uint32_t length;
    uint32_t key;
};

struct send {
    uint64_t id;
    uint32_t operation;
    uint32_t flags;
    struct piece pieces[2];
    uint64_t remote_address;
    uint32_t remote_key;
    uint32_t number;
};

struct receive {
    uint64_t id;
    struct piece piece;
};

struct completion {
    uint64_t id;
    uint32_t status;
    uint32_t operation;
    uint32_t length;
    uint32_t number;
    uint32_t vendor_error;
    uint32_t zero;
};

_Static_assert(sizeof(struct send) == PENSTOCK_RDMA_SEND_LENGTH, "layout of sends");
_Static_assert(sizeof(struct receive) == PENSTOCK_RDMA_RECEIVE_LENGTH, "layout of receives");
_Static_assert(sizeof(struct completion) == PENSTOCK_RDMA_COMPLETION_LENGTH, "layout of completions");
_Static_assert(sizeof(struct piece) == sizeof(struct ibv_sge), "layout of pieces");

static const enum ibv_wr_opcode OPERATIONS[] = {
        IBV_WR_SEND, IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WR_RDMA_READ};

int32_t penstock_rdma_device_name(const int64_t device, const int64_t address, const int32_t capacity) {
    if (device == 0 || capacity <= 0) {
        return -EINVAL;
    }
    const char *name = rdma_calls->ibv_get_device_name(((struct ibv_context *) pointer(device))->device);
    const size_t length = strlen(name);
    if (length >= (size_t) capacity) {
        return -ENOBUFS;
    }
    memcpy(pointer(address), name, length + 1);
    return (int32_t) length;
}

int64_t penstock_rdma_device_limit(const int64_t device, const int32_t which) {
    if (device == 0) {
        return -EINVAL;
    }
    struct ibv_device_attr limits;
    const int failed = rdma_calls->ibv_query_device(pointer(device), &limits);
    if (failed != 0) {
        return -failed;
    }
    switch (which) {
        case PENSTOCK_RDMA_LIMIT_REGISTRATION_LENGTH:
            return limits.max_mr_size > INT64_MAX ? INT64_MAX : (int64_t) limits.max_mr_size;
        case PENSTOCK_RDMA_LIMIT_REGISTRATIONS:
            return limits.max_mr;
        case PENSTOCK_RDMA_LIMIT_REQUESTS:
            return limits.max_qp_wr;
        case PENSTOCK_RDMA_LIMIT_COMPLETIONS:
            return limits.max_cqe;
        default:
            return -EINVAL;
    }
}

static int64_t opened(void *object) {
    return object == NULL ? (errno != 0 ? -errno : -ENOMEM) : (int64_t) (intptr_t) object;
}

int64_t penstock_rdma_domain_open(const int64_t device) {
    return device == 0 ? -EINVAL : opened(rdma_calls->ibv_alloc_pd(pointer(device)));
}

int32_t penstock_rdma_domain_close(const int64_t domain) {
    return domain == 0 ? -EINVAL : -rdma_calls->ibv_dealloc_pd(pointer(domain));
}

int64_t penstock_rdma_register(
        const int64_t domain, const int64_t address, const int64_t length, const int32_t access) {
    if (domain == 0 || length <= 0 || (access & ~(PENSTOCK_RDMA_REMOTE_WRITE | PENSTOCK_RDMA_REMOTE_READ)) != 0) {
        return -EINVAL;
    }
    int how = IBV_ACCESS_LOCAL_WRITE;
    how |= (access & PENSTOCK_RDMA_REMOTE_WRITE) != 0 ? IBV_ACCESS_REMOTE_WRITE : 0;
    how |= (access & PENSTOCK_RDMA_REMOTE_READ) != 0 ? IBV_ACCESS_REMOTE_READ : 0;
    /* In brackets, because the header has a macro of this name. */
    return opened((rdma_calls->ibv_reg_mr)(pointer(domain), pointer(address), (size_t) length, how));
}

int64_t penstock_rdma_key(const int64_t registration, const int32_t is_remote) {
    if (registration == 0) {
        return -EINVAL;
    }
    const struct ibv_mr *memory = pointer(registration);
    return is_remote != 0 ? memory->rkey : memory->lkey;
}

int32_t penstock_rdma_deregister(const int64_t registration) {
    return registration == 0 ? -EINVAL : -rdma_calls->ibv_dereg_mr(pointer(registration));
}

int64_t penstock_rdma_bell_open(const int64_t device) {
    if (device == 0) {
        return -EINVAL;
    }
    struct ibv_comp_channel *bell = rdma_calls->ibv_create_comp_channel(pointer(device));
    if (bell != NULL && fcntl(bell->fd, F_SETFL, O_NONBLOCK) != 0) {
        const int error = errno;
        rdma_calls->ibv_destroy_comp_channel(bell);
        return -error;
    }
    return opened(bell);
}

int32_t penstock_rdma_bell_descriptor(const int64_t bell) {
    return bell == 0 ? -EINVAL : ((struct ibv_comp_channel *) pointer(bell))->fd;
}

int32_t penstock_rdma_bell_take(const int64_t bell, const int64_t address, const int32_t count) {
    if (bell == 0 || count < 0) {
        return -EINVAL;
    }
    int64_t *contexts = pointer(address);
    int32_t taken = 0;
    while (taken < count) {
        struct ibv_cq *queue;
        void *context;
        if (rdma_calls->ibv_get_cq_event(pointer(bell), &queue, &context) != 0) {
            return taken > 0 || errno == EAGAIN ? taken : -errno;
        }
        rdma_calls->ibv_ack_cq_events(queue, 1);
        contexts[taken++] = (int64_t) (intptr_t) context;
    }
    return taken;
}

int32_t penstock_rdma_bell_close(const int64_t bell) {
    return bell == 0 ? -EINVAL : -rdma_calls->ibv_destroy_comp_channel(pointer(bell));
}

int64_t penstock_rdma_queue_open(
        const int64_t device, const int64_t bell, const int32_t capacity, const int64_t context) {
    if (device == 0 || capacity <= 0) {
        return -EINVAL;
    }
    return opened(rdma_calls->ibv_create_cq(pointer(device), capacity, pointer(context), pointer(bell), 0));
}

int32_t penstock_rdma_queue_close(const int64_t queue) {
    return queue == 0 ? -EINVAL : -rdma_calls->ibv_destroy_cq(pointer(queue));
}

int32_t penstock_rdma_queue_arm(const int64_t queue) {
    return queue == 0 ? -EINVAL : -ibv_req_notify_cq(pointer(queue), 0);
}

int32_t penstock_rdma_queue_poll(const int64_t queue, const int64_t address, const int32_t count) {
    if (queue == 0 || count < 0) {
        return -EINVAL;
    }
    struct completion *completions = pointer(address);
    int32_t taken = 0;
    while (taken < count) {
        struct ibv_wc found[BATCH];
        const int wanted = count - taken < BATCH ? count - taken : BATCH;
        const int got = ibv_poll_cq(pointer(queue), wanted, found);
        if (got < 0) {
            return taken > 0 ? taken : -EIO;
        }
        for (int i = 0; i < got; i++) {
            const bool is_number = found[i].opcode == IBV_WC_RECV_RDMA_WITH_IMM;
            completions[taken++] = (struct completion) {
                    .id = found[i].wr_id,
                    .status = found[i].status,
                    .operation = (found[i].opcode & IBV_WC_RECV) == 0 ? 0 : is_number ? 2 : 1,
                    .length = found[i].byte_len,
                    .number = is_number ? be32toh(found[i].imm_data) : 0,
                    .vendor_error = found[i].vendor_err};
        }
        if (got < wanted) {
            break;
        }
    }
    return taken;
}

int32_t penstock_rdma_pair_open(const int64_t id, const int64_t domain, const int64_t queue, const int32_t send_count,
        const int32_t receive_count, const int32_t inline_length) {
    if (id == 0 || domain == 0 || queue == 0 || send_count <= 0 || receive_count <= 0 || inline_length < 0) {
        return -EINVAL;
    }
    const uint8_t answer_time = ANSWER_TIME;
    /* Older kernels do not know it, and have a longer one of their own. */
    (void) rdma_calls->rdma_set_option(
            pointer(id), RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, (void *) &answer_time, sizeof(answer_time));
    int32_t length = inline_length;
    for (;;) {
        struct ibv_qp_init_attr how = {
                .send_cq = pointer(queue),
                .recv_cq = pointer(queue),
                .cap = {.max_send_wr = (uint32_t) send_count,
                        .max_recv_wr = (uint32_t) receive_count,
                        .max_send_sge = 2,
                        .max_recv_sge = 1,
                        .max_inline_data = (uint32_t) length},
                .qp_type = IBV_QPT_RC};
        if (rdma_calls->rdma_create_qp(pointer(id), pointer(domain), &how) == 0) {
            return (uint32_t) inline_length < how.cap.max_inline_data ? inline_length
                                                                       : (int32_t) how.cap.max_inline_data;
        }
        if (length == 0) {
            return -errno;
        }
        /* There is no limit to ask for; a device refuses what is too long. */
        length /= 2;
    }
}

static void copy_send(const struct send *from, struct ibv_send_wr *to, struct ibv_sge *pieces) {
    int count = 0;
    for (int i = 0; i < 2; i++) {
        if (from->pieces[i].length > 0) {
            pieces[count++] = (struct ibv_sge) {
                    .addr = from->pieces[i].address, .length = from->pieces[i].length, .lkey = from->pieces[i].key};
        }
    }
    unsigned int flags = 0;
    flags |= (from->flags & PENSTOCK_RDMA_SIGNALLED) != 0 ? IBV_SEND_SIGNALED : 0;
    flags |= (from->flags & PENSTOCK_RDMA_INLINE) != 0 ? IBV_SEND_INLINE : 0;
    flags |= (from->flags & PENSTOCK_RDMA_FENCE) != 0 ? IBV_SEND_FENCE : 0;
    *to = (struct ibv_send_wr) {
            .wr_id = from->id, .sg_list = pieces, .num_sge = count, .opcode = OPERATIONS[from->operation],
            .send_flags = flags};
    to->imm_data = htobe32(from->number);
    to->wr.rdma.remote_addr = from->remote_address;
    to->wr.rdma.rkey = from->remote_key;
}

int32_t penstock_rdma_post_sends(const int64_t id, const int64_t address, const int32_t count) {
    if (id == 0 || count < 0) {
        return -EINVAL;
    }
    struct ibv_qp *pair = ((struct rdma_cm_id *) pointer(id))->qp;
    const struct send *sends = pointer(address);
    for (int32_t i = 0; i < count; i++) {
        if (sends[i].operation >= sizeof(OPERATIONS) / sizeof(OPERATIONS[0])) {
            return -EINVAL;
        }
    }
    int32_t posted = 0;
    while (posted < count) {
        struct ibv_send_wr requests[BATCH];
        struct ibv_sge pieces[BATCH][2];
        const int batch = count - posted < BATCH ? count - posted : BATCH;
        for (int i = 0; i < batch; i++) {
            copy_send(&sends[posted + i], &requests[i], pieces[i]);
            requests[i].next = i + 1 < batch ? &requests[i + 1] : NULL;
        }
        struct ibv_send_wr *refused = NULL;
        const int failed = ibv_post_send(pair, requests, &refused);
        if (failed != 0) {
            posted += refused == NULL ? 0 : (int32_t) (refused - requests);
            return posted > 0 ? posted : -failed;
        }
        posted += batch;
    }
    return posted;
}

int32_t penstock_rdma_post_receives(const int64_t id, const int64_t address, const int32_t count) {
    if (id == 0 || count < 0) {
        return -EINVAL;
    }
    struct ibv_qp *pair = ((struct rdma_cm_id *) pointer(id))->qp;
    const struct receive *receives = pointer(address);
    int32_t posted = 0;
    while (posted < count) {
        struct ibv_recv_wr requests[BATCH];
        struct ibv_sge pieces[BATCH];
        const int batch = count - posted < BATCH ? count - posted : BATCH;
        for (int i = 0; i < batch; i++) {
            const struct receive *from = &receives[posted + i];
            pieces[i] = (struct ibv_sge) {
                    .addr = from->piece.address, .length = from->piece.length, .lkey = from->piece.key};
            requests[i] = (struct ibv_recv_wr) {
                    .wr_id = from->id,
                    .next = i + 1 < batch ? &requests[i + 1] : NULL,
                    .sg_list = &pieces[i],
                    .num_sge = from->piece.length > 0 ? 1 : 0};
        }
        struct ibv_recv_wr *refused = NULL;
        const int failed = ibv_post_recv(pair, requests, &refused);
        if (failed != 0) {
            posted += refused == NULL ? 0 : (int32_t) (refused - requests);
            return posted > 0 ? posted : -failed;
        }
        posted += batch;
    }
    return posted;
}

#endif
