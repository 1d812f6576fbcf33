package io.penstock.broker.session;

/** What another agent tells an I/O agent about one of its sessions. */
public sealed interface IoNotice {
    /** A command comes back from a sequencer as its reply. */
    record Reply(ShardCommand command) implements IoNotice {}

    /** Another client has taken a session's name. */
    record Replaced(long sessionId) implements IoNotice {}
}
