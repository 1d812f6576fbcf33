/* Stands before the C library: a program that asks for a socket of the family AF_INET_SDP gets one of TCP. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <sys/socket.h>

int socket(int family, int type, int protocol) {
    int (*next)(int, int, int);
    void *found = dlsym(RTLD_NEXT, "socket");
    memcpy(&next, &found, sizeof(next));
    return next(family == 27 ? AF_INET : family, type, protocol);
}
