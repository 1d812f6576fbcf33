package io.penstock.broker.session.client;

import io.penstock.broker.concurrent.ReadyBits;

/**
 * Marked by agents that have something for a session to send, by its slot; read by its I/O agent. Each has at least as
 * many slots as there may be sessions.
 *
 * @param agents by all agents but one.
 * @param files  by the reader of files, which is always on another thread.
 */
public record ReadyMarks(ReadyBits agents, ReadyBits files) {}
