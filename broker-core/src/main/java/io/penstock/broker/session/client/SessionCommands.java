package io.penstock.broker.session.client;

import io.penstock.broker.monitor.ClientTrace;
import io.penstock.broker.session.send.AckQueue;
import io.penstock.broker.session.send.RefusalQueue;
import org.jspecify.annotations.Nullable;

/** The commands of a client that are not answered to the end yet. While some are, no other is read. Confined to its I/O agent. */
public final class SessionCommands {
    private final AckQueue acks;
    private final RefusalQueue refusals = new RefusalQueue();
    private @Nullable PendingCommand pending;
    private @Nullable KeyDelete keyDelete;
    private @Nullable Entries entries;
    private @Nullable ClientTrace trace;

    SessionCommands(final int pendingAckCountMax) {
        acks = new AckQueue(pendingAckCountMax);
    }

    /** Those that wait to be acknowledged. */
    public AckQueue acks() {
        return acks;
    }

    /** Messages that a sequencer has refused and the client has not been notified of yet. */
    public RefusalQueue refusals() {
        return refusals;
    }

    /** The one that waits for replies of shards; null when none does. */
    public @Nullable PendingCommand pending() {
        return pending;
    }

    /** The same, from now on. */
    public void pending(final @Nullable PendingCommand value) {
        pending = value;
    }

    /** Deletes one record by its key after the other; null before the first. */
    public @Nullable KeyDelete keyDelete() {
        return keyDelete;
    }

    /** The same, from now on. */
    public void keyDelete(final @Nullable KeyDelete value) {
        keyDelete = value;
    }

    /** Where its commands are told to somebody who traces it; null for nowhere. */
    public @Nullable ClientTrace trace() {
        return trace;
    }

    /** The same, from now on. */
    public void trace(final @Nullable ClientTrace value) {
        trace = value;
    }

    /** No more commands come. */
    public void endTrace() {
        final ClientTrace present = trace;
        if (present != null) {
            present.end();
            trace = null;
        }
    }

    /** The list that is being sent; null when none is. */
    public @Nullable Entries entries() {
        return entries;
    }

    /** The same, from now on. */
    public void entries(final @Nullable Entries value) {
        entries = value;
    }
}
