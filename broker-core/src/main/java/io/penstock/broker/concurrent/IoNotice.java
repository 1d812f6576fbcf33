package io.penstock.broker.concurrent;

/** What another agent tells an I/O agent about one of its sessions: also a command, which comes back as its reply. */
public interface IoNotice {}
