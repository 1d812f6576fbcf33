package io.penstock.transport.stream;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import java.io.IOException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers offers of one connection until they are worth a call to the kernel, and keeps the bytes that the kernel did
 * not take. Holds memory only while there is something to send: about as much as it needed for the last batches, so that
 * thousands of connections with a message each take little together, and one with many does not move its bytes.
 */
final class SendBatch {
    /** The most bytes of one part. */
    static final int PART_LENGTH_MAX = TransportContext.FRAGMENT_LENGTH_MIN;

    /** A part always fits after less than this; reaching it is a reason to send. */
    static final int SEND_LENGTH = 64 * 1024 - FrameReader.PREFIX_LENGTH;

    /** The most memory that a connection holds for sending. */
    static final int CAPACITY = SEND_LENGTH + FrameReader.PREFIX_LENGTH + PART_LENGTH_MAX;

    /** When a batch outgrows its memory, so many times as much is taken. */
    private static final int GROWTH = 4;

    private final ChunkPool pool;
    private final StreamSocket socket;
    private final TransportCounters counters;
    private final int gatherLengthMin;
    private final int sendLengthMax;

    private @Nullable Chunk chunk;
    private int head;
    private int tail;
    private boolean isBlocked;

    /** Bytes that a batch is likely to need. */
    private int usualLength;

    /**
     * A batch that is empty.
     *
     * @param gatherLengthMin the shortest body that is sent from where it lies.
     * @param sendLengthMax   the most bytes of one call.
     */
    SendBatch(
            final ChunkPool pool,
            final StreamSocket socket,
            final TransportCounters counters,
            final int gatherLengthMin,
            final int sendLengthMax) {
        this.pool = pool;
        this.socket = socket;
        this.counters = counters;
        this.gatherLengthMin = gatherLengthMin;
        this.sendLengthMax = sendLengthMax;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Whether the kernel has not taken all that it was given, so that nothing can be added now. */
    boolean isBlocked() {
        return isBlocked;
    }

    /**
     * Adds a part of a frame, which must not be done while blocked.
     *
     * @param prefix the frame's length when this is its first part, else negative.
     */
    void add(
            final int prefix,
            final DirectBuffer header,
            final int headerOffset,
            final int headerLength,
            final DirectBuffer body,
            final int bodyOffset,
            final int bodyLength)
            throws IOException {
        final boolean isGathered = bodyLength >= gatherLengthMin && socket.canGather(body);
        final Chunk to = room(FrameReader.PREFIX_LENGTH + headerLength + (isGathered ? 0 : bodyLength));
        final UnsafeBuffer buffer = to.buffer();
        if (prefix >= 0) {
            buffer.putInt(tail, prefix, LITTLE_ENDIAN);
            tail += FrameReader.PREFIX_LENGTH;
        }
        buffer.putBytes(tail, header, headerOffset, headerLength);
        tail += headerLength;
        counters.onCopied(headerLength);
        if (isGathered && tail - head + bodyLength <= sendLengthMax) {
            sendWith(to, body, bodyOffset, bodyLength);
        } else {
            append(body, bodyOffset, bodyLength);
            if (tail > SEND_LENGTH) {
                flush();
            }
        }
    }

    /** The memory of the batch, with room for more bytes. */
    private Chunk room(final int length) {
        Chunk to = chunk;
        if (to == null) {
            to = pool.take(Math.max(usualLength, length));
            chunk = to;
        } else if (tail + length > to.length()) {
            final int batched = tail - head;
            final Chunk longer = pool.take(Math.min(CAPACITY, Math.max(GROWTH * to.length(), batched + length)));
            longer.buffer().putBytes(0, to.buffer(), head, batched);
            counters.onCopied(batched);
            pool.give(to);
            head = 0;
            tail = batched;
            chunk = longer;
            return longer;
        }
        return to;
    }

    private void append(final DirectBuffer body, final int bodyOffset, final int bodyLength) {
        room(bodyLength).buffer().putBytes(tail, body, bodyOffset, bodyLength);
        tail += bodyLength;
        counters.onCopied(bodyLength);
    }

    private void sendWith(final Chunk from, final DirectBuffer body, final int bodyOffset, final int bodyLength)
            throws IOException {
        final int batched = tail - head;
        final int sent = socket.write(from, head, batched, body, bodyOffset, bodyLength);
        counters.onSent(sent);
        if (sent < batched) {
            head += sent;
            append(body, bodyOffset, bodyLength);
        } else {
            head = 0;
            tail = 0;
            final int bodySent = sent - batched;
            append(body, bodyOffset + bodySent, bodyLength - bodySent);
        }
        afterSend();
    }

    /** Gives the kernel what it takes now. */
    void flush() throws IOException {
        final Chunk from = chunk;
        if (from != null) {
            // Less than before by and by, when batches get shorter.
            usualLength = Math.max(tail, usualLength - (usualLength >> 2));
            int sent;
            int wanted;
            do {
                wanted = Math.min(tail - head, sendLengthMax);
                sent = socket.write(from, head, wanted);
                counters.onSent(sent);
                head += sent;
            } while (sent == wanted && head < tail);
            afterSend();
        }
    }

    private void afterSend() {
        isBlocked = head < tail;
        if (!isBlocked) {
            release();
        }
    }

    /** Drops what is left. */
    void release() {
        head = 0;
        tail = 0;
        isBlocked = false;
        if (chunk != null) {
            pool.give(chunk);
            chunk = null;
        }
    }
}
