package io.penstock.broker.session;

/** What another agent tells an I/O agent about one of its sessions. */
public sealed interface IoNotice {
    /** A command comes back from a sequencer as its reply. */
    record Reply(ShardCommand command) implements IoNotice {}

    /** Pages of files that a session's client has not taken are needed by others. */
    record Recall(long sessionId) implements IoNotice {}

    /** The sink agent answers. */
    record Sink(SinkReply reply) implements IoNotice {}

    /** Another client has taken a session's name. */
    record Replaced(long sessionId) implements IoNotice {}
}
