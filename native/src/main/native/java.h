/* What the library calls of the Java Native Interface. Without jni.h, so that a C compiler alone builds the library: the table of
 * functions is laid out as in the Java Native Interface Specification, chapter 4. */
#ifndef PENSTOCK_JAVA_H
#define PENSTOCK_JAVA_H

#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

struct jni_functions;
typedef const struct jni_functions **jni_env;

union jni_value {
    int64_t number;
    void *object;
};

struct jni_functions {
    void *before_exception_clear[17];
    void (*exception_clear)(jni_env env);
    void *before_get_object_class[13];
    void *(*get_object_class)(jni_env env, void *object);
    void *before_get_method_id[1];
    void *(*get_method_id)(jni_env env, void *type, const char *name, const char *signature);
    void *before_call_void_method[29];
    void (*call_void_method)(jni_env env, void *object, void *method, const union jni_value *arguments);
    void *before_exception_check[164];
    uint8_t (*exception_check)(jni_env env);
    void *(*new_direct_byte_buffer)(jni_env env, void *address, int64_t length);
};

#endif
