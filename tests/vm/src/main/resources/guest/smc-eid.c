/* Gives the kernel an enterprise id for SMC: without one it has none in common with its peer, and falls back to TCP. */
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/smc.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define EID_LENGTH 32

struct message {
    struct nlmsghdr header;
    struct genlmsghdr command;
    char attributes[256];
};

/* Sends a command with one attribute; the answer takes its place. 0, or the kernel's error. */
static int ask(int fd, struct message *message, int type, int command, int name, const char *value, int length) {
    struct nlattr *attribute = (struct nlattr *) message->attributes;
    memset(message, 0, sizeof(*message));
    attribute->nla_type = name;
    attribute->nla_len = NLA_HDRLEN + length;
    memcpy((char *) attribute + NLA_HDRLEN, value, length);
    message->header.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN) + NLA_ALIGN(attribute->nla_len);
    message->header.nlmsg_type = type;
    message->header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
    message->command.cmd = command;
    message->command.version = 1;
    if (send(fd, message, message->header.nlmsg_len, 0) < 0 || recv(fd, message, sizeof(*message), 0) < 0) {
        perror("netlink");
        return 1;
    }
    return message->header.nlmsg_type == NLMSG_ERROR ? ((struct nlmsgerr *) NLMSG_DATA(&message->header))->error : 0;
}

int main(void) {
    struct message message;
    char eid[EID_LENGTH + 1];
    int family = 0;
    int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
    if (ask(fd, &message, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, SMC_GENL_FAMILY_NAME,
                sizeof(SMC_GENL_FAMILY_NAME)) != 0) {
        fprintf(stderr, "no netlink of SMC\n");
        return 1;
    }
    char *end = (char *) &message + message.header.nlmsg_len;
    for (char *at = message.attributes; at + NLA_HDRLEN <= end;) {
        struct nlattr *attribute = (struct nlattr *) at;
        if (attribute->nla_type == CTRL_ATTR_FAMILY_ID) {
            family = *(unsigned short *) (at + NLA_HDRLEN);
        }
        if (attribute->nla_len < NLA_HDRLEN) {
            break;
        }
        at += NLA_ALIGN(attribute->nla_len);
    }
    close(fd);
    fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
    snprintf(eid, sizeof(eid), "%-32s", "PENSTOCK");
    int error = ask(fd, &message, family, SMC_NETLINK_ADD_UEID, SMC_NLA_EID_TABLE_ENTRY, eid, EID_LENGTH + 1);
    if (error != 0) {
        fprintf(stderr, "the kernel refused the id: %s\n", strerror(-error));
    }
    return error != 0;
}
