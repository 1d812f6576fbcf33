package io.penstock.broker.query.exact;

import io.penstock.protocol.scram.ScramKeys;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Makes the hashes of values that clients publish other ones in each process, so that nobody can choose values that all lie in
 * one place of a table. Nothing is found in an order that depends on it.
 */
public final class SecretHash {
    private static final long START = secret();

    /** Odd, so that no number is lost by it. */
    private static final long FACTOR = secret() | 1;

    private SecretHash() {}

    /** A number that nobody can guess. */
    static long secret() {
        return ByteBuffer.wrap(ScramKeys.random(Long.BYTES)).getLong();
    }

    /**
     * A hash of bytes.
     *
     * @param bytes  holding them.
     * @param offset of the first.
     * @param length count of them.
     * @return the same for equal bytes, in this process.
     */
    public static int of(final DirectBuffer bytes, final int offset, final int length) {
        long hash = START + length;
        int at = offset;
        final int end = offset + length;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            hash = mix(hash ^ bytes.getLong(at, ByteOrder.LITTLE_ENDIAN));
        }
        long rest = 0;
        for (; at < end; at++) {
            rest = (rest << Byte.SIZE) | (bytes.getByte(at) & 0xFF);
        }
        hash = mix(hash ^ rest);
        return (int) (hash ^ (hash >>> Integer.SIZE));
    }

    /**
     * A hash of an integer.
     *
     * @param number the integer.
     * @return the same for equal ones, in this process.
     */
    public static int of(final long number) {
        final long hash = mix(START ^ number);
        return (int) (hash ^ (hash >>> Integer.SIZE));
    }

    /** Both halves of the product: of its low half alone, two differences of numbers can make up for each other. */
    private static long mix(final long hash) {
        return (hash * FACTOR) ^ Math.multiplyHigh(hash, FACTOR);
    }
}
