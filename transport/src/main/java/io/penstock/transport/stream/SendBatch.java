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
 * not take. Holds memory only while there is something to send.
 */
final class SendBatch {
    /** The most bytes of one part. */
    static final int PART_LENGTH_MAX = TransportContext.FRAGMENT_LENGTH_MIN;

    /** A part always fits after less than this; reaching it is a reason to send. */
    static final int SEND_LENGTH = 64 * 1024 - FrameReader.PREFIX_LENGTH;

    /** All the memory that a connection holds for sending. */
    static final int CAPACITY = SEND_LENGTH + FrameReader.PREFIX_LENGTH + PART_LENGTH_MAX;

    private final ChunkPool pool;
    private final StreamSocket socket;
    private final TransportCounters counters;
    private final int gatherLengthMin;
    private final int sendLengthMax;

    private @Nullable Chunk chunk;
    private int head;
    private int tail;
    private boolean isBlocked;

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
        Chunk to = chunk;
        if (to == null) {
            to = pool.take(CAPACITY);
            chunk = to;
        }
        final UnsafeBuffer buffer = to.buffer();
        if (prefix >= 0) {
            buffer.putInt(tail, prefix, LITTLE_ENDIAN);
            tail += FrameReader.PREFIX_LENGTH;
        }
        buffer.putBytes(tail, header, headerOffset, headerLength);
        tail += headerLength;
        counters.onCopied(headerLength);
        if (bodyLength >= gatherLengthMin && tail - head + bodyLength <= sendLengthMax && socket.canGather(body)) {
            sendWith(to, body, bodyOffset, bodyLength);
        } else {
            append(to, body, bodyOffset, bodyLength);
            if (tail > SEND_LENGTH) {
                flush();
            }
        }
    }

    private void append(final Chunk to, final DirectBuffer body, final int bodyOffset, final int bodyLength) {
        to.buffer().putBytes(tail, body, bodyOffset, bodyLength);
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
            append(from, body, bodyOffset, bodyLength);
        } else {
            head = 0;
            tail = 0;
            final int bodySent = sent - batched;
            append(from, body, bodyOffset + bodySent, bodyLength - bodySent);
        }
        afterSend();
    }

    /** Gives the kernel what it takes now. */
    void flush() throws IOException {
        final Chunk from = chunk;
        if (from != null) {
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
