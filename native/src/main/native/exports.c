/* Lets code read a package of the JDK that is not exported, as the flag --add-exports does. Without jni.h, so that a C compiler
 * alone builds the library: the table of functions is laid out as in the Java Native Interface Specification, chapter 4. */
#include "internal.h"
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
};

EXPORT uint8_t Java_io_penstock_nativeaccess_InternalPackages_export0(
        jni_env env, void *caller, void *module, void *package, void *reader);

/* Calls java.lang.Module.implAddExports, which code in Java may not; 0 when there is no such method, or it throws. */
EXPORT uint8_t Java_io_penstock_nativeaccess_InternalPackages_export0(
        jni_env env, void *caller, void *module, void *package, void *reader) {
    (void) caller;
    const struct jni_functions *jni = *env;
    void *method = jni->get_method_id(
            env, jni->get_object_class(env, module), "implAddExports", "(Ljava/lang/String;Ljava/lang/Module;)V");
    if (method != NULL) {
        const union jni_value arguments[] = {{.object = package}, {.object = reader}};
        jni->call_void_method(env, module, method, arguments);
    }
    if (jni->exception_check(env)) {
        jni->exception_clear(env);
        return 0;
    }
    return 1;
}
