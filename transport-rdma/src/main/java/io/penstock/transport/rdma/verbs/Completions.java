package io.penstock.transport.rdma.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Results of {@link VerbsEndpoint#poll}, in native memory, in the machine's byte order.
 *
 * <pre>
 *      0               4               8              12              16
 *     +-------------------------------+---------------+---------------+
 *   0 | id                            | status        | operation     |
 *     +-------------------------------+---------------+---------------+
 *  16 | length        | immediate     | vendor's error| 0             |
 *     +---------------+---------------+---------------+---------------+
 * </pre>
 *
 * <p>Of one that failed, only id, status and the vendor's error mean something. Owned by one thread.
 */
public final class Completions {
    /** A {@link #status}. Others are those of {@code enum ibv_wc_status}. */
    public static final int SUCCESS = 0;

    /** A {@link #status}: the endpoint had ended, or was broken by another one. */
    public static final int FLUSHED = 5;

    /** A {@link #status}: the peer's machine does not answer. */
    public static final int RETRIES_EXCEEDED = 12;

    /** A {@link #status}: the peer had no receive posted. */
    public static final int NO_RECEIVE = 13;

    /** An {@link #operation}: a send, a write or a read of this side. */
    public static final int SENT = 0;

    /** An {@link #operation}: a receive was filled by a send. */
    public static final int RECEIVED = 1;

    /** An {@link #operation}: a receive was used up by a write with a number, which is {@link #immediate}. */
    public static final int RECEIVED_IMMEDIATE = 2;

    public static final int LENGTH = 32;

    static final int ID_OFFSET = 0;
    static final int STATUS_OFFSET = ID_OFFSET + Long.BYTES;
    static final int OPERATION_OFFSET = STATUS_OFFSET + Integer.BYTES;
    static final int LENGTH_OFFSET = OPERATION_OFFSET + Integer.BYTES;
    static final int IMMEDIATE_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    static final int VENDOR_ERROR_OFFSET = IMMEDIATE_OFFSET + Integer.BYTES;

    private static final String[] STATUS_TEXTS = {
        "success",
        "message too long for the peer's receive",
        "queue broken",
        "queue context broken",
        "memory not registered for this",
        "flushed",
        "memory window error",
        "bad response of the peer",
        "local access error",
        "peer refused the request as invalid",
        "peer's memory not accessible",
        "peer could not carry out the request",
        "peer does not answer: too many retries",
        "peer had no receive posted",
    };

    private final UnsafeBuffer buffer;

    /** @param capacity the most completions of one poll. */
    public Completions(final int capacity) {
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity * LENGTH).order(ByteOrder.nativeOrder()));
    }

    /**
     * The meaning of a status.
     *
     * @param status of a completion.
     * @return a text for people.
     */
    public static String text(final int status) {
        return (status >= 0 && status < STATUS_TEXTS.length ? STATUS_TEXTS[status] : "fatal error") + " (status "
                + status + ")";
    }

    /** The most completions of one poll. */
    public int capacity() {
        return buffer.capacity() / LENGTH;
    }

    /** Where completion 0 is in memory. */
    public long address() {
        return buffer.addressOffset();
    }

    /**
     * Fills one in; for providers.
     *
     * @param index       of the completion.
     * @param id          of the request.
     * @param status      {@link #SUCCESS}, or what went wrong.
     * @param operation   {@link #SENT}, {@link #RECEIVED} or {@link #RECEIVED_IMMEDIATE}.
     * @param length      bytes received.
     * @param immediate   the peer's number.
     * @param vendorError the device's own number for what went wrong.
     */
    public void put(
            final int index,
            final long id,
            final int status,
            final int operation,
            final int length,
            final int immediate,
            final int vendorError) {
        final int offset = index * LENGTH;
        buffer.putLong(offset + ID_OFFSET, id);
        buffer.putInt(offset + STATUS_OFFSET, status);
        buffer.putInt(offset + OPERATION_OFFSET, operation);
        buffer.putInt(offset + LENGTH_OFFSET, length);
        buffer.putInt(offset + IMMEDIATE_OFFSET, immediate);
        buffer.putInt(offset + VENDOR_ERROR_OFFSET, vendorError);
    }

    public long id(final int index) {
        return buffer.getLong(index * LENGTH + ID_OFFSET);
    }

    public int status(final int index) {
        return buffer.getInt(index * LENGTH + STATUS_OFFSET);
    }

    public int operation(final int index) {
        return buffer.getInt(index * LENGTH + OPERATION_OFFSET);
    }

    public int length(final int index) {
        return buffer.getInt(index * LENGTH + LENGTH_OFFSET);
    }

    public int immediate(final int index) {
        return buffer.getInt(index * LENGTH + IMMEDIATE_OFFSET);
    }

    public int vendorError(final int index) {
        return buffer.getInt(index * LENGTH + VENDOR_ERROR_OFFSET);
    }
}
