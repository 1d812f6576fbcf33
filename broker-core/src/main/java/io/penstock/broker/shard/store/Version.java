package io.penstock.broker.shard.store;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * A version: a key's message from one sequence up to the next change of its key. It lies at an address, never changes,
 * and stays there while a snapshot that may meet it is open; an address that was obtained under a snapshot must not be
 * used after the snapshot was closed. Any thread may read.
 *
 * <pre>
 *   -24     -16    -8        0          8           16    20           24               28
 *   +-------+------+---------+----------+-----------+-----+------------+----------------+-----+---------+---------+
 *   | older | link | expires | sequence | timestamp | row | key length | message length | key | message | headers |
 *   +-------+------+---------+----------+-----------+-----+------------+----------------+-----+---------+---------+
 * </pre>
 *
 * <p>The key length has 15 bits, and the next 15 bits are the length of the headers, which is 0 for a message without any.
 *
 * <p>What lies before the address is there only when it is needed, as the two highest bits of the key length say:
 * {@code expires} in a version that does, {@code older} and {@code link} (then 8 bytes further right when there is no
 * {@code expires}) in one that replaced a version which a snapshot needed. {@code older} is 0 again when that is gone.
 */
public final class Version {
    private static final int SEQUENCE_OFFSET = 0;
    private static final int TIMESTAMP_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
    private static final int ROW_OFFSET = TIMESTAMP_OFFSET + Long.BYTES;
    private static final int KEY_LENGTH_OFFSET = ROW_OFFSET + Integer.BYTES;
    private static final int MESSAGE_LENGTH_OFFSET = KEY_LENGTH_OFFSET + Integer.BYTES;

    static final int HEADER_LENGTH = MESSAGE_LENGTH_OFFSET + Integer.BYTES;

    private static final int KEY_OFFSET = HEADER_LENGTH;
    private static final int EXPIRES_LENGTH = Long.BYTES;
    private static final int CHAIN_LENGTH = 2 * Long.BYTES;

    static final int EXTENSION_LENGTH_MAX = CHAIN_LENGTH + EXPIRES_LENGTH;

    private static final int CHAINED = 1 << 31;
    private static final int EXPIRES = 1 << 30;
    private static final int HEADERS_LENGTH_SHIFT = 15;
    private static final int KEY_LENGTH_MASK = (1 << HEADERS_LENGTH_SHIFT) - 1;
    private static final int HEADERS_LENGTH_MASK = KEY_LENGTH_MASK;

    /** The longest key, in bytes. */
    public static final int KEY_LENGTH_MAX = KEY_LENGTH_MASK;

    private Version() {}

    /**
     * The sequence of the change that made the version.
     *
     * @param address of the version.
     * @return sequence.
     */
    public static long sequence(final long address) {
        return UnsafeApi.getLong(address + SEQUENCE_OFFSET);
    }

    /**
     * When the message was published.
     *
     * @param address of the version.
     * @return nanoseconds of the clock that the writer used.
     */
    public static long timestampNs(final long address) {
        return UnsafeApi.getLong(address + TIMESTAMP_OFFSET);
    }

    /**
     * When the version expires.
     *
     * @param address of the version.
     * @return nanoseconds of the clock that the writer used; {@code Long.MAX_VALUE} when it does not.
     */
    public static long expiresNs(final long address) {
        return (flags(address) & EXPIRES) == 0 ? Long.MAX_VALUE : UnsafeApi.getLong(address - EXPIRES_LENGTH);
    }

    /**
     * The row of the key.
     *
     * @param address of the version.
     * @return row.
     */
    public static int row(final long address) {
        return UnsafeApi.getInt(address + ROW_OFFSET);
    }

    /**
     * The length of the key.
     *
     * @param address of the version.
     * @return bytes.
     */
    public static int keyLength(final long address) {
        return flags(address) & KEY_LENGTH_MASK;
    }

    /**
     * The length of the message.
     *
     * @param address of the version.
     * @return bytes.
     */
    public static int messageLength(final long address) {
        return UnsafeApi.getInt(address + MESSAGE_LENGTH_OFFSET);
    }

    /**
     * The length of the headers.
     *
     * @param address of the version.
     * @return bytes; 0 for a message without any.
     */
    public static int headersLength(final long address) {
        return (flags(address) >>> HEADERS_LENGTH_SHIFT) & HEADERS_LENGTH_MASK;
    }

    /**
     * Where the key is.
     *
     * @param address of the version.
     * @return address of {@link #keyLength} bytes.
     */
    public static long keyAddress(final long address) {
        return address + KEY_OFFSET;
    }

    /**
     * Where the message is.
     *
     * @param address of the version.
     * @return address of {@link #messageLength} bytes.
     */
    public static long messageAddress(final long address) {
        return address + KEY_OFFSET + keyLength(address);
    }

    /**
     * Lets a buffer show the key.
     *
     * @param view    that is wrapped around the bytes; good for as long as the address is.
     * @param address of the version.
     */
    public static void wrapKey(final DirectBuffer view, final long address) {
        view.wrap(keyAddress(address), keyLength(address));
    }

    /**
     * Lets a buffer show the message.
     *
     * @param view    that is wrapped around the bytes; good for as long as the address is.
     * @param address of the version.
     */
    public static void wrapMessage(final DirectBuffer view, final long address) {
        view.wrap(messageAddress(address), messageLength(address));
    }

    /**
     * Lets a buffer show the message and the headers after it.
     *
     * @param view    that is wrapped around the bytes; good for as long as the address is.
     * @param address of the version.
     */
    public static void wrapContent(final DirectBuffer view, final long address) {
        view.wrap(messageAddress(address), contentLength(address));
    }

    /**
     * Lets a buffer show the headers.
     *
     * @param view    that is wrapped around the bytes, none when there are no headers; good for as long as the address is.
     * @param address of the version.
     */
    public static void wrapHeaders(final DirectBuffer view, final long address) {
        view.wrap(messageAddress(address) + messageLength(address), headersLength(address));
    }

    /** The bytes before the address. */
    static int extensionLength(final boolean isChained, final long expiresNs) {
        return (isChained ? CHAIN_LENGTH : 0) + (expiresNs == Long.MAX_VALUE ? 0 : EXPIRES_LENGTH);
    }

    /** The most bytes that the block of a version takes. */
    static long blockLengthMax(final int keyLength, final int contentLength) {
        return (long) EXTENSION_LENGTH_MAX + HEADER_LENGTH + keyLength + contentLength;
    }

    /** The bytes of the block that a version is given. A long one takes the most, so that all ask for the same pages. */
    static long blockLength(final int keyLength, final int contentLength, final int extensionLength) {
        final long lengthMax = blockLengthMax(keyLength, contentLength);
        return lengthMax > SizeClasses.LENGTH_MAX ? lengthMax : lengthMax - EXTENSION_LENGTH_MAX + extensionLength;
    }

    /** Writes everything but the key, the message and the headers. */
    static void format(
            final long address,
            final int row,
            final int keyLength,
            final int messageLength,
            final int headersLength,
            final long sequence,
            final long timestampNs,
            final long expiresNs,
            final long older) {
        UnsafeApi.putLong(address + SEQUENCE_OFFSET, sequence);
        UnsafeApi.putLong(address + TIMESTAMP_OFFSET, timestampNs);
        UnsafeApi.putInt(address + ROW_OFFSET, row);
        UnsafeApi.putInt(address + MESSAGE_LENGTH_OFFSET, messageLength);
        int flags = keyLength | (headersLength << HEADERS_LENGTH_SHIFT);
        if (expiresNs != Long.MAX_VALUE) {
            flags |= EXPIRES;
            UnsafeApi.putLong(address - EXPIRES_LENGTH, expiresNs);
        }
        if (older != 0) {
            flags |= CHAINED;
            UnsafeApi.putLong(chain(address, flags), older);
            UnsafeApi.putLong(chain(address, flags) + Long.BYTES, 0);
        }
        UnsafeApi.putInt(address + KEY_LENGTH_OFFSET, flags);
    }

    /** Writes the key of a version that has its format. */
    static void putKey(final long address, final DirectBuffer source, final int offset, final int length) {
        copy(source, offset, length, keyAddress(address));
    }

    /** Writes the message, and the headers after it, of a version that has its format. */
    static void putContent(final long address, final DirectBuffer source, final int offset, final int length) {
        copy(source, offset, length, messageAddress(address));
    }

    private static void copy(final DirectBuffer source, final int offset, final int length, final long target) {
        UnsafeApi.copyMemory(source.byteArray(), source.addressOffset() + offset, null, target, length);
    }

    /** The length of the message and the headers after it. */
    static int contentLength(final long address) {
        return messageLength(address) + headersLength(address);
    }

    /** Where the block of the version begins. */
    static long block(final long address) {
        final int flags = flags(address);
        return (flags & CHAINED) == 0 ? expiry(address, flags) : chain(address, flags);
    }

    /** All bytes of the version. */
    static long length(final long address) {
        return messageAddress(address) + contentLength(address) - block(address);
    }

    /** The version that this one replaced, or 0 when it was freed. */
    static long older(final long address) {
        final int flags = flags(address);
        return (flags & CHAINED) == 0 ? 0 : UnsafeApi.getLongAcquire(null, chain(address, flags));
    }

    /** Cuts the chain behind a version whose {@link #older} one goes. */
    static void unchain(final long address) {
        UnsafeApi.putLongRelease(null, chain(address, flags(address)), 0);
    }

    /** Where the queue of what is kept goes on, for a version that has an {@link #older} one. */
    static long linkAddress(final long address) {
        return chain(address, flags(address)) + Long.BYTES;
    }

    /** Reads from all that a put touches of the version that it replaces, and of the memory that it leaves. */
    static long lookAt(final long address) {
        return (long) flags(address) + Page.kind(Page.of(address));
    }

    private static int flags(final long address) {
        return UnsafeApi.getInt(address + KEY_LENGTH_OFFSET);
    }

    private static long expiry(final long address, final int flags) {
        return (flags & EXPIRES) == 0 ? address : address - EXPIRES_LENGTH;
    }

    private static long chain(final long address, final int flags) {
        return expiry(address, flags) - CHAIN_LENGTH;
    }
}
