package io.penstock.broker.session.client;

import io.penstock.broker.concurrent.ReadyBits;

/**
 * Marked by those who have something for a session to send, by its slot; read by its I/O agent. Each is of at least as many
 * slots as sessions are allowed.
 *
 * @param agents by all agents but one.
 * @param files  by the reader of files, which is always on another thread.
 */
public record ReadyMarks(ReadyBits agents, ReadyBits files) {}
