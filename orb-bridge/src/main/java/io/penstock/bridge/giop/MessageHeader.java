package io.penstock.bridge.giop;

import io.netty.buffer.ByteBuf;

/**
 * The header of a message.
 *
 * <pre>
 *   0  "GIOP"
 *   4  major version, 1
 *   5  minor version, 0 to 2
 *   6  flags: 1 = little endian; 2 = fragments follow, from 1.1 on
 *   7  type
 *   8  length of what follows this header (4)
 * </pre>
 *
 * @param minor          version, 0 to 2.
 * @param isLittleEndian of all that follows, and of the length.
 * @param hasMore        whether fragments follow.
 * @param type           one of {@link MessageType}.
 * @param length         of what follows the header, in bytes.
 */
public record MessageHeader(int minor, boolean isLittleEndian, boolean hasMore, int type, long length) {
    /** Length in bytes. */
    public static final int LENGTH = 12;

    /** With which the data of a message, and each fragment but the last of 1.2, is aligned, in bytes. */
    public static final int BODY_ALIGNMENT = 8;

    static final int MINOR_MAX = 2;
    static final int FRAGMENT_ID_LENGTH = 4;

    private static final int MAGIC = 0x47494F50;
    private static final int LITTLE_ENDIAN = 1;
    private static final int MORE = 2;
    private static final int LENGTH_OFFSET = 8;

    static MessageHeader read(final ByteBuf head) throws ProtocolException {
        if (head.getInt(0) != MAGIC) {
            throw new ProtocolException("not GIOP: 0x" + Integer.toHexString(head.getInt(0)));
        }
        final int major = head.getByte(4);
        final int minor = head.getByte(5);
        if (major != 1 || minor < 0 || minor > MINOR_MAX) {
            throw new ProtocolException("no such version: " + major + "." + minor + " (use 1.0 to 1.2)");
        }
        final int flags = head.getByte(6);
        if (minor == 0 && (flags & ~LITTLE_ENDIAN) != 0) {
            throw new ProtocolException("no such byte order: " + flags);
        }
        final int type = head.getByte(7);
        if (type < 0 || type > (minor == 0 ? MessageType.MESSAGE_ERROR : MessageType.FRAGMENT)) {
            throw new ProtocolException("no such type of message: " + type);
        }
        final boolean isLittleEndian = (flags & LITTLE_ENDIAN) != 0;
        final long length = isLittleEndian ? head.getUnsignedIntLE(LENGTH_OFFSET) : head.getUnsignedInt(LENGTH_OFFSET);
        return new MessageHeader(minor, isLittleEndian, (flags & MORE) != 0, type, length);
    }

    void write(final ByteBuf out) {
        out.writeInt(MAGIC);
        out.writeByte(1);
        out.writeByte(minor);
        out.writeByte((isLittleEndian ? LITTLE_ENDIAN : 0) | (hasMore ? MORE : 0));
        out.writeByte(type);
        if (isLittleEndian) {
            out.writeIntLE((int) length);
        } else {
            out.writeInt((int) length);
        }
    }

    /** Whether it is the first or only part of something that has a number. */
    boolean mayHaveMore() {
        return switch (type) {
            case MessageType.REQUEST, MessageType.REPLY -> minor >= 1;
            case MessageType.LOCATE_REQUEST, MessageType.LOCATE_REPLY -> minor >= 2;
            case MessageType.FRAGMENT -> true;
            default -> false;
        };
    }
}
