package io.penstock.jmh;

import io.penstock.client.AckType;
import io.penstock.client.BrokerError;
import io.penstock.client.SessionListener;
import io.penstock.protocol.ErrorCode;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Counts what a program's sessions are told, all of which one thread polls. Errors end the program. */
public final class CountingListener implements SessionListener {
    private int logonCount;
    private long ackCount;
    private long received;

    /** Sessions that have logged on. */
    public int logonCount() {
        return logonCount;
    }

    /** Acknowledgements of commands. */
    public long ackCount() {
        return ackCount;
    }

    /** Messages that were delivered. */
    public long received() {
        return received;
    }

    @Override
    public void onLogon() {
        logonCount++;
    }

    @Override
    public boolean onMessage(
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        received++;
        return true;
    }

    @Override
    public void onAck(final AckType type, final long commandId, final long publisherSequence, final long returned) {
        ackCount++;
    }

    @Override
    public void onError(final BrokerError error) {
        throw new IllegalStateException(error.text());
    }

    @Override
    public void onDisconnect(final String reason, final @Nullable ErrorCode errorCode) {
        throw new IllegalStateException(reason);
    }
}
