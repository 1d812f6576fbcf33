package io.penstock.broker.session.client;

import io.penstock.broker.sink.SinkReply;
import io.penstock.broker.sink.SinkWriter;
import java.util.ArrayDeque;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sinks that one client delivers to, and the replies that are due to it. Confined to the I/O agent of the session.
 */
public final class SessionSinks {
    private final Int2ObjectHashMap<SinkWriter> writers = new Int2ObjectHashMap<>();
    private final ArrayDeque<SinkReply> replies = new ArrayDeque<>();
    private long progressNs;
    private int grantedCount;

    /** Those that deliver, by the number that the client has given. */
    public Int2ObjectHashMap<SinkWriter> writers() {
        return writers;
    }

    /** Replies that are due to the client. Bounded by the blocks that were offered. */
    public ArrayDeque<SinkReply> replies() {
        return replies;
    }

    /** A writer that is open; null when there is none of that number. */
    public @Nullable SinkWriter open(final int writerId) {
        final SinkWriter writer = writers.get(writerId);
        return writer != null && writer.isOpen() ? writer : null;
    }

    /** Whether a writer delivers to a sink as a producer, or is about to. */
    public boolean isOpen(final String sink, final String producer) {
        for (final SinkWriter writer : writers.values()) {
            if (writer.sink().equals(sink) && writer.producer().equals(producer)) {
                return true;
            }
        }
        return false;
    }

    /** Whether blocks were offered that are not done with. */
    public boolean hasTransfers() {
        for (final SinkWriter writer : writers.values()) {
            if (!writer.transfers().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The client is asked to send a block. */
    public void onGranted(final long nowNs) {
        grantedCount++;
        progressNs = nowNs;
    }

    /** The client has sent a part of a block that was granted. */
    public void onProgress(final long nowNs) {
        progressNs = nowNs;
    }

    /** A block that was granted has come, or will not. */
    public void onGrantDone() {
        grantedCount--;
    }

    /** Whether blocks were granted, and nothing of them has come for so long. */
    public boolean isStuck(final long nowNs, final long patienceNs) {
        return grantedCount > 0 && nowNs - progressNs > patienceNs;
    }
}
