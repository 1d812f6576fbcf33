package io.penstock.jmh.ipc;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** By two streams of Aeron, one to the echo and one back. */
final class AeronRoundTrip implements RoundTripsBesideAeron.Subject {
    private static final int FRAGMENT_LIMIT = 10;

    private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(PenstockRoundTrip.LENGTH));
    private final Aeron aeron;
    private final ExclusivePublication pings;
    private final Subscription pongs;
    private final FragmentHandler handler;
    private long sent;
    private long received;

    AeronRoundTrip(final String directory) {
        aeron = AeronEchoPeer.connect(directory);
        pings = aeron.addExclusivePublication(CommonContext.IPC_CHANNEL, AeronEchoPeer.PING_STREAM);
        pongs = aeron.addSubscription(CommonContext.IPC_CHANNEL, AeronEchoPeer.PONG_STREAM);
        handler = (buffer, offset, length, header) -> received = buffer.getLong(offset);
        while (!pings.isConnected() || !pongs.isConnected()) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void roundTrip() {
        message.putLong(0, ++sent);
        while (pings.offer(message) < 0) {
            Thread.onSpinWait();
        }
        while (received < sent) {
            if (pongs.poll(handler, FRAGMENT_LIMIT) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() {
        aeron.close();
    }
}
