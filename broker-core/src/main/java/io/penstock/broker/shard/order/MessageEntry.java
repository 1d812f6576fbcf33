package io.penstock.broker.shard.order;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

import io.penstock.broker.shard.log.Publication;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One message of a batch, or the delete of one key. Little endian, aligned to 8.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |           Length of the entry, without padding                |
 *  +---------------------------------------------------------------+
 *  |             Type              |             Flags             |
 *  +---------------------------------------------------------------+
 *  |                     Publisher sequence                        |
 *  |                           (64 bits)                           |
 *  +---------------------------------------------------------------+
 *  |                          Topic id                             |
 *  +---------------------------------------------------------------+
 *  |                        Publisher id                           |
 *  +---------------------------------------------------------------+
 *  |                   Length of the headers                       |
 *  +---------------------------------------------------------------+
 *  |                      Length of the key                        |
 *  +---------------------------------------------------------------+
 *  |          Expiration, if it is a change (64 bits)             ...
 *  +---------------------------------------------------------------+
 *  |     Session of the publisher, if it is a change (64 bits)    ...
 *  +---------------------------------------------------------------+
 *  |     Command of the publisher, if it is a change (64 bits)    ...
 *  +---------------------------------------------------------------+
 *  |                            Key                               ...
 *  +---------------------------------------------------------------+
 *  |                          Payload                             ...
 *  +---------------------------------------------------------------+
 *  |                          Headers                             ...
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * A message whose pieces came before has, in place of payload and headers, the number of its staging (64 bits) and how long its
 * payload is (32 bits).
 */
public final class MessageEntry {
    /** A message, whole. */
    public static final int TYPE_MESSAGE = 1;

    /** A message whose payload and headers came in pieces. */
    public static final int TYPE_STAGED = 2;

    /** Deletes the record of a key. */
    public static final int TYPE_DELETE = 3;

    /** Length of an entry without the fields of a change, in bytes. */
    static final int HEADER_LENGTH = 32;

    static final int CHANGE_LENGTH = 3 * SIZE_OF_LONG;
    static final int STAGED_LENGTH = SIZE_OF_LONG + SIZE_OF_INT;
    static final int FLAG_RECORD = 1;
    static final int FLAG_DELTA = 2;
    static final int FLAG_REQUEST = 4;
    static final int FLAG_CHANGE = 8;
    static final int FLAGS = FLAG_RECORD | FLAG_DELTA | FLAG_REQUEST | FLAG_CHANGE;

    private static final int LENGTH_OFFSET = 0;
    private static final int TYPE_OFFSET = LENGTH_OFFSET + SIZE_OF_INT;
    private static final int FLAGS_OFFSET = TYPE_OFFSET + SIZE_OF_SHORT;
    private static final int PUBLISHER_SEQUENCE_OFFSET = FLAGS_OFFSET + SIZE_OF_SHORT;
    private static final int TOPIC_ID_OFFSET = PUBLISHER_SEQUENCE_OFFSET + SIZE_OF_LONG;
    private static final int PUBLISHER_ID_OFFSET = TOPIC_ID_OFFSET + SIZE_OF_INT;
    private static final int HEADERS_LENGTH_OFFSET = PUBLISHER_ID_OFFSET + SIZE_OF_INT;
    private static final int KEY_LENGTH_OFFSET = HEADERS_LENGTH_OFFSET + SIZE_OF_INT;
    private static final int EXPIRATION_OFFSET = KEY_LENGTH_OFFSET + SIZE_OF_INT;
    private static final int SESSION_OFFSET = EXPIRATION_OFFSET + SIZE_OF_LONG;
    private static final int COMMAND_OFFSET = SESSION_OFFSET + SIZE_OF_LONG;

    private MessageEntry() {}

    /**
     * How long the entry of a whole message is.
     *
     * @param of the message.
     * @return bytes, with padding.
     */
    public static int lengthOf(final Publication of) {
        return align(bodyOffset(of) + of.payloadLength() + of.headersLength());
    }

    /**
     * How long the entry of a message is whose pieces came before.
     *
     * @param of the message.
     * @return bytes, with padding.
     */
    public static int stagedLengthOf(final Publication of) {
        return align(bodyOffset(of) + STAGED_LENGTH);
    }

    /**
     * How long the entry of a delete is.
     *
     * @param keyLength in bytes.
     * @return bytes, with padding.
     */
    public static int deleteLengthOf(final int keyLength) {
        return align(HEADER_LENGTH + keyLength);
    }

    /**
     * Writes a whole message.
     *
     * @param buffer to write to, with room for {@link #lengthOf}.
     * @param at     where.
     * @param of     the message.
     */
    public static void put(final MutableDirectBuffer buffer, final int at, final Publication of) {
        final int body = putHeader(buffer, at, TYPE_MESSAGE, of);
        final int length = of.payloadLength() + of.headersLength();
        buffer.putBytes(at + body, of.payload(), of.payloadOffset(), length);
        buffer.putInt(at + LENGTH_OFFSET, body + length, LITTLE_ENDIAN);
    }

    /**
     * Writes a message whose pieces came before.
     *
     * @param buffer  to write to, with room for {@link #stagedLengthOf}.
     * @param at      where.
     * @param of      the message.
     * @param staging number of its pieces.
     */
    public static void putStaged(
            final MutableDirectBuffer buffer, final int at, final Publication of, final long staging) {
        final int body = putHeader(buffer, at, TYPE_STAGED, of);
        buffer.putLong(at + body, staging, LITTLE_ENDIAN);
        buffer.putInt(at + body + SIZE_OF_LONG, of.payloadLength(), LITTLE_ENDIAN);
        buffer.putInt(at + LENGTH_OFFSET, body + STAGED_LENGTH, LITTLE_ENDIAN);
    }

    /**
     * Writes the delete of a key.
     *
     * @param buffer    to write to, with room for {@link #deleteLengthOf}.
     * @param at        where.
     * @param topicId   of the record.
     * @param key       holding the key, from its start on.
     * @param keyLength in bytes.
     */
    public static void putDelete(
            final MutableDirectBuffer buffer,
            final int at,
            final int topicId,
            final DirectBuffer key,
            final int keyLength) {
        buffer.putInt(at + LENGTH_OFFSET, HEADER_LENGTH + keyLength, LITTLE_ENDIAN);
        buffer.putShort(at + TYPE_OFFSET, (short) TYPE_DELETE, LITTLE_ENDIAN);
        buffer.putShort(at + FLAGS_OFFSET, (short) 0, LITTLE_ENDIAN);
        buffer.putLong(at + PUBLISHER_SEQUENCE_OFFSET, 0, LITTLE_ENDIAN);
        buffer.putInt(at + TOPIC_ID_OFFSET, topicId, LITTLE_ENDIAN);
        buffer.putInt(at + PUBLISHER_ID_OFFSET, 0, LITTLE_ENDIAN);
        buffer.putInt(at + HEADERS_LENGTH_OFFSET, 0, LITTLE_ENDIAN);
        buffer.putInt(at + KEY_LENGTH_OFFSET, keyLength, LITTLE_ENDIAN);
        buffer.putBytes(at + HEADER_LENGTH, key, 0, keyLength);
    }

    /**
     * Reads a message that was checked. Its bytes stay where they are.
     *
     * @param buffer that holds the entry.
     * @param at     where.
     * @param to     is filled; the payload of one that came in pieces is left to the caller.
     */
    public static void read(final DirectBuffer buffer, final int at, final Publication to) {
        final int flags = flags(buffer, at);
        final int keyLength = keyLength(buffer, at);
        final int headersLength = buffer.getInt(at + HEADERS_LENGTH_OFFSET, LITTLE_ENDIAN);
        to.of(
                        topicId(buffer, at),
                        publisherId(buffer, at),
                        buffer.getLong(at + PUBLISHER_SEQUENCE_OFFSET, LITTLE_ENDIAN))
                .headers(headersLength);
        final int key = at + keyOffset(flags);
        if ((flags & FLAG_RECORD) != 0) {
            to.record(
                    buffer,
                    key,
                    keyLength,
                    (flags & FLAG_DELTA) != 0,
                    buffer.getLong(at + EXPIRATION_OFFSET, LITTLE_ENDIAN));
        }
        if ((flags & FLAG_REQUEST) != 0) {
            to.request();
        }
        if ((flags & FLAG_CHANGE) != 0) {
            to.from(
                    buffer.getLong(at + SESSION_OFFSET, LITTLE_ENDIAN),
                    buffer.getLong(at + COMMAND_OFFSET, LITTLE_ENDIAN));
        }
        if (type(buffer, at) == TYPE_MESSAGE) {
            final int body = key + keyLength;
            to.payload(buffer, body, at + length(buffer, at) - body - headersLength);
        }
    }

    /** How long an entry is, without padding, in bytes. */
    public static int length(final DirectBuffer buffer, final int at) {
        return buffer.getInt(at + LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    /** What an entry is. */
    public static int type(final DirectBuffer buffer, final int at) {
        return buffer.getShort(at + TYPE_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** The topic of an entry. */
    public static int topicId(final DirectBuffer buffer, final int at) {
        return buffer.getInt(at + TOPIC_ID_OFFSET, LITTLE_ENDIAN);
    }

    /** The publisher of a message; 0 for none. */
    public static int publisherId(final DirectBuffer buffer, final int at) {
        return buffer.getInt(at + PUBLISHER_ID_OFFSET, LITTLE_ENDIAN);
    }

    /** How long the key of an entry is, in bytes. */
    public static int keyLength(final DirectBuffer buffer, final int at) {
        return buffer.getInt(at + KEY_LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    /** Where the key of an entry is. */
    public static int keyAt(final DirectBuffer buffer, final int at) {
        return at + keyOffset(flags(buffer, at));
    }

    /** The number of the pieces of a message. */
    public static long staging(final DirectBuffer buffer, final int at) {
        return buffer.getLong(keyAt(buffer, at) + keyLength(buffer, at), LITTLE_ENDIAN);
    }

    /** How long the payload of a message is that came in pieces, in bytes. */
    public static int stagedLength(final DirectBuffer buffer, final int at) {
        return buffer.getInt(keyAt(buffer, at) + keyLength(buffer, at) + SIZE_OF_LONG, LITTLE_ENDIAN);
    }

    /** A length with the padding after it. */
    public static int align(final int length) {
        return BitUtil.align(length, CommandHeader.ALIGNMENT);
    }

    static int flags(final DirectBuffer buffer, final int at) {
        return buffer.getShort(at + FLAGS_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    static int headersLength(final DirectBuffer buffer, final int at) {
        return buffer.getInt(at + HEADERS_LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    static int keyOffset(final int flags) {
        return (flags & FLAG_CHANGE) == 0 ? HEADER_LENGTH : HEADER_LENGTH + CHANGE_LENGTH;
    }

    private static int bodyOffset(final Publication of) {
        return keyOffset(flagsOf(of)) + keyLengthOf(of);
    }

    private static int keyLengthOf(final Publication of) {
        return of.hasRecord() ? of.keyLength() : 0;
    }

    private static int flagsOf(final Publication of) {
        return (of.hasRecord() ? FLAG_RECORD | FLAG_CHANGE : 0)
                | (of.isDelta() ? FLAG_DELTA : 0)
                | (of.isRequest() ? FLAG_REQUEST | FLAG_CHANGE : 0);
    }

    /** Returns where the payload begins in the entry. */
    private static int putHeader(final MutableDirectBuffer buffer, final int at, final int type, final Publication of) {
        final int flags = flagsOf(of);
        final int keyLength = keyLengthOf(of);
        buffer.putShort(at + TYPE_OFFSET, (short) type, LITTLE_ENDIAN);
        buffer.putShort(at + FLAGS_OFFSET, (short) flags, LITTLE_ENDIAN);
        buffer.putLong(at + PUBLISHER_SEQUENCE_OFFSET, of.publisherSequence(), LITTLE_ENDIAN);
        buffer.putInt(at + TOPIC_ID_OFFSET, of.topicId(), LITTLE_ENDIAN);
        buffer.putInt(at + PUBLISHER_ID_OFFSET, of.publisherId(), LITTLE_ENDIAN);
        buffer.putInt(at + HEADERS_LENGTH_OFFSET, of.headersLength(), LITTLE_ENDIAN);
        buffer.putInt(at + KEY_LENGTH_OFFSET, keyLength, LITTLE_ENDIAN);
        if ((flags & FLAG_CHANGE) != 0) {
            buffer.putLong(at + EXPIRATION_OFFSET, of.hasRecord() ? of.expirationNs() : 0, LITTLE_ENDIAN);
            buffer.putLong(at + SESSION_OFFSET, of.sessionId(), LITTLE_ENDIAN);
            buffer.putLong(at + COMMAND_OFFSET, of.commandId(), LITTLE_ENDIAN);
        }
        final int key = keyOffset(flags);
        if (keyLength > 0) {
            buffer.putBytes(at + key, of.key(), of.keyOffset(), keyLength);
        }
        return key + keyLength;
    }
}
