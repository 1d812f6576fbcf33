package io.penstock.broker.concurrent;

/**
 * A notice of another agent to an I/O agent about one of its sessions; also a command, which comes back as its reply.
 */
public interface IoNotice {}
