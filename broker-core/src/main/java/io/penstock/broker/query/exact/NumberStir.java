package io.penstock.broker.query.exact;

/**
 * Puts other numbers in the place of numbers, by a secret, so that nobody can choose some that all lie in one place of a table
 * which mixes the bits of its keys by a known rule. Immutable.
 */
final class NumberStir {
    private final long secret = SecretHash.secret();

    /** Odd, so that no number is lost by it. */
    private final long factor = SecretHash.secret() | 1;

    private final long inverse = inverse(factor);

    /** The number by which the product is 1. Each step makes twice as many of its bits right, of which 3 are at first. */
    private static long inverse(final long odd) {
        long inverse = odd;
        for (int rightBits = 3; rightBits < Long.SIZE; rightBits *= 2) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /** What is in the place of a number. */
    long stirred(final long number) {
        final long product = (number ^ secret) * factor;
        return (product ^ (product >>> Integer.SIZE)) * factor;
    }

    /** The number in whose place another one is. */
    long number(final long stirred) {
        final long product = stirred * inverse;
        return ((product ^ (product >>> Integer.SIZE)) * inverse) ^ secret;
    }
}
