package io.penstock.broker.session;

import io.penstock.broker.concurrent.IoNotice;

/** A notice to an I/O agent about a session, without a command of that session. */
public sealed interface SessionNotice extends IoNotice {
    /** Pages of files that a session's client has not taken are needed by others. */
    record Recall(long sessionId) implements SessionNotice {}

    /** Another client has taken a session's name. */
    record Replaced(long sessionId) implements SessionNotice {}
}
