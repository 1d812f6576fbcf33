/*
 * What the files with the native methods of com.ibm.disni.verbs.impl.NativeDispatcher share. An object of the verbs is
 * its address, as a jlong; 0 is refused. jint is int32_t, jlong is int64_t, as the Java Native Interface says, so that no
 * header of a JDK is needed.
 */
#ifndef DISNI_DISPATCHER_H
#define DISNI_DISPATCHER_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORTED __attribute__((visibility("default")))

/* A native method of io.penstock.nativeaccess.DisniSupplement. */
#define SUPPLEMENT(type, method) EXPORTED type Java_io_penstock_nativeaccess_DisniSupplement_##method

/* An underscore in the name of a method is _1 in the name of its function. */
#define NATIVE(type, method) EXPORTED type Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##method

/* The two of the Java Native Interface's functions that are used, at the places that it gives them. */
struct jni_functions {
    void *before_find_class[6];
    void *(*find_class)(const struct jni_functions **env, const char *name);
    void *before_throw_new[7];
    int32_t (*throw_new)(const struct jni_functions **env, void *type, const char *message);
};

typedef const struct jni_functions **jni_env;

/* Throws java.io.IOException, when the native method returns, with what was called and an error number's text. */
void throw_error(jni_env env, const char *called, int error);

/* The same with a text in place of an error number. */
void throw_text(jni_env env, const char *called, const char *text);

/* Throws when a function that returns 0, or less and sets errno, failed. */
static inline bool succeeded(const jni_env env, const char *called, const int result) {
    if (result != 0) {
        throw_error(env, called, errno);
    }
    return result == 0;
}

/* Throws when there is no object. */
static inline bool is_there(const jni_env env, const char *called, const int64_t object) {
    if (object == 0) {
        throw_error(env, called, EINVAL);
    }
    return object != 0;
}

#define PRIVATE_DATA_CAPACITY 256

/* What the last calls of this thread left for DisniSupplement, because the Java side has no place for it. */
struct remembered {
    int32_t error;                /* of the last post that failed. */
    int32_t posted;               /* requests of that post that were taken. */
    int32_t status;               /* of the last event. */
    int32_t private_data_length;  /* of the last event. */
    uint8_t private_data[PRIVATE_DATA_CAPACITY];
};

extern _Thread_local struct remembered remembered;

/* The address of what was made, or throws. */
static inline int64_t made(const jni_env env, const char *called, const void *object) {
    if (object == NULL) {
        throw_error(env, called, errno);
    }
    return (int64_t) (intptr_t) object;
}

static inline void *pointer(const int64_t address) {
    return (void *) (intptr_t) address;
}

/* The result of a function that returns 0, or less and sets errno: 0, or a negative errno. */
static inline int32_t result_of(const int result) {
    return result == 0 ? 0 : -errno;
}

/* The result of a function that returns 0 or an errno: 0, or a negative errno. */
static inline int32_t negative(const int error) {
    return error > 0 ? -error : error;
}

/* Makes a descriptor not block, so that only the waiting below does. Returns 0, or -1 and sets errno. */
int set_nonblocking(int fd);

/*
 * Waits until a descriptor can be read; a negative timeout is none. Returns 1 when it can, 0 when the time was up or a
 * signal came, -1 and sets errno.
 */
int wait_readable(int fd, int32_t timeout_ms);

#endif
