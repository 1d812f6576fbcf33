package io.penstock.broker.session.client;

import io.penstock.broker.concurrent.IoNotice;
import io.penstock.broker.security.AuthenticationStep;

/** A notice to an I/O agent about a session, without a command of that session. */
public sealed interface SessionNotice extends IoNotice {
    /** Pages of files that a session's client has not taken are needed by others. */
    record Recall(long sessionId) implements SessionNotice {}

    /** A message by which a client proves who it is was checked. */
    record Checked(long sessionId, AuthenticationStep step) implements SessionNotice {}

    /** Users have changed: what clients proved may no longer hold. */
    record UsersChanged() implements SessionNotice {}

    /** Another client has taken a session's name. */
    record Replaced(long sessionId) implements SessionNotice {}
}
