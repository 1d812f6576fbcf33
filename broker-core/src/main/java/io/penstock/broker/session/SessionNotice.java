package io.penstock.broker.session;

import io.penstock.broker.concurrent.IoNotice;

/** What an I/O agent is told about a session that has asked for nothing. */
public sealed interface SessionNotice extends IoNotice {
    /** Pages of files that a session's client has not taken are needed by others. */
    record Recall(long sessionId) implements SessionNotice {}

    /** Another client has taken a session's name. */
    record Replaced(long sessionId) implements SessionNotice {}
}
