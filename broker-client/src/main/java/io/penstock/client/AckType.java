package io.penstock.client;

/** How far a command has come when the broker acknowledges it. */
public enum AckType {
    /** It has arrived and is well formed. */
    RECEIVED(0),
    /** It is allowed and applied. */
    PROCESSED(1),
    /** It is on stable storage. */
    PERSISTED(2),
    /** It and everything that it started has ended. */
    COMPLETED(3),
    /** The counts of the command. */
    STATS(4);

    private final int code;

    AckType(final int code) {
        this.code = code;
    }

    /**
     * The number on the wire.
     *
     * @return the code, from 0.
     */
    public int code() {
        return code;
    }

    /**
     * This type as a member of a set of types.
     *
     * @return one bit, to be combined with others.
     */
    public int mask() {
        return 1 << code;
    }
}
