package io.penstock.broker.shard.match.index;

import io.penstock.protocol.scram.ScramKeys;
import java.nio.ByteBuffer;

/**
 * Makes the hashes of what clients choose other ones in each process, so that nobody can choose filters that all lie in one
 * bucket, or far below each other. Nothing is found in an order that depends on it.
 */
public final class HashSeed {
    /** Odd, so that no number is lost by it. */
    static final long MULTIPLIER = secret() | 1;

    private static final long ADDEND = secret();
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private HashSeed() {}

    /** All its bits are such as keys are made of. */
    private static long secret() {
        return ByteBuffer.wrap(ScramKeys.random(Long.BYTES)).getLong();
    }

    /** A hash of a number, of which the table mixes the bits: it is asked for at each byte of some texts. */
    static int hash(final long number) {
        return (int) (((number ^ ADDEND) * MULTIPLIER) >>> Integer.SIZE);
    }

    /** A hash that depends on all of two numbers. */
    static int hash(final long first, final long second) {
        final long mixed = (first ^ ADDEND) * MULTIPLIER;
        return mixed(((mixed ^ mixed >>> Integer.SIZE) + second) * MULTIPLIER);
    }

    /**
     * A hash that depends on all of a text.
     *
     * @param text to be found.
     * @return the same for equal texts, in this process.
     */
    public static int hash(final String text) {
        long hash = ADDEND;
        for (int i = 0, length = text.length(); i < length; i++) {
            hash = (hash + text.charAt(i)) * MULTIPLIER;
        }
        return mixed(hash);
    }

    private static int mixed(final long hash) {
        return (int) (((hash ^ hash >>> Integer.SIZE) * FACTOR) >>> Integer.SIZE);
    }
}
