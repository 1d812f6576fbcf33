/* What there is of RDMA when the library is built without the headers of libibverbs and librdmacm. */
#include "internal.h"
#include "penstock.h"
#include "rdma.h"

#ifndef PENSTOCK_HAS_RDMA

int64_t penstock_rdma_channel_open(void) {
    return -ENOSYS;
}

int32_t penstock_rdma_channel_descriptor(const int64_t channel) {
    (void) channel;
    return -ENOSYS;
}

int32_t penstock_rdma_channel_close(const int64_t channel) {
    (void) channel;
    return -ENOSYS;
}

int32_t penstock_rdma_event(const int64_t channel, const int64_t address) {
    (void) channel;
    (void) address;
    return -ENOSYS;
}

int64_t penstock_rdma_id_open(const int64_t channel) {
    (void) channel;
    return -ENOSYS;
}

int32_t penstock_rdma_id_close(const int64_t id) {
    (void) id;
    return -ENOSYS;
}

int32_t penstock_rdma_listen(const int64_t id, const int64_t address, const int32_t length, const int32_t backlog) {
    (void) id;
    (void) address;
    (void) length;
    (void) backlog;
    return -ENOSYS;
}

int32_t penstock_rdma_name(const int64_t id, const int32_t is_peer, const int64_t address, const int32_t capacity) {
    (void) id;
    (void) is_peer;
    (void) address;
    (void) capacity;
    return -ENOSYS;
}

int32_t penstock_rdma_resolve_address(
        const int64_t id, const int64_t address, const int32_t length, const int32_t timeout_ms) {
    (void) id;
    (void) address;
    (void) length;
    (void) timeout_ms;
    return -ENOSYS;
}

int32_t penstock_rdma_resolve_route(const int64_t id, const int32_t timeout_ms) {
    (void) id;
    (void) timeout_ms;
    return -ENOSYS;
}

int32_t penstock_rdma_connect(const int64_t id, const int64_t address, const int32_t length) {
    (void) id;
    (void) address;
    (void) length;
    return -ENOSYS;
}

int32_t penstock_rdma_accept(const int64_t id, const int64_t address, const int32_t length) {
    (void) id;
    (void) address;
    (void) length;
    return -ENOSYS;
}

int32_t penstock_rdma_reject(const int64_t id, const int64_t address, const int32_t length) {
    (void) id;
    (void) address;
    (void) length;
    return -ENOSYS;
}

int32_t penstock_rdma_disconnect(const int64_t id) {
    (void) id;
    return -ENOSYS;
}

int64_t penstock_rdma_device(const int64_t id) {
    (void) id;
    return -ENOSYS;
}

int32_t penstock_rdma_device_name(const int64_t device, const int64_t address, const int32_t capacity) {
    (void) device;
    (void) address;
    (void) capacity;
    return -ENOSYS;
}

int64_t penstock_rdma_device_limit(const int64_t device, const int32_t which) {
    (void) device;
    (void) which;
    return -ENOSYS;
}

int64_t penstock_rdma_domain_open(const int64_t device) {
    (void) device;
    return -ENOSYS;
}

int32_t penstock_rdma_domain_close(const int64_t domain) {
    (void) domain;
    return -ENOSYS;
}

int64_t penstock_rdma_register(
        const int64_t domain, const int64_t address, const int64_t length, const int32_t access) {
    (void) domain;
    (void) address;
    (void) length;
    (void) access;
    return -ENOSYS;
}

int64_t penstock_rdma_key(const int64_t registration, const int32_t is_remote) {
    (void) registration;
    (void) is_remote;
    return -ENOSYS;
}

int32_t penstock_rdma_deregister(const int64_t registration) {
    (void) registration;
    return -ENOSYS;
}

int64_t penstock_rdma_bell_open(const int64_t device) {
    (void) device;
    return -ENOSYS;
}

int32_t penstock_rdma_bell_descriptor(const int64_t bell) {
    (void) bell;
    return -ENOSYS;
}

int32_t penstock_rdma_bell_take(const int64_t bell, const int64_t address, const int32_t count) {
    (void) bell;
    (void) address;
    (void) count;
    return -ENOSYS;
}

int32_t penstock_rdma_bell_close(const int64_t bell) {
    (void) bell;
    return -ENOSYS;
}

int64_t penstock_rdma_queue_open(
        const int64_t device, const int64_t bell, const int32_t capacity, const int64_t context) {
    (void) device;
    (void) bell;
    (void) capacity;
    (void) context;
    return -ENOSYS;
}

int32_t penstock_rdma_queue_close(const int64_t queue) {
    (void) queue;
    return -ENOSYS;
}

int32_t penstock_rdma_queue_arm(const int64_t queue) {
    (void) queue;
    return -ENOSYS;
}

int32_t penstock_rdma_queue_poll(const int64_t queue, const int64_t address, const int32_t count) {
    (void) queue;
    (void) address;
    (void) count;
    return -ENOSYS;
}

int32_t penstock_rdma_pair_open(
        const int64_t id, const int64_t domain, const int64_t queue, const int32_t send_count, const int32_t receive_count, const int32_t inline_length) {
    (void) id;
    (void) domain;
    (void) queue;
    (void) send_count;
    (void) receive_count;
    (void) inline_length;
    return -ENOSYS;
}

int32_t penstock_rdma_post_sends(const int64_t id, const int64_t address, const int32_t count) {
    (void) id;
    (void) address;
    (void) count;
    return -ENOSYS;
}

int32_t penstock_rdma_post_receives(const int64_t id, const int64_t address, const int32_t count) {
    (void) id;
    (void) address;
    (void) count;
    return -ENOSYS;
}

#endif
