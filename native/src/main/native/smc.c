/* What became of a connection of the family AF_SMC: the kernel falls back to TCP by itself, and reports that by netlink only. */
#define _GNU_SOURCE

#include "internal.h"
#include "penstock.h"
#include <linux/netlink.h>
#include <linux/smc_diag.h>
#include <linux/sock_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAMILY_SMC 43

static int ask(const int netlink) {
    struct {
        struct nlmsghdr header;
        struct smc_diag_req request;
    } message;
    memset(&message, 0, sizeof(message));
    message.header.nlmsg_len = sizeof(message);
    message.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    message.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    message.request.diag_family = FAMILY_SMC;
    message.request.diag_ext = 1 << (SMC_DIAG_FALLBACK - 1);
    return send(netlink, &message, sizeof(message), 0) < 0 ? -errno : 0;
}

/* Why the kernel fell back, or 0: its number stands in an attribute behind the message. */
static uint32_t reason_in(const struct nlmsghdr *header) {
    size_t left = NLMSG_PAYLOAD(header, sizeof(struct smc_diag_msg));
    const char *at = (const char *) NLMSG_DATA(header) + NLMSG_ALIGN(sizeof(struct smc_diag_msg));
    while (left >= sizeof(struct nlattr)) {
        struct nlattr attribute;
        memcpy(&attribute, at, sizeof(attribute));
        if (attribute.nla_len < sizeof(attribute) || attribute.nla_len > left) {
            break;
        }
        if (attribute.nla_type == SMC_DIAG_FALLBACK
                && attribute.nla_len >= NLA_HDRLEN + sizeof(struct smc_diag_fallback)) {
            struct smc_diag_fallback fallback;
            memcpy(&fallback, at + NLA_HDRLEN, sizeof(fallback));
            return fallback.reason;
        }
        const size_t step = NLA_ALIGN(attribute.nla_len);
        at += step;
        left -= step < left ? step : left;
    }
    return 0;
}

/* Of the sockets in the answer the one with that inode; more has to be read when it returns -EAGAIN. */
static int64_t find(const char *answer, const long length, const ino_t inode) {
    const struct nlmsghdr *header = (const struct nlmsghdr *) (const void *) answer;
    long left = length;
    while (left >= (long) sizeof(*header) && header->nlmsg_len >= sizeof(*header) && header->nlmsg_len <= left) {
        if (header->nlmsg_type == NLMSG_DONE) {
            return -ENOENT;
        }
        if (header->nlmsg_type == NLMSG_ERROR) {
            const struct nlmsgerr *error = NLMSG_DATA(header);
            return error->error < 0 ? error->error : -EPROTO;
        }
        const struct smc_diag_msg *socket = NLMSG_DATA(header);
        if (header->nlmsg_len >= NLMSG_LENGTH(sizeof(*socket)) && socket->diag_inode == inode) {
            return ((int64_t) reason_in(header) << 8) | socket->diag_mode;
        }
        const long step = (long) NLMSG_ALIGN(header->nlmsg_len);
        header = (const struct nlmsghdr *) (const void *) ((const char *) header + step);
        left -= step;
    }
    return -EAGAIN;
}

int64_t penstock_smc_mode(const int32_t fd) {
    struct stat of_socket;
    if (fstat(fd, &of_socket) != 0) {
        return -errno;
    }
    if (!S_ISSOCK(of_socket.st_mode)) {
        return -ENOTSOCK;
    }
    const int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (netlink < 0) {
        return -errno;
    }
    int64_t found = ask(netlink);
    if (found == 0) {
        _Alignas(struct nlmsghdr) char answer[16 * 1024];
        do {
            const long length = recv(netlink, answer, sizeof(answer), 0);
            found = length < 0 ? -errno : length == 0 ? -ENOENT : find(answer, length, of_socket.st_ino);
        } while (found == -EAGAIN);
    }
    close(netlink);
    return found;
}
