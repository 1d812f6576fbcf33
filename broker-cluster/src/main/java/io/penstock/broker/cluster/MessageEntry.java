package io.penstock.broker.cluster;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One message of a batch.
 *
 * <pre>
 *   0        4        8                16       20       24
 *  +--------+--------+----------------+--------+--------+-----------+----------------
 *  | length | flags  | publisher seq. | topic  | publ.  | payload   | padding up to 8
 *  +--------+--------+----------------+--------+--------+-----------+----------------
 * </pre>
 *
 * Length is that of header and payload. All fields are little endian.
 */
final class MessageEntry {
    static final int LENGTH_OFFSET = 0;
    static final int FLAGS_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    static final int SEQUENCE_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    static final int TOPIC_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
    static final int PUBLISHER_OFFSET = TOPIC_OFFSET + Integer.BYTES;
    static final int PAYLOAD_OFFSET = PUBLISHER_OFFSET + Integer.BYTES;

    private MessageEntry() {}

    /** Writes a message. Returns the length that it takes. */
    static int put(
            final MutableDirectBuffer buffer,
            final int offset,
            final int topic,
            final int publisher,
            final long publisherSequence,
            final byte[] payload) {
        final int length = PAYLOAD_OFFSET + payload.length;
        buffer.putInt(offset + LENGTH_OFFSET, length, LITTLE_ENDIAN);
        buffer.putInt(offset + FLAGS_OFFSET, 0, LITTLE_ENDIAN);
        buffer.putLong(offset + SEQUENCE_OFFSET, publisherSequence, LITTLE_ENDIAN);
        buffer.putInt(offset + TOPIC_OFFSET, topic, LITTLE_ENDIAN);
        buffer.putInt(offset + PUBLISHER_OFFSET, publisher, LITTLE_ENDIAN);
        buffer.putBytes(offset + PAYLOAD_OFFSET, payload);
        return BitUtil.align(length, Long.BYTES);
    }

    static int length(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    static int topic(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + TOPIC_OFFSET, LITTLE_ENDIAN);
    }

    static int publisher(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + PUBLISHER_OFFSET, LITTLE_ENDIAN);
    }

    static long publisherSequence(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + SEQUENCE_OFFSET, LITTLE_ENDIAN);
    }
}
