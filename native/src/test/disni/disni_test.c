/*
 * Calls native methods of DiSNI with objects that are made here, or are 0; no device is needed. Prints a line for each
 * test: ok NAME, or failed NAME: what; ends with the number of those that failed.
 */
#define _GNU_SOURCE

#include "dispatcher.h"
#include "libraries.h"
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

NATIVE(int32_t, ackCmEvent)(jni_env env, void *self, int32_t kind);
NATIVE(int64_t, createEventChannel)(jni_env env, void *self);
NATIVE(int64_t, createQP)(jni_env env, void *self, int64_t id, int64_t domain, int64_t send_queue, int64_t receive_queue,
        int32_t type, int32_t send_count, int32_t receive_count, int32_t inline_length);
NATIVE(void, deregMr)(jni_env env, void *self, int64_t region);
NATIVE(int32_t, destroyEventChannel)(jni_env env, void *self, int64_t channel);
NATIVE(int32_t, getCmEvent)(jni_env env, void *self, int64_t channel, int64_t listener_at, int64_t id_at, int32_t timeout_ms);
NATIVE(int64_t, getContext)(jni_env env, void *self, int64_t id);
NATIVE(int32_t, getCqEvent)(jni_env env, void *self, int64_t channel, int32_t timeout_ms);
NATIVE(int32_t, getDstAddr)(jni_env env, void *self, int64_t id, int64_t address);
NATIVE(int32_t, getSrcAddr)(jni_env env, void *self, int64_t id, int64_t address);
NATIVE(int32_t, modifyQP)(jni_env env, void *self, int64_t pair, int64_t attributes);
NATIVE(int32_t, pollCQ)(jni_env env, void *self, int64_t queue, int32_t count, int64_t at);
NATIVE(void, postRecv)(jni_env env, void *self, int64_t pair, int64_t requests);
NATIVE(void, postSend)(jni_env env, void *self, int64_t pair, int64_t requests);
NATIVE(int32_t, queryOdpSupport)(jni_env env, void *self, int64_t context);
NATIVE(int64_t, regMr)(jni_env env, void *self, int64_t domain, int64_t address, int32_t length, int32_t access,
        int64_t local_key_at, int64_t remote_key_at, int64_t handle_at);
NATIVE(int32_t, reqNotifyCQ)(jni_env env, void *self, int64_t queue, int32_t solicited_only);
SUPPLEMENT(int32_t, eventData)(jni_env env, void *type, int64_t address, int32_t capacity);
SUPPLEMENT(int32_t, eventStatus)(jni_env env, void *type);
SUPPLEMENT(int32_t, postCount)(jni_env env, void *type);
SUPPLEMENT(int32_t, postError)(jni_env env, void *type);

#define CALL(method, ...) Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##method(&functions, NULL, __VA_ARGS__)
#define ASK(method) Java_io_penstock_nativeaccess_DisniSupplement_##method(&functions, NULL)
#define EVENT_DATA(...) Java_io_penstock_nativeaccess_DisniSupplement_eventData(&functions, NULL, __VA_ARGS__)

static char failure[2048];
static char thrown[1024];

#define CHECK(condition)                                                                                  \
    do {                                                                                                  \
        if (!(condition)) {                                                                               \
            snprintf(failure, sizeof(failure), "line %d: %s (thrown: %s)", __LINE__, #condition, thrown); \
            return;                                                                                       \
        }                                                                                                 \
    } while (0)

static void *find_class(const jni_env env, const char *name) {
    (void) env;
    return strcmp(name, "java/io/IOException") == 0 ? thrown : NULL;
}

static int32_t throw_new(const jni_env env, void *type, const char *message) {
    (void) env;
    snprintf(type, sizeof(thrown), "%s", message);
    return 0;
}

static const struct jni_functions table = {.find_class = find_class, .throw_new = throw_new};
static const struct jni_functions *functions = &table;

static int64_t address_of(const void *object) {
    return (int64_t) (intptr_t) object;
}

static bool has_thrown(const char *message) {
    const bool is_same = strcmp(thrown, message) == 0;
    if (is_same) {
        thrown[0] = '\0';
    }
    return is_same;
}

/* A device that takes two requests of a post, and has three completions. */

static int refuse_error;

static int fake_post_send(struct ibv_qp *pair, struct ibv_send_wr *requests, struct ibv_send_wr **refused) {
    (void) pair;
    *refused = refuse_error == 0 ? NULL : requests->next->next;
    return refuse_error;
}

static int fake_post_recv(struct ibv_qp *pair, struct ibv_recv_wr *requests, struct ibv_recv_wr **refused) {
    (void) pair;
    *refused = refuse_error == 0 ? NULL : requests;
    return refuse_error;
}

static int fake_poll(struct ibv_cq *queue, const int count, struct ibv_wc *completions) {
    (void) queue;
    const int found = count < 3 ? count : 3;
    for (int i = 0; i < found; i++) {
        completions[i] = (struct ibv_wc) {.wr_id = 40 + (uint64_t) i, .status = IBV_WC_SUCCESS, .opcode = IBV_WC_RECV};
    }
    return found;
}

static int fake_arm(struct ibv_cq *queue, const int solicited_only) {
    (void) queue;
    return solicited_only == 0 ? refuse_error : EPERM;
}

static struct ibv_context device = {
    .ops = {.post_send = fake_post_send, .post_recv = fake_post_recv, .poll_cq = fake_poll, .req_notify_cq = fake_arm},
};
static struct ibv_qp pair = {.context = &device};
static struct ibv_cq queue = {.context = &device};

static void test_posts_and_what_was_refused_of_them(void) {
    struct ibv_send_wr sends[3] = {{.next = &sends[1]}, {.next = &sends[2]}, {.next = NULL}};
    struct ibv_recv_wr receive = {.next = NULL};
    refuse_error = 0;
    CALL(postSend, address_of(&pair), address_of(sends));
    CALL(postRecv, address_of(&pair), address_of(&receive));
    CHECK(thrown[0] == '\0');
    refuse_error = ENOMEM;
    CALL(postSend, address_of(&pair), address_of(sends));
    CHECK(has_thrown("ibv_post_send: Cannot allocate memory (errno 12)"));
    CHECK(ASK(postCount) == 2 && ASK(postError) == ENOMEM);
    refuse_error = EINVAL;
    CALL(postRecv, address_of(&pair), address_of(&receive));
    CHECK(has_thrown("ibv_post_recv: Invalid argument (errno 22)"));
    CHECK(ASK(postCount) == 0 && ASK(postError) == EINVAL);
    CALL(postSend, 0, address_of(sends));
    CHECK(has_thrown("ibv_post_send: Invalid argument (errno 22)") && ASK(postCount) == 0);
    CALL(postRecv, address_of(&pair), 0);
    CHECK(has_thrown("ibv_post_recv: Invalid argument (errno 22)"));
}

static void test_completions(void) {
    struct ibv_wc completions[2];
    CHECK(CALL(pollCQ, address_of(&queue), 2, address_of(completions)) == 2);
    CHECK(completions[1].wr_id == 41 && completions[1].opcode == IBV_WC_RECV);
    CHECK(CALL(pollCQ, address_of(&queue), 0, address_of(completions)) == 0);
    CHECK(CALL(pollCQ, address_of(&queue), -1, address_of(completions)) == -1);
    CHECK(has_thrown("ibv_poll_cq: Invalid argument (errno 22)"));
    refuse_error = 0;
    CHECK(CALL(reqNotifyCQ, address_of(&queue), 0) == 0 && thrown[0] == '\0');
    CHECK(CALL(reqNotifyCQ, address_of(&queue), 1) == -EPERM);
    CHECK(has_thrown("ibv_req_notify_cq: Operation not permitted (errno 1)"));
}

static void test_waiting_ends_in_time(void) {
    int pipes[2];
    int64_t listener = 7;
    int64_t id = 7;
    CHECK(pipe(pipes) == 0);
    struct rdma_event_channel events = {.fd = pipes[0]};
    struct ibv_comp_channel channel = {.context = &device, .fd = pipes[0]};
    CHECK(CALL(getCmEvent, address_of(&events), address_of(&listener), address_of(&id), 1) == -1);
    CHECK(CALL(getCqEvent, address_of(&channel), 0) == -1);
    CHECK(thrown[0] == '\0' && listener == 7 && id == 7);
    CHECK(CALL(getCmEvent, 0, address_of(&listener), address_of(&id), 1) == -EINVAL);
    CHECK(has_thrown("rdma_get_cm_event: Invalid argument (errno 22)"));
    CHECK(CALL(ackCmEvent, RDMA_CM_EVENT_ESTABLISHED) == 0);
    close(pipes[0]);
    close(pipes[1]);
}

/* A connection manager that has one request of a peer, and memory that is registered. */

static struct rdma_cm_id listening;
static struct rdma_cm_id requested;
static struct rdma_cm_event request = {
    .id = &requested,
    .listen_id = &listening,
    .event = RDMA_CM_EVENT_CONNECT_REQUEST,
    .param.conn = {.private_data = "hello", .private_data_len = 5},
};
static int acknowledged;

static int fake_get_event(struct rdma_event_channel *channel, struct rdma_cm_event **event) {
    (void) channel;
    *event = &request;
    return 0;
}

static int fake_ack_event(struct rdma_cm_event *event) {
    acknowledged += event == &request;
    return 0;
}

static struct ibv_mr region = {.lkey = 0x11, .rkey = 0x22, .handle = 0x33};

static struct ibv_mr *fake_register(struct ibv_pd *domain, void *address, const size_t length, const int access) {
    (void) domain;
    (void) address;
    (void) access;
    if (length > 4096) {
        errno = ENOMEM;
        return NULL;
    }
    return &region;
}

static int fake_deregister(struct ibv_mr *registered) {
    return registered == &region ? 0 : EINVAL;
}

static void test_an_event_is_copied_and_acknowledged(void) {
    int pipes[2];
    int64_t listener = 0;
    int64_t id = 0;
    char data[PRIVATE_DATA_CAPACITY];
    CHECK(pipe(pipes) == 0 && write(pipes[1], "x", 1) == 1);
    struct rdma_event_channel events = {.fd = pipes[0]};
    rdma.rdma_get_cm_event = fake_get_event;
    rdma.rdma_ack_cm_event = fake_ack_event;
    request.status = -3;
    CHECK(CALL(getCmEvent, address_of(&events), address_of(&listener), address_of(&id), -1)
            == RDMA_CM_EVENT_CONNECT_REQUEST);
    CHECK(acknowledged == 1 && listener == address_of(&listening) && id == address_of(&requested));
    CHECK(ASK(eventStatus) == -3 && EVENT_DATA(address_of(data), 4) == -EINVAL);
    CHECK(EVENT_DATA(address_of(data), sizeof(data)) == 5 && memcmp(data, "hello", 5) == 0);
    request.event = RDMA_CM_EVENT_DISCONNECTED;
    CHECK(CALL(getCmEvent, address_of(&events), address_of(&listener), address_of(&id), 0) == RDMA_CM_EVENT_DISCONNECTED);
    CHECK(EVENT_DATA(address_of(data), 0) == 0);
    close(pipes[0]);
    close(pipes[1]);
}

/* A pair of queues, and what was asked for before it was made. */

static struct rdma_cm_id connecting;
static int answer_time;
static int answer_time_of_pair;

static int fake_set_option(struct rdma_cm_id *id, const int level, const int name, void *value, const size_t length) {
    if (id == &connecting && level == RDMA_OPTION_ID && name == RDMA_OPTION_ID_ACK_TIMEOUT && length == 1) {
        answer_time = *(const uint8_t *) value;
    }
    errno = ENOSYS;
    return -1;
}

static int fake_create_pair(struct rdma_cm_id *id, struct ibv_pd *domain, struct ibv_qp_init_attr *attributes) {
    (void) domain;
    (void) attributes;
    answer_time_of_pair = answer_time;
    id->qp = &pair;
    return 0;
}

static void test_a_pair_gives_up_in_time(void) {
    rdma.rdma_set_option = fake_set_option;
    rdma.rdma_create_qp = fake_create_pair;
    CHECK(CALL(createQP, address_of(&connecting), 8, 8, 8, IBV_QPT_RC, 1, 1, 0) == address_of(&pair));
    CHECK(answer_time_of_pair == 16 && thrown[0] == '\0');
}

static void test_memory(void) {
    uint32_t keys[3] = {0};
    rdma.ibv_reg_mr = fake_register;
    rdma.ibv_dereg_mr = fake_deregister;
    const int64_t at = address_of(keys);
    CHECK(CALL(regMr, 8, 4096, 4096, 1, at, at + 4, at + 8) == address_of(&region));
    CHECK(keys[0] == 0x11 && keys[1] == 0x22 && keys[2] == 0x33);
    CHECK(CALL(regMr, 8, 4096, 4097, 1, at, at + 4, at + 8) == 0);
    CHECK(has_thrown("ibv_reg_mr: 4097 bytes: Cannot allocate memory (errno 12)"));
    CHECK(CALL(regMr, 8, 4096, -1, 1, at, at + 4, at + 8) == 0);
    CHECK(has_thrown("ibv_reg_mr: Invalid argument (errno 22)"));
    CALL(deregMr, address_of(&region));
    CHECK(thrown[0] == '\0');
    CALL(deregMr, 8);
    CHECK(has_thrown("ibv_dereg_mr: Invalid argument (errno 22)"));
}

static void test_addresses_and_the_device(void) {
    struct rdma_cm_id id = {.verbs = NULL};
    struct sockaddr_in read;
    id.route.addr.src_sin = (struct sockaddr_in) {.sin_family = AF_INET, .sin_port = htons(4000)};
    id.route.addr.dst_sin6 = (struct sockaddr_in6) {.sin6_family = AF_INET6};
    CHECK(CALL(getSrcAddr, address_of(&id), address_of(&read)) == 0);
    CHECK(read.sin_family == AF_INET && read.sin_port == htons(4000));
    CHECK(CALL(getDstAddr, address_of(&id), address_of(&read)) == -EAFNOSUPPORT);
    CHECK(CALL(getContext, address_of(&id)) == -1 && thrown[0] == '\0');
    id.verbs = &device;
    CHECK(CALL(getContext, address_of(&id)) == address_of(&device));
    CHECK(CALL(queryOdpSupport, address_of(&device)) == 0);
}

static void test_what_cannot_be(void) {
    CHECK(CALL(createQP, 8, 8, 8, 8, IBV_QPT_RC, -1, 1, 0) == 0);
    CHECK(has_thrown("rdma_create_qp: Invalid argument (errno 22)"));
    CHECK(CALL(modifyQP, 8, 0) == -1 && thrown[0] != '\0');
    thrown[0] = '\0';
    CHECK(CALL(destroyEventChannel, 0) == -EINVAL);
    snprintf(libraries_missing, sizeof(libraries_missing), "nothing is there");
    CHECK(Java_com_ibm_disni_verbs_impl_NativeDispatcher__1createEventChannel(&functions, NULL) == 0);
    CHECK(has_thrown("rdma: nothing is there"));
}

static void test_libraries_are_there_or_named(void) {
    libraries_open();
    CHECK(libraries_missing[0] == '\0' ? rdma.rdma_resolve_route != NULL
                                       : strstr(libraries_missing, "(install the libraries of rdma-core") != NULL);
}

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {
    {"posts and what was refused of them", test_posts_and_what_was_refused_of_them},
    {"completions", test_completions},
    {"waiting ends in time", test_waiting_ends_in_time},
    {"an event is copied and acknowledged", test_an_event_is_copied_and_acknowledged},
    {"a pair gives up in time", test_a_pair_gives_up_in_time},
    {"memory", test_memory},
    {"addresses and the device", test_addresses_and_the_device},
    {"what cannot be", test_what_cannot_be},
    {"libraries are there, or named", test_libraries_are_there_or_named},
};

int main(void) {
    int failed = 0;
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
        failure[0] = '\0';
        thrown[0] = '\0';
        tests[i].run();
        failed += failure[0] != '\0';
        printf(failure[0] == '\0' ? "ok %s\n" : "failed %s: %s\n", tests[i].name, failure);
    }
    return failed;
}
