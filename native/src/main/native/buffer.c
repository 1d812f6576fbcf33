/* Java's view of memory that the library has mapped. */
#include "internal.h"
#include "java.h"

EXPORT void *Java_io_penstock_nativeaccess_PageMemory_buffer0(
        jni_env env, void *caller, int64_t address, int64_t length);

/* Makes a direct buffer that does not own its memory; null when Java has no room for the object. */
EXPORT void *Java_io_penstock_nativeaccess_PageMemory_buffer0(
        jni_env env, void *caller, const int64_t address, const int64_t length) {
    (void) caller;
    return (*env)->new_direct_byte_buffer(env, pointer(address), length);
}
