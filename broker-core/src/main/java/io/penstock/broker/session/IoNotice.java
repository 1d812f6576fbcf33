package io.penstock.broker.session;

/** What another agent tells an I/O agent about one of its sessions: also a command, which comes back as its reply. */
public sealed interface IoNotice permits ShardCommand, IoNotice.Recall, IoNotice.Sink, IoNotice.Replaced {
    /** Pages of files that a session's client has not taken are needed by others. */
    record Recall(long sessionId) implements IoNotice {}

    /** The sink agent answers. */
    record Sink(SinkReply reply) implements IoNotice {}

    /** Another client has taken a session's name. */
    record Replaced(long sessionId) implements IoNotice {}
}
