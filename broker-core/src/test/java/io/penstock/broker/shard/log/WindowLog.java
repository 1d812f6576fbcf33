package io.penstock.broker.shard.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.protocol.RecordDescriptor;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/** A small log with one reader, for tests. */
final class WindowLog {
    static final int SEGMENT_LENGTH = 1024;

    /** The longest payload that a record may have. */
    static final int PAYLOAD_LENGTH_MAX = SEGMENT_LENGTH / 2;

    final LogWindow window;
    private final Publication publication = new Publication();
    final AtomicCounter published;
    final AtomicCounter demand;
    final AtomicCounter[] released;
    final Reclaim reclaim;
    final LogAppender appender;
    int wakeups;

    WindowLog(final int segmentCount) {
        this(segmentCount, 1);
    }

    WindowLog(final int segmentCount, final int readerCount) {
        final CountersManager counters = new CountersManager(
                new UnsafeBuffer(ByteBuffer.allocateDirect(16 * CountersReader.METADATA_LENGTH)),
                new UnsafeBuffer(ByteBuffer.allocateDirect(16 * CountersReader.COUNTER_LENGTH)),
                UTF_8);
        window = new LogWindow(SEGMENT_LENGTH, segmentCount);
        published = counters.newCounter("published");
        demand = counters.newCounter("demand");
        released = new AtomicCounter[readerCount];
        for (int i = 0; i < readerCount; i++) {
            released[i] = counters.newCounter("released-" + i);
        }
        reclaim = new Reclaim(() -> wakeups++, demand, released);
        appender = new LogAppender(window, reclaim, published);
    }

    LogReader reader(final long position) {
        return new LogReader(window, published, position);
    }

    /** Appends a message whose bytes all depend on its sequence. */
    long append(final int payloadLength) {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[payloadLength]);
        payload.setMemory(0, payloadLength, (byte) (appender.lastSequence() + 1));
        return appender.append(
                RecordDescriptor.TYPE_MESSAGE, 5, publication.of(3, 0, 0).payload(payload, 0, payloadLength));
    }

    /** Commits what was appended, and lets readers see it. */
    void publish() {
        appender.commit();
        appender.publish();
    }

    /** The payload that makes a record take up some bytes. */
    static int payloadLength(final int alignedLength) {
        return alignedLength - RecordDescriptor.HEADER_LENGTH;
    }
}
