package io.penstock.broker.shard.store;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Versions that a query has found, by their keys and sequences: so they are known when the query looks at them no more, and
 * anywhere else that has the same log. Confined to one agent at a time.
 *
 * <pre>
 *   0   sequence
 *   8   length of the key
 *   12  key
 * </pre>
 */
public final class FoundVersions {
    /** How long all of them may be together, in bytes. */
    public static final int LENGTH_MAX =
            (int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / 16);

    private static final int KEY_LENGTH_OFFSET = Long.BYTES;
    private static final int KEY_OFFSET = KEY_LENGTH_OFFSET + Integer.BYTES;

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private int length;
    private int count;

    /** None so far. */
    public FoundVersions() {}

    /**
     * Adds a version.
     *
     * @param sequence  of the version.
     * @param key       buffer that holds its key.
     * @param offset    of the key.
     * @param keyLength in bytes.
     */
    public void add(final long sequence, final DirectBuffer key, final int offset, final int keyLength) {
        buffer.putLong(length, sequence, LITTLE_ENDIAN);
        buffer.putInt(length + KEY_LENGTH_OFFSET, keyLength, LITTLE_ENDIAN);
        buffer.putBytes(length + KEY_OFFSET, key, offset, keyLength);
        length += KEY_OFFSET + keyLength;
        count++;
    }

    /** Whether there are more than may be: no others are to be added but the rest of a page. */
    public boolean isFull() {
        return length > LENGTH_MAX;
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    /** Where the last one ends; the first one is at 0. */
    public int length() {
        return length;
    }

    /** Holds the keys. */
    public DirectBuffer buffer() {
        return buffer;
    }

    /** The sequence of the version at a place. */
    public long sequence(final int at) {
        return buffer.getLong(at, LITTLE_ENDIAN);
    }

    /** Where its key is in the buffer. */
    public int keyOffset(final int at) {
        return at + KEY_OFFSET;
    }

    /** Length of its key in bytes. */
    public int keyLength(final int at) {
        return buffer.getInt(at + KEY_LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    /** The place of the version after one. */
    public int next(final int at) {
        return at + KEY_OFFSET + keyLength(at);
    }
}
