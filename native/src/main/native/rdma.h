/* The functions of libibverbs and librdmacm, which are looked up when they are first needed. */
#ifndef PENSTOCK_RDMA_H
#define PENSTOCK_RDMA_H

#if defined(__has_include) && !defined(PENSTOCK_WITHOUT_RDMA)
#if __has_include(<infiniband/verbs.h>) && __has_include(<rdma/rdma_cma.h>)
#define PENSTOCK_HAS_RDMA 1
#endif
#endif

#ifdef PENSTOCK_HAS_RDMA

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

/* Each with the library it is in. What is left out here is inline in their headers. */
#define RDMA_CALLS(CALL)                \
    CALL(verbs, ibv_alloc_pd)           \
    CALL(verbs, ibv_dealloc_pd)         \
    CALL(verbs, ibv_reg_mr)             \
    CALL(verbs, ibv_dereg_mr)           \
    CALL(verbs, ibv_create_comp_channel) \
    CALL(verbs, ibv_destroy_comp_channel) \
    CALL(verbs, ibv_create_cq)          \
    CALL(verbs, ibv_destroy_cq)         \
    CALL(verbs, ibv_get_cq_event)       \
    CALL(verbs, ibv_ack_cq_events)      \
    CALL(verbs, ibv_get_device_name)    \
    CALL(verbs, ibv_query_device)       \
    CALL(cm, rdma_create_event_channel) \
    CALL(cm, rdma_destroy_event_channel) \
    CALL(cm, rdma_get_cm_event)         \
    CALL(cm, rdma_ack_cm_event)         \
    CALL(cm, rdma_create_id)            \
    CALL(cm, rdma_destroy_id)           \
    CALL(cm, rdma_set_option)           \
    CALL(cm, rdma_bind_addr)            \
    CALL(cm, rdma_listen)               \
    CALL(cm, rdma_resolve_addr)         \
    CALL(cm, rdma_resolve_route)        \
    CALL(cm, rdma_create_qp)            \
    CALL(cm, rdma_destroy_qp)           \
    CALL(cm, rdma_connect)              \
    CALL(cm, rdma_accept)               \
    CALL(cm, rdma_reject)               \
    CALL(cm, rdma_disconnect)

#define RDMA_POINTER(library, name) __typeof__(name) *name;
struct rdma_calls {
    RDMA_CALLS(RDMA_POINTER)
};
#undef RDMA_POINTER

/* NULL until penstock_rdma_load has returned 0. */
extern const struct rdma_calls *rdma_calls;

#endif
#endif
