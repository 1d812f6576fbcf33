/* Lets code read a package of the JDK that is not exported, as the flag --add-exports does. */
#include "java.h"
#include <stddef.h>

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
