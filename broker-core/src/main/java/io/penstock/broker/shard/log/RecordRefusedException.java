package io.penstock.broker.shard.log;

/** An undamaged record cannot be applied, because its content is impossible. The message says why. */
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
