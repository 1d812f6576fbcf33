package io.penstock.broker.journal;

import org.jspecify.annotations.Nullable;

/**
 * Description of a file of a log, for people.
 *
 * @param name            of the file.
 * @param path            of the file.
 * @param firstSequence   of its records.
 * @param lastSequence    of its records, if another file follows; 0 when only reading the file shows it.
 * @param length          of the file, in bytes.
 * @param marks           what its head says.
 * @param wrong           what is wrong with its head, or null; the marks are all 0 then.
 */
public record LogFile(
        String name,
        String path,
        long firstSequence,
        long lastSequence,
        long length,
        Marks marks,
        @Nullable String wrong) {
    /**
     * Marks that runs have written into a file's head.
     *
     * @param createdNs       when the file was begun, in nanoseconds since 1970.
     * @param epoch           the newest run that has marked it.
     * @param durableSequence the newest record that was on stable storage then.
     * @param next            first sequence of the file that follows; 0 when there was none yet.
     */
    public record Marks(long createdNs, int epoch, long durableSequence, long next) {
        static final Marks NONE = new Marks(0, 0, 0, 0);
    }
}
