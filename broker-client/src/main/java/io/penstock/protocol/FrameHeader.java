package io.penstock.protocol;

import static org.agrona.BitUtil.SIZE_OF_SHORT;

import io.penstock.protocol.codec.MessageHeaderEncoder;
import java.nio.ByteOrder;
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

    private FrameHeader() {}

    public static int blockLength(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + BLOCK_LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    public static int templateId(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + TEMPLATE_ID_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    public static int schemaId(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + SCHEMA_ID_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    public static int version(final DirectBuffer buffer, final int offset) {
        return buffer.getShort(offset + VERSION_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
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
        buffer.putShort(offset + BLOCK_LENGTH_OFFSET, (short) blockLength, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(offset + TEMPLATE_ID_OFFSET, (short) templateId, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(offset + SCHEMA_ID_OFFSET, (short) SCHEMA_ID, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(offset + VERSION_OFFSET, (short) VERSION, ByteOrder.LITTLE_ENDIAN);
    }
}
