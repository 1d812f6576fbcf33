package io.penstock.protocol;

import static org.agrona.BitUtil.SIZE_OF_BYTE;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * Layout of a record: the unit of the log, which is sent to subscribers just as it lies there.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                 Length (header and payload)                   |
 *  +---------------+---------------+-------------------------------+
 *  |     Type      |     Flags     |        Trailer length         |
 *  +---------------+---------------+-------------------------------+
 *  |                           Sequence                            |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |              Timestamp, nanoseconds since 1970                |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                           Topic id                            |
 *  +---------------------------------------------------------------+
 *  |                   Publisher id (0 = none)                     |
 *  +---------------------------------------------------------------+
 *  |                Publisher sequence (0 = none)                  |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                            Epoch                              |
 *  +---------------------------------------------------------------+
 *  |                 Checksum (0 = not computed)                   |
 *  +---------------------------------------------------------------+
 *  |                          Payload                             ...
 * </pre>
 *
 * The last bytes of the payload may be a trailer, which is not part of the message: its headers, whose length is their
 * first 16 bits; then the record's key, where publishers give it; and then when it expires, 64 bits, nanoseconds since 1970.
 * Flags say which of them there are.
 *
 * <p>All fields are little endian. A record starts at a multiple of {@link #ALIGNMENT} from the first one of its run.
 */
public final class RecordDescriptor {
    /** Records start at multiples of this many bytes. */
    public static final int ALIGNMENT = 8;

    public static final int LENGTH_OFFSET = 0;
    public static final int TYPE_OFFSET = LENGTH_OFFSET + SIZE_OF_INT;
    public static final int FLAGS_OFFSET = TYPE_OFFSET + SIZE_OF_BYTE;
    public static final int TRAILER_LENGTH_OFFSET = FLAGS_OFFSET + SIZE_OF_BYTE;
    public static final int SEQUENCE_OFFSET = TRAILER_LENGTH_OFFSET + SIZE_OF_SHORT;
    public static final int TIMESTAMP_OFFSET = SEQUENCE_OFFSET + SIZE_OF_LONG;
    public static final int TOPIC_ID_OFFSET = TIMESTAMP_OFFSET + SIZE_OF_LONG;
    public static final int PUBLISHER_ID_OFFSET = TOPIC_ID_OFFSET + SIZE_OF_INT;
    public static final int PUBLISHER_SEQUENCE_OFFSET = PUBLISHER_ID_OFFSET + SIZE_OF_INT;
    public static final int EPOCH_OFFSET = PUBLISHER_SEQUENCE_OFFSET + SIZE_OF_LONG;
    public static final int CHECKSUM_OFFSET = EPOCH_OFFSET + SIZE_OF_INT;
    public static final int HEADER_LENGTH = CHECKSUM_OFFSET + SIZE_OF_INT;

    /** A gap up to the end of a segment; never delivered. */
    public static final int TYPE_PADDING = 0;

    /** A published message. */
    public static final int TYPE_MESSAGE = 1;

    /**
     * A topic was created: its payload is the name, the format and the key (empty for no state), each with its length as
     * 16 bits before it, and then its records' expiration in nanoseconds, 64 bits.
     */
    public static final int TYPE_TOPIC = 2;

    /** A publisher was named: its payload is the client name. */
    public static final int TYPE_PUBLISHER = 3;

    /** A record of a topic with state was deleted: its payload is what it was last. */
    public static final int TYPE_DELETE = 4;

    /** Made of other records for one subscription; no part of the topic's history. */
    public static final int TYPE_DERIVED = 5;

    /**
     * In files only, without payload: the end of a group of records that were written together. It has no sequence of its
     * own. Its header says in place of the sequence up to which one the log was on stable storage before, in place of the
     * publisher's sequence the group's last one, in place of the topic how many bytes of the group are before it, and in
     * place of the publisher how many of the group's sectors of 512 bytes are zeros.
     */
    public static final int TYPE_COMMIT = 6;

    /**
     * Sequences of a publisher count as applied no longer: those above the publisher sequence in its header. Its payload is
     * the client name.
     */
    public static final int TYPE_PUBLISHER_RESET = 7;

    /** A topic was deleted, with its state: its payload is the name. No record after it has the topic's id. */
    public static final int TYPE_TOPIC_DELETED = 8;

    /** The trailer has the key. */
    public static final int FLAG_KEY = 1;

    /** The trailer ends with when the record expires. */
    public static final int FLAG_EXPIRES = 2;

    /** Flag of a delete: the record has expired. */
    public static final int FLAG_EXPIRED = 4;

    /** The trailer begins with headers. */
    public static final int FLAG_HEADERS = 8;

    private static final int HEADERS_LENGTH_LENGTH = SIZE_OF_SHORT;

    private RecordDescriptor() {}

    /**
     * The room a record takes, with the padding up to the next one.
     *
     * @param recordLength of header and payload, in bytes.
     * @return length in bytes, a multiple of {@link #ALIGNMENT}.
     */
    public static int alignedLength(final int recordLength) {
        return BitUtil.align(recordLength, ALIGNMENT);
    }

    /**
     * Length, type, flags and the trailer's length at once; they lie together.
     *
     * @param buffer holding the record.
     * @param offset of its first byte.
     * @return all of them, for {@link #length(long)} and so on.
     */
    public static long head(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * The length of a record.
     *
     * @param head of the record.
     * @return header, message and trailer, in bytes.
     */
    public static int length(final long head) {
        return (int) head;
    }

    /**
     * The type of a record.
     *
     * @param head of the record.
     * @return one of those above.
     */
    public static int type(final long head) {
        return (int) (head >>> (Byte.SIZE * TYPE_OFFSET)) & 0xFF;
    }

    /**
     * How long the trailer of a record is.
     *
     * @param head of the record.
     * @return bytes after the message.
     */
    public static int trailerLength(final long head) {
        return (int) (head >>> (Byte.SIZE * TRAILER_LENGTH_OFFSET));
    }

    public static int length(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    public static int type(final DirectBuffer buffer, final int offset) {
        return buffer.getByte(offset + TYPE_OFFSET) & 0xFF;
    }

    public static int flags(final DirectBuffer buffer, final int offset) {
        return buffer.getByte(offset + FLAGS_OFFSET) & 0xFF;
    }

    public static int trailerLength(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + TRAILER_LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * The flags of a record.
     *
     * @param head of the record.
     * @return those set.
     */
    public static int flags(final long head) {
        return (int) (head >>> (Byte.SIZE * FLAGS_OFFSET)) & 0xFF;
    }

    /**
     * How long the headers are that follow the message.
     *
     * @param buffer holding the record.
     * @param offset of its first byte.
     * @return bytes of the trailer that are headers, 0 for none; never more than the trailer has.
     */
    public static int headersLength(final DirectBuffer buffer, final int offset) {
        final int trailerLength = trailerLength(buffer, offset);
        if ((flags(buffer, offset) & FLAG_HEADERS) == 0 || trailerLength < HEADERS_LENGTH_LENGTH) {
            return 0;
        }
        final int headersAt = offset + length(buffer, offset) - trailerLength;
        return Math.min(trailerLength, buffer.getShort(headersAt, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
    }

    /**
     * How long the key is that follows the message and its headers.
     *
     * @param buffer holding the record.
     * @param offset of its first byte.
     * @return bytes of the trailer that are the key, 0 for none.
     */
    public static int keyLength(final DirectBuffer buffer, final int offset) {
        final int flags = flags(buffer, offset);
        if ((flags & FLAG_KEY) == 0) {
            return 0;
        }
        return Math.max(
                0,
                trailerLength(buffer, offset)
                        - headersLength(buffer, offset)
                        - ((flags & FLAG_EXPIRES) == 0 ? 0 : SIZE_OF_LONG));
    }

    /**
     * Where the key is that follows the message and its headers.
     *
     * @param buffer holding the record.
     * @param offset of its first byte.
     * @return offset of {@link #keyLength} bytes.
     */
    public static int keyOffset(final DirectBuffer buffer, final int offset) {
        return offset + HEADER_LENGTH + messageLength(buffer, offset) + headersLength(buffer, offset);
    }

    /**
     * How long the message in a record is.
     *
     * @param buffer holding the record.
     * @param offset of its first byte.
     * @return bytes that follow the header, without the trailer.
     */
    public static int messageLength(final DirectBuffer buffer, final int offset) {
        return length(buffer, offset) - HEADER_LENGTH - trailerLength(buffer, offset);
    }

    public static long sequence(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + SEQUENCE_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    public static long timestampNs(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + TIMESTAMP_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    public static int topicId(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + TOPIC_ID_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    public static int publisherId(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + PUBLISHER_ID_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    public static long publisherSequence(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + PUBLISHER_SEQUENCE_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    public static int epoch(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + EPOCH_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    public static int checksum(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + CHECKSUM_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }
}
