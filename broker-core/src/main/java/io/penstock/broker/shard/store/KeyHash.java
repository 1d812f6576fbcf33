package io.penstock.broker.shard.store;

import org.agrona.UnsafeApi;
import org.jspecify.annotations.Nullable;

/** Hashes keys. Which rows keys get does not depend on it. */
@FunctionalInterface
interface KeyHash {
    /** Good in all bits; eight bytes a step. */
    KeyHash DEFAULT = KeyHash::mixed;

    /**
     * Hashes bytes as {@code UnsafeApi} finds them.
     *
     * @param base   array, or null when the offset is an address.
     * @param offset in it.
     * @param length in bytes.
     * @return hash.
     */
    int hash(byte @Nullable [] base, long offset, int length);

    private static int mixed(final byte @Nullable [] base, final long offset, final int length) {
        long hash = length * 0x9E3779B97F4A7C15L;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            hash = step(hash, word(base, offset + i));
        }
        long rest = 0;
        for (; i < length; i++) {
            rest = (rest << Byte.SIZE) | (octet(base, offset + i) & 0xFF);
        }
        hash = step(hash, rest);
        hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return (int) (hash ^ (hash >>> 32));
    }

    private static long step(final long hash, final long word) {
        final long mixed = (hash ^ word) * 0xFF51AFD7ED558CCDL;
        return mixed ^ (mixed >>> 32);
    }

    /** Whether bytes are the same as others. */
    static boolean isSame(final byte @Nullable [] base, final long offset, final long address, final int length) {
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if (word(base, offset + i) != UnsafeApi.getLong(address + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (octet(base, offset + i) != UnsafeApi.getByte(address + i)) {
                return false;
            }
        }
        return true;
    }

    private static long word(final byte @Nullable [] base, final long offset) {
        return base == null ? UnsafeApi.getLong(offset) : UnsafeApi.getLong(base, offset);
    }

    private static byte octet(final byte @Nullable [] base, final long offset) {
        return base == null ? UnsafeApi.getByte(offset) : UnsafeApi.getByte(base, offset);
    }
}
