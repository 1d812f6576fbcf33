/* Exceptions. The POSIX form of strerror_r. */
#define _POSIX_C_SOURCE 200809L

#include "dispatcher.h"
#include <stdio.h>
#include <string.h>

void throw_text(const jni_env env, const char *called, const char *text) {
    char message[768];
    snprintf(message, sizeof(message), "%s: %s", called, text);
    void *type = (*env)->find_class(env, "java/io/IOException");
    if (type != NULL) {
        (*env)->throw_new(env, type, message);
    }
}

void throw_error(const jni_env env, const char *called, const int error) {
    char description[128];
    char text[192];
    if (strerror_r(error, description, sizeof(description)) != 0) {
        description[0] = '\0';
    }
    snprintf(text, sizeof(text), "%s (errno %d)", description, error);
    throw_text(env, called, text);
}
