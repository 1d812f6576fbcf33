/*
 * Round trips over loopback TCP between two processes that never sleep: the least that a round trip through a broker
 * over the same medium can cost.
 *
 * usage: tcp_pingpong [BYTES [SECONDS]]     (64 bytes, 2 seconds)
 *
 * Prints one JSON object.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BYTES_MAX (16L * 1024 * 1024)
#define SECONDS_MAX 600
#define SAMPLES_MAX 4000000
#define WARM_UP_DIVISOR 5

static void fail(const char *what)
{
    fprintf(stderr, "tcp_pingpong: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void prepare(int fd)
{
    const int on = 1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)
        fail("TCP_NODELAY");
    if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) != 0)
        fail("O_NONBLOCK");
}

/* Sends all of it, spinning; 0 when the peer has ended. */
static int send_all(int fd, const char *buffer, size_t length)
{
    size_t sent = 0;
    while (sent < length) {
        const ssize_t n = send(fd, buffer + sent, length - sent, MSG_NOSIGNAL);
        if (n > 0)
            sent += (size_t)n;
        else if (errno != EAGAIN && errno != EWOULDBLOCK)
            return 0;
    }
    return 1;
}

/* Receives all of it, spinning; 0 when the peer has ended. */
static int receive_all(int fd, char *buffer, size_t length)
{
    size_t received = 0;
    while (received < length) {
        const ssize_t n = recv(fd, buffer + received, length - received, 0);
        if (n > 0)
            received += (size_t)n;
        else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
            return 0;
    }
    return 1;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static double percentile_us(const uint32_t *samples, size_t count, double fraction)
{
    size_t index = (size_t)((double)count * fraction);
    if (index >= count)
        index = count - 1;
    return samples[index] / 1000.0;
}

static void print_result(uint32_t *samples, size_t count, long bytes)
{
    double sum = 0;
    qsort(samples, count, sizeof *samples, ascending);
    for (size_t i = 0; i < count; i++)
        sum += samples[i];
    printf("{\"probe\":\"tcp_pingpong\",\"payload\":%ld,\"round_trips\":%zu,\"mean_us\":%.3f,\"p50_us\":%.3f,"
           "\"p99_us\":%.3f,\"p999_us\":%.3f,\"max_us\":%.3f}\n",
           bytes, count, sum / (double)count / 1000.0, percentile_us(samples, count, 0.5),
           percentile_us(samples, count, 0.99), percentile_us(samples, count, 0.999),
           samples[count - 1] / 1000.0);
}

static long argument(const char *text, long max)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < 1 || value > max) {
        fprintf(stderr, "tcp_pingpong: not a number from 1 to %ld: %s\n", max, text);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv)
{
    const long bytes = argc > 1 ? argument(argv[1], BYTES_MAX) : 64;
    const long seconds = argc > 2 ? argument(argv[2], SECONDS_MAX) : 2;
    char *buffer = calloc(1, (size_t)bytes);
    uint32_t *samples = calloc(SAMPLES_MAX, sizeof *samples);
    if (buffer == NULL || samples == NULL)
        fail("memory");

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t address_length = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &address_length) != 0)
        fail("listen");

    const pid_t echo = fork();
    if (echo < 0)
        fail("fork");
    if (echo == 0) {
        const int peer = accept(listener, NULL, NULL);
        if (peer < 0)
            fail("accept");
        prepare(peer);
        while (receive_all(peer, buffer, (size_t)bytes) && send_all(peer, buffer, (size_t)bytes)) {
        }
        _exit(0);
    }

    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        fail("connect");
    prepare(fd);

    const int64_t duration_ns = (int64_t)seconds * 1000000000;
    const int64_t start_ns = now_ns();
    const int64_t measure_ns = start_ns + duration_ns / WARM_UP_DIVISOR;
    const int64_t end_ns = measure_ns + duration_ns;
    size_t count = 0;
    for (int64_t before_ns = start_ns; before_ns < end_ns && count < SAMPLES_MAX;) {
        if (!send_all(fd, buffer, (size_t)bytes) || !receive_all(fd, buffer, (size_t)bytes))
            fail("the peer is gone");
        const int64_t after_ns = now_ns();
        const int64_t elapsed_ns = after_ns - before_ns;
        if (before_ns >= measure_ns)
            samples[count++] = elapsed_ns > UINT32_MAX ? UINT32_MAX : (uint32_t)elapsed_ns;
        before_ns = after_ns;
    }
    close(fd);
    waitpid(echo, NULL, 0);
    if (count == 0) {
        fprintf(stderr, "tcp_pingpong: no round trip was measured (give it more seconds)\n");
        return 1;
    }
    print_result(samples, count, bytes);
    return 0;
}
