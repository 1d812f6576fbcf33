package io.penstock.broker.journal;

import java.io.IOException;

/**
 * Bytes that were on stable storage have changed. The message names the file, the sequence and the place, and what to
 * do.
 */
public final class JournalCorruptException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean ofHead;

    /**
     * Makes the exception.
     *
     * @param path     of the file.
     * @param position in the file.
     * @param sequence of the record that should be there, or 0 when the file's head is meant.
     * @param reason   what is wrong with it.
     */
    public JournalCorruptException(final String path, final long position, final long sequence, final String reason) {
        super("journal: corrupt: " + path + ": " + (sequence > 0 ? "record " + sequence + " " : "") + "at byte "
                + position + ": " + reason + " (restore the file from a copy, or see the operating guide on recovery)");
        ofHead = sequence == 0;
    }

    /** Whether a file's head is damaged, so that nothing of the file can be relied on. */
    boolean isOfHead() {
        return ofHead;
    }
}
