/* The functions of libibverbs and librdmacm, found when this library is loaded: nothing is linked to them. */
#ifndef DISNI_LIBRARIES_H
#define DISNI_LIBRARIES_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#define VERBS_FUNCTIONS(EACH)                                                                   \
    EACH(ibv_ack_cq_events)                                                                     \
    EACH(ibv_alloc_pd)                                                                          \
    EACH(ibv_create_comp_channel)                                                               \
    EACH(ibv_create_cq)                                                                         \
    EACH(ibv_dealloc_pd)                                                                        \
    EACH(ibv_dereg_mr)                                                                          \
    EACH(ibv_destroy_comp_channel)                                                              \
    EACH(ibv_destroy_cq)                                                                        \
    EACH(ibv_get_cq_event)                                                                      \
    EACH(ibv_reg_mr)

#define CONNECTION_FUNCTIONS(EACH)                                                              \
    EACH(rdma_accept)                                                                           \
    EACH(rdma_ack_cm_event)                                                                     \
    EACH(rdma_bind_addr)                                                                        \
    EACH(rdma_connect)                                                                          \
    EACH(rdma_create_event_channel)                                                             \
    EACH(rdma_create_id)                                                                        \
    EACH(rdma_create_qp)                                                                        \
    EACH(rdma_destroy_ep)                                                                       \
    EACH(rdma_destroy_event_channel)                                                            \
    EACH(rdma_destroy_id)                                                                       \
    EACH(rdma_destroy_qp)                                                                       \
    EACH(rdma_disconnect)                                                                       \
    EACH(rdma_get_cm_event)                                                                     \
    EACH(rdma_listen)                                                                           \
    EACH(rdma_resolve_addr)                                                                     \
    EACH(rdma_resolve_route)                                                                    \
    EACH(rdma_set_option)

#define POINTER_TO(function) __typeof__(&function) function;

/* A function that is called through it is in brackets, because some of the names are macros, too. */
struct libraries {
    VERBS_FUNCTIONS(POINTER_TO)
    CONNECTION_FUNCTIONS(POINTER_TO)
};

/* Valid when libraries_missing is empty; set once, before any other function of this library is called. */
extern struct libraries rdma;

/* What is missing and which packages have it; empty when all is there. */
extern char libraries_missing[512];

/* Finds all functions. */
void libraries_open(void);

#endif
