package io.penstock.broker.journal;

import java.io.IOException;

/**
 * One file of a shard's log, named after its first record. Immutable.
 *
 * @param firstSequence of its records.
 * @param index         where its records are, in steps.
 */
record JournalFile(long firstSequence, SparseIndex index) {
    private static final String SUFFIX = ".log";
    private static final int DIGITS = 19;

    String name() {
        return name(firstSequence);
    }

    /** The name of the file whose first record has a sequence. */
    static String name(final long firstSequence) {
        final String digits = Long.toString(firstSequence);
        return "0".repeat(DIGITS - digits.length()) + digits + SUFFIX;
    }

    /** The sequence in a name, or 0 when it is no journal file's. */
    static long firstSequence(final String name) throws IOException {
        if (name.length() != DIGITS + SUFFIX.length() || !name.endsWith(SUFFIX)) {
            return 0;
        }
        final String digits = name.substring(0, DIGITS);
        for (int i = 0; i < DIGITS; i++) {
            if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
                return 0;
            }
        }
        try {
            return Long.parseLong(digits);
        } catch (final NumberFormatException e) {
            throw new IOException("journal: sequence out of range in a file's name: " + name, e);
        }
    }
}
