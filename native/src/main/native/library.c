/* The library itself: its version, and the texts of its errors. The POSIX form of strerror_r. */
#define _POSIX_C_SOURCE 200809L

#include "internal.h"
#include "penstock.h"
#include <string.h>

int64_t penstock_probe(const int64_t first, const int64_t second, const int64_t third) {
    return (int64_t) ((uint64_t) first + 3 * (uint64_t) second + 5 * (uint64_t) third);
}

int32_t penstock_version(void) {
    return PENSTOCK_VERSION;
}

int32_t penstock_error_text(const int32_t error, const int64_t address, const int32_t capacity) {
    if (capacity <= 0) {
        return -EINVAL;
    }
    char *text = pointer(address);
    const int failed = strerror_r(error, text, (size_t) capacity);
    return failed != 0 ? -failed : (int32_t) strlen(text);
}
