package io.penstock.client.session;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

import io.penstock.client.PenstockException;
import io.penstock.client.PublishOptions;
import io.penstock.protocol.CheckedRange;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.PublishEncoder;
import io.penstock.protocol.codec.PublishStateEncoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Internal: writes publish commands. Unlike the generated encoder it has no state, so that any thread can write to the ring, and
 * it takes the topic as a string without allocating.
 */
public final class PublishFrame {
    /** Internal: the topic must lie in the first fragment of a frame, with all that comes before the payload. */
    public static final int TOPIC_LENGTH_MAX = 60 * 1024;

    private static final int COMMAND_ID_OFFSET = FrameHeader.LENGTH + PublishEncoder.commandIdEncodingOffset();
    private static final int SEQUENCE_OFFSET = FrameHeader.LENGTH + PublishEncoder.publisherSequenceEncodingOffset();
    private static final int ACK_TYPES_OFFSET = FrameHeader.LENGTH + PublishEncoder.ackTypesEncodingOffset();
    private static final int TOPIC_LENGTH_OFFSET = FrameHeader.LENGTH + PublishEncoder.BLOCK_LENGTH;
    private static final int TOPIC_OFFSET = TOPIC_LENGTH_OFFSET + SIZE_OF_SHORT;

    private static final int STATE_TOPIC_OFFSET = FrameHeader.LENGTH + PublishStateEncoder.BLOCK_LENGTH + SIZE_OF_SHORT;

    private static final int OPTION_DELTA = 1;
    private static final int OPTION_REQUEST = 2;

    private PublishFrame() {}

    /** Internal: where the topic of a frame is. */
    public static int topicOffset(final DirectBuffer frame, final int index) {
        return index + FrameHeader.LENGTH + FrameHeader.blockLength(frame, index) + SIZE_OF_SHORT;
    }

    /** Internal: how long the topic of a frame is, in bytes. */
    public static int topicLength(final DirectBuffer frame, final int index) {
        return frame.getShort(topicOffset(frame, index) - SIZE_OF_SHORT, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Internal: says in a frame which acknowledgements are asked for. */
    public static void ackTypes(final MutableDirectBuffer frame, final int index, final int ackTypes) {
        frame.putByte(index + ACK_TYPES_OFFSET, (byte) ackTypes);
    }

    /** Everything around the payload and the topic. */
    static int overhead() {
        return TOPIC_OFFSET + SIZE_OF_INT;
    }

    /** Whether a publish says no more than topic and payload. */
    private static boolean isPlain(final PublishOptions options) {
        return !options.isDelta()
                && options.expirationMs() == 0
                && options.key().isEmpty()
                && options.headers().isEmpty()
                && !options.isRequest();
    }

    /** Internal: the length of a frame in bytes. */
    public static int length(final int topicLength, final int payloadLength, final PublishOptions options) {
        return isPlain(options)
                ? length(topicLength, payloadLength)
                : stateLength(
                        topicLength,
                        Utf8Encoder.length(options.key()),
                        payloadLength + options.headers().length());
    }

    /** The length of a frame in bytes, at most that of the longest message and {@link #TOPIC_LENGTH_MAX} more. */
    static int length(final int topicLength, final int payloadLength) {
        return overhead() + topicLength + payloadLength;
    }

    /** Internal: refuses a topic that no broker takes, and a payload that this one does not. */
    public static void checkLengths(final int topicLength, final int payloadLength, final int messageLengthMax) {
        if (topicLength == 0 || topicLength > TOPIC_LENGTH_MAX) {
            throw new PenstockException(
                    ErrorCode.BAD_TOPIC,
                    "publish: topic has a bad length: " + topicLength + " bytes (use 1 to " + TOPIC_LENGTH_MAX + ")");
        }
        if (payloadLength > messageLengthMax) {
            throw new PenstockException(
                    ErrorCode.MESSAGE_TOO_LONG,
                    "publish: payload is too long: " + payloadLength + " bytes (use at most " + messageLengthMax
                            + ", or raise the limits of client and broker)");
        }
    }

    /** Internal: topic, key and headers must leave room for each other in a frame. */
    public static void checkKey(final int topicLength, final int keyLength) {
        if (topicLength + keyLength > TOPIC_LENGTH_MAX) {
            throw new PenstockException(
                    ErrorCode.BAD_KEY,
                    "publish: key, with the headers, is too long: " + keyLength + " bytes (use at most "
                            + (TOPIC_LENGTH_MAX - topicLength) + ")");
        }
    }

    /** Internal: writes a frame without a command id, a plain one when the options say no more. */
    public static void write(
            final MutableDirectBuffer frame,
            final int index,
            final String topic,
            final int topicLength,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final PublishOptions options,
            final long publisherSequence,
            final int ackTypes) {
        if (!isPlain(options)) {
            writeStateBlock(frame, index, options, publisherSequence, ackTypes);
            final int topicAt = index + STATE_TOPIC_OFFSET;
            frame.putShort(topicAt - SIZE_OF_SHORT, (short) topicLength, ByteOrder.LITTLE_ENDIAN);
            final int keyAt = Utf8Encoder.encode(topic, frame, topicAt) + SIZE_OF_SHORT;
            final int end = Utf8Encoder.encode(options.key(), frame, keyAt);
            frame.putShort(keyAt - SIZE_OF_SHORT, (short) (end - keyAt), ByteOrder.LITTLE_ENDIAN);
            writePayload(frame, end, payload, offset, length);
            if (!options.headers().isEmpty()) {
                frame.putInt(end, length + options.headers().length(), ByteOrder.LITTLE_ENDIAN);
                options.headers().write(frame, end + SIZE_OF_INT + length);
            }
            return;
        }
        writeBlock(frame, index, topicLength, publisherSequence, ackTypes);
        Utf8Encoder.encode(topic, frame, index + TOPIC_OFFSET);
        writePayload(frame, index + TOPIC_OFFSET + topicLength, payload, offset, length);
    }

    /** Writes a frame without a command id. */
    static void write(
            final MutableDirectBuffer frame,
            final int index,
            final DirectBuffer topic,
            final int topicOffset,
            final int topicLength,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final long publisherSequence,
            final int ackTypes) {
        writeBlock(frame, index, topicLength, publisherSequence, ackTypes);
        frame.putBytes(index + TOPIC_OFFSET, topic, topicOffset, topicLength);
        writePayload(frame, index + TOPIC_OFFSET + topicLength, payload, offset, length);
    }

    /** Internal: the length of a frame with a key in bytes. */
    public static int stateLength(final int topicLength, final int keyLength, final int payloadLength) {
        return STATE_TOPIC_OFFSET + topicLength + SIZE_OF_SHORT + keyLength + SIZE_OF_INT + payloadLength;
    }

    /** Writes a frame without a command id, for a topic with state. */
    static void writeState(
            final MutableDirectBuffer frame,
            final int index,
            final DirectBuffer topic,
            final int topicOffset,
            final int topicLength,
            final DirectBuffer key,
            final int keyOffset,
            final int keyLength,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final boolean isDelta,
            final long expirationMs,
            final long publisherSequence,
            final int ackTypes) {
        writeStateBlock(frame, index, isDelta ? OPTION_DELTA : 0, expirationMs, 0, publisherSequence, ackTypes);
        final int topicAt = index + STATE_TOPIC_OFFSET;
        frame.putShort(topicAt - SIZE_OF_SHORT, (short) topicLength, ByteOrder.LITTLE_ENDIAN);
        frame.putBytes(topicAt, topic, topicOffset, topicLength);
        final int keyAt = topicAt + topicLength + SIZE_OF_SHORT;
        frame.putShort(keyAt - SIZE_OF_SHORT, (short) keyLength, ByteOrder.LITTLE_ENDIAN);
        frame.putBytes(keyAt, key, keyOffset, keyLength);
        writePayload(frame, keyAt + keyLength, payload, offset, length);
    }

    private static void writeStateBlock(
            final MutableDirectBuffer frame,
            final int index,
            final PublishOptions options,
            final long publisherSequence,
            final int ackTypes) {
        writeStateBlock(
                frame,
                index,
                (options.isDelta() ? OPTION_DELTA : 0) | (options.isRequest() ? OPTION_REQUEST : 0),
                options.expirationMs(),
                options.headers().length(),
                publisherSequence,
                ackTypes);
    }

    private static void writeStateBlock(
            final MutableDirectBuffer frame,
            final int index,
            final int options,
            final long expirationMs,
            final int headersLength,
            final long publisherSequence,
            final int ackTypes) {
        FrameHeader.write(frame, index, PublishStateEncoder.BLOCK_LENGTH, PublishStateEncoder.TEMPLATE_ID);
        frame.putLong(index + COMMAND_ID_OFFSET, 0L, ByteOrder.LITTLE_ENDIAN);
        frame.putLong(index + SEQUENCE_OFFSET, publisherSequence, ByteOrder.LITTLE_ENDIAN);
        frame.putByte(index + ACK_TYPES_OFFSET, (byte) ackTypes);
        frame.putByte(index + FrameHeader.LENGTH + PublishStateEncoder.optionsEncodingOffset(), (byte) options);
        frame.putShort(
                index + FrameHeader.LENGTH + PublishStateEncoder.headersLengthEncodingOffset(),
                (short) headersLength,
                ByteOrder.LITTLE_ENDIAN);
        frame.putLong(
                index + FrameHeader.LENGTH + PublishStateEncoder.expirationMsEncodingOffset(),
                expirationMs,
                ByteOrder.LITTLE_ENDIAN);
    }

    private static void writeBlock(
            final MutableDirectBuffer frame,
            final int index,
            final int topicLength,
            final long publisherSequence,
            final int ackTypes) {
        final long block = CheckedRange.address(frame, index, TOPIC_OFFSET);
        CheckedRange.putLong(frame, block, FrameHeader.header(PublishEncoder.BLOCK_LENGTH, PublishEncoder.TEMPLATE_ID));
        CheckedRange.putLong(frame, block + COMMAND_ID_OFFSET, 0L);
        CheckedRange.putLong(frame, block + SEQUENCE_OFFSET, publisherSequence);
        CheckedRange.putByte(frame, block + ACK_TYPES_OFFSET, (byte) ackTypes);
        CheckedRange.putShort(frame, block + TOPIC_LENGTH_OFFSET, (short) topicLength);
    }

    private static void writePayload(
            final MutableDirectBuffer frame,
            final int index,
            final DirectBuffer payload,
            final int offset,
            final int length) {
        frame.putInt(index, length, ByteOrder.LITTLE_ENDIAN);
        frame.putBytes(index + SIZE_OF_INT, payload, offset, length);
    }
}
