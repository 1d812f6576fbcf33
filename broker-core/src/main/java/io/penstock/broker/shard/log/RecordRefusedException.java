package io.penstock.broker.shard.log;

/** A record that is as it was written cannot be applied: what it says is not possible. The message says why. */
public final class RecordRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Makes the exception.
     *
     * @param reason what is wrong with the record.
     */
    public RecordRefusedException(final String reason) {
        super(reason);
    }
}
