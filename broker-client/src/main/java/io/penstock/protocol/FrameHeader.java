package io.penstock.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

import io.penstock.protocol.codec.MessageHeaderEncoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Layout of the header that every frame starts with.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-------------------------------+-------------------------------+
 *  |         Block length          |          Template id          |
 *  +-------------------------------+-------------------------------+
 *  |           Schema id           |            Version            |
 *  +-------------------------------+-------------------------------+
 *  |                             Block                            ...
 * </pre>
 *
 * All fields are unsigned and little endian.
 */
public final class FrameHeader {
    /** The schema id of every frame of this protocol. */
    public static final int SCHEMA_ID = MessageHeaderEncoder.SCHEMA_ID;

    /** The version that this code speaks. */
    public static final int VERSION = MessageHeaderEncoder.SCHEMA_VERSION;

    public static final int BLOCK_LENGTH_OFFSET = 0;
    public static final int TEMPLATE_ID_OFFSET = BLOCK_LENGTH_OFFSET + SIZE_OF_SHORT;
    public static final int SCHEMA_ID_OFFSET = TEMPLATE_ID_OFFSET + SIZE_OF_SHORT;
    public static final int VERSION_OFFSET = SCHEMA_ID_OFFSET + SIZE_OF_SHORT;
    public static final int LENGTH = VERSION_OFFSET + SIZE_OF_SHORT;

    private static final long SCHEMA_AND_VERSION =
            ((long) VERSION << (3 * Short.SIZE)) | ((long) SCHEMA_ID << (2 * Short.SIZE));

    private FrameHeader() {}

    /**
     * Reads all of a header at once.
     *
     * @param buffer that has the frame.
     * @param offset of the frame.
     * @return the header, for {@link #blockLength(long)} and so on.
     */
    public static long read(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset, LITTLE_ENDIAN);
    }

    /**
     * The length of the block in bytes.
     *
     * @param header as it was read.
     * @return the field's value.
     */
    public static int blockLength(final long header) {
        return (int) header & 0xFFFF;
    }

    /**
     * The id of the message.
     *
     * @param header as it was read.
     * @return the field's value.
     */
    public static int templateId(final long header) {
        return (int) (header >>> Short.SIZE) & 0xFFFF;
    }

    static int schemaId(final long header) {
        return (int) (header >>> (2 * Short.SIZE)) & 0xFFFF;
    }

    /**
     * The version of the sender's schema.
     *
     * @param header as it was read.
     * @return the field's value.
     */
    public static int version(final long header) {
        return (int) (header >>> (3 * Short.SIZE));
    }

    public static int blockLength(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + BLOCK_LENGTH_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    public static int templateId(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + TEMPLATE_ID_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    public static int schemaId(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + SCHEMA_ID_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    public static int version(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + VERSION_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * Writes a header of this version.
     *
     * @param buffer      to write to.
     * @param offset      of the frame.
     * @param blockLength in bytes.
     * @param templateId  of the message.
     */
    public static void write(
            final MutableDirectBuffer buffer, final int offset, final int blockLength, final int templateId) {
        buffer.putLong(offset, header(blockLength, templateId), LITTLE_ENDIAN);
    }

    /**
     * A header of this version.
     *
     * @param blockLength in bytes.
     * @param templateId  of the message.
     * @return all of it, to be written as 64 bits.
     */
    public static long header(final int blockLength, final int templateId) {
        return SCHEMA_AND_VERSION | ((long) templateId << Short.SIZE) | blockLength;
    }
}
