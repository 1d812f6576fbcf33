package io.penstock.orb.chunk;

import java.nio.charset.StandardCharsets;

/**
 * The layout of a frame; numbers are big-endian.
 *
 * <pre>
 *   0       1       2               4                               8
 *   +-------+-------+---------------+-------------------------------+----------------+
 *   | type  | flags | length        | stream                        | length bytes   |
 *   +-------+-------+---------------+-------------------------------+----------------+
 * </pre>
 */
public final class ChunkFrame {
    /** Longest frame in bytes, header included: what a TCP-class connection is best given at once. */
    public static final int LENGTH_MAX = 64 * 1024;
    /** Bytes before the payload. */
    public static final int HEADER_LENGTH = 8;
    /** Longest payload of a frame in bytes. */
    public static final int PAYLOAD_LENGTH_MAX = LENGTH_MAX - HEADER_LENGTH;

    /** Bytes of a stream. */
    public static final int DATA = 1;
    /** Credit: four bytes with how many more bytes of the stream may be sent. */
    public static final int WINDOW = 2;
    /** The stream is given up; the payload says why, in UTF-8. */
    public static final int RESET = 3;
    /** The connection ends; the payload says why, in UTF-8. Of stream 0. */
    public static final int CLOSE = 4;

    /** In {@link #DATA} of the side that connected: the stream begins. */
    public static final int BEGIN = 1;
    /** In {@link #DATA} of the other side: everything is answered, and the stream is over. */
    public static final int TURN = 2;
    /** In {@link #DATA}: its sender waits for the other side now, which has to read everything sent so far. */
    public static final int FLUSH = 4;

    static final int CREDIT_LENGTH = 4;
    static final int REASON_LENGTH_MAX = 512;

    private ChunkFrame() {}

    /** Writes a header. */
    static void put(
            final byte[] bytes, final int at, final int type, final int flags, final int length, final int stream) {
        bytes[at] = (byte) type;
        bytes[at + 1] = (byte) flags;
        bytes[at + 2] = (byte) (length >> 8);
        bytes[at + 3] = (byte) length;
        putInt(bytes, at + 4, stream);
    }

    /** A whole frame that says why. */
    static byte[] withReason(final int type, final int stream, final String reason) {
        final byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        final int length = Math.min(text.length, REASON_LENGTH_MAX);
        final byte[] frame = new byte[HEADER_LENGTH + length];
        put(frame, 0, type, 0, length, stream);
        System.arraycopy(text, 0, frame, HEADER_LENGTH, length);
        return frame;
    }

    static int payloadLength(final byte[] bytes, final int at) {
        return ((bytes[at + 2] & 0xFF) << 8) | (bytes[at + 3] & 0xFF);
    }

    static void putInt(final byte[] bytes, final int at, final int value) {
        bytes[at] = (byte) (value >> 24);
        bytes[at + 1] = (byte) (value >> 16);
        bytes[at + 2] = (byte) (value >> 8);
        bytes[at + 3] = (byte) value;
    }

    static int getInt(final byte[] bytes, final int at) {
        return ((bytes[at] & 0xFF) << 24)
                | ((bytes[at + 1] & 0xFF) << 16)
                | ((bytes[at + 2] & 0xFF) << 8)
                | (bytes[at + 3] & 0xFF);
    }
}
