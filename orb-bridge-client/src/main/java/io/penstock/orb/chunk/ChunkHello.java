package io.penstock.orb.chunk;

import java.io.IOException;

/**
 * The first message of each side, with its limits. Immutable.
 *
 * <pre>
 *   "PNSK" | version (2) | 0 (2) | frame length (4) | window (4) | streams (4) | idle time in ms (4)
 * </pre>
 */
public final class ChunkHello {
    /** First bytes, which no other protocol of the bridge begins with. */
    public static final int MAGIC = 0x504E534B;
    /** Length in bytes. */
    public static final int LENGTH = 24;

    static final int VERSION = 1;

    private static final int FRAME_LENGTH_MIN = 1024;
    private static final int WINDOW_LENGTH_MIN = 1024;
    private static final int WINDOW_LENGTH_MAX = 16 * 1024 * 1024;
    private static final int STREAM_COUNT_MAX = 1 << 16;

    private final int frameLengthMax;
    private final int windowLength;
    private final int streamCountMax;
    private final int idleTimeoutMs;

    /**
     * States limits.
     *
     * @param frameLengthMax longest frame that is read, in bytes, header included.
     * @param windowLength   bytes that may be sent on a stream before credit.
     * @param streamCountMax streams at once.
     * @param idleTimeoutMs  after which a connection is closed on which nothing comes; 0 = never.
     */
    public ChunkHello(
            final int frameLengthMax, final int windowLength, final int streamCountMax, final int idleTimeoutMs) {
        this.frameLengthMax = frameLengthMax;
        this.windowLength = windowLength;
        this.streamCountMax = streamCountMax;
        this.idleTimeoutMs = idleTimeoutMs;
    }

    /**
     * Reads what the other side says.
     *
     * @param bytes of it.
     * @param at    where it begins.
     * @return what it says.
     * @throws IOException when it is not understood; the text says why.
     */
    public static ChunkHello read(final byte[] bytes, final int at) throws IOException {
        if (ChunkFrame.getInt(bytes, at) != MAGIC) {
            throw new IOException("chunk hello: not one: 0x" + Integer.toHexString(ChunkFrame.getInt(bytes, at))
                    + " (the other side is no Penstock bridge, or an older one)");
        }
        final int version = ((bytes[at + 4] & 0xFF) << 8) | (bytes[at + 5] & 0xFF);
        if (version != VERSION) {
            throw new IOException("chunk hello: version " + version + ", not " + VERSION
                    + " (use a client and a bridge of the same release)");
        }
        final ChunkHello hello = new ChunkHello(
                ChunkFrame.getInt(bytes, at + 8),
                ChunkFrame.getInt(bytes, at + 12),
                ChunkFrame.getInt(bytes, at + 16),
                ChunkFrame.getInt(bytes, at + 20));
        check("frame length", hello.frameLengthMax, FRAME_LENGTH_MIN, ChunkFrame.LENGTH_MAX);
        check("window", hello.windowLength, WINDOW_LENGTH_MIN, WINDOW_LENGTH_MAX);
        check("streams", hello.streamCountMax, 1, STREAM_COUNT_MAX);
        check("idle time", hello.idleTimeoutMs, 0, Integer.MAX_VALUE);
        return hello;
    }

    private static void check(final String name, final int value, final int min, final int max) throws IOException {
        if (value < min || value > max) {
            throw new IOException("chunk hello: " + name + " out of range: " + value + " (" + min + " to " + max + ")");
        }
    }

    /**
     * The encoded hello.
     *
     * @return {@link #LENGTH} bytes.
     */
    public byte[] bytes() {
        final byte[] bytes = new byte[LENGTH];
        ChunkFrame.putInt(bytes, 0, MAGIC);
        bytes[5] = VERSION;
        ChunkFrame.putInt(bytes, 8, frameLengthMax);
        ChunkFrame.putInt(bytes, 12, windowLength);
        ChunkFrame.putInt(bytes, 16, streamCountMax);
        ChunkFrame.putInt(bytes, 20, idleTimeoutMs);
        return bytes;
    }

    public int frameLengthMax() {
        return frameLengthMax;
    }

    public int windowLength() {
        return windowLength;
    }

    public int streamCountMax() {
        return streamCountMax;
    }

    public int idleTimeoutMs() {
        return idleTimeoutMs;
    }
}
