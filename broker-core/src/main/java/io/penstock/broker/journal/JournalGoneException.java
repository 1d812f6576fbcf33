package io.penstock.broker.journal;

import java.io.IOException;

/** A record is not in the log any more: retention has removed its file. */
public final class JournalGoneException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * Makes the exception.
     *
     * @param shard    whose log it is.
     * @param sequence of the record.
     * @param first    sequence that the log begins with.
     */
    JournalGoneException(final int shard, final long sequence, final long first) {
        super("journal: record " + sequence + " of shard " + shard + " is not in the log any more: it begins at "
                + first);
    }
}
