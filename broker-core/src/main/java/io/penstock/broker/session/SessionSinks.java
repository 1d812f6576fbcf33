package io.penstock.broker.session;

import io.penstock.broker.sink.SinkReply;
import io.penstock.broker.sink.SinkWriter;
import java.util.ArrayDeque;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** The sinks that one client delivers to, and what it is to be told of them. Confined to the I/O agent of the session. */
final class SessionSinks {
    final Int2ObjectHashMap<SinkWriter> writers = new Int2ObjectHashMap<>();

    /** Bounded by the blocks that were offered. */
    final ArrayDeque<SinkReply> replies = new ArrayDeque<>();

    /** When the client was told last to send, or has sent, while blocks are granted. */
    long progressNs;

    /** Blocks that were granted and have not come. */
    int grantedCount;

    /** Those of a session, made at first use. */
    static SessionSinks of(final Session session) {
        SessionSinks sinks = session.sinks;
        if (sinks == null) {
            sinks = new SessionSinks();
            session.sinks = sinks;
        }
        return sinks;
    }

    @Nullable
    SinkWriter open(final int writerId) {
        final SinkWriter writer = writers.get(writerId);
        return writer != null && writer.isOpen() ? writer : null;
    }

    /** Whether a writer delivers to a sink as a producer, or is about to. */
    boolean isOpen(final String sink, final String producer) {
        for (final SinkWriter writer : writers.values()) {
            if (writer.sink().equals(sink) && writer.producer().equals(producer)) {
                return true;
            }
        }
        return false;
    }

    boolean hasTransfers() {
        for (final SinkWriter writer : writers.values()) {
            if (!writer.transfers().isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
