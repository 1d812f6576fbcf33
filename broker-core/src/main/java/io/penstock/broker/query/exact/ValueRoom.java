package io.penstock.broker.query.exact;

/**
 * How much memory the different values of all groups may take. What they take is reckoned from their number and lengths, so
 * that it depends on the values alone. Confined to one agent.
 */
public final class ValueRoom {
    private final long lengthMax;
    private final NumberStir stir = new NumberStir();
    private long length;

    /**
     * Makes it, all of it free.
     *
     * @param lengthMax in bytes.
     */
    public ValueRoom(final long lengthMax) {
        this.lengthMax = lengthMax;
    }

    /**
     * Whether it is used up: no message is added any more.
     *
     * @return false while more values may come.
     */
    public boolean isFull() {
        return length >= lengthMax;
    }

    /**
     * How much may be taken, and a little more by the last value.
     *
     * @return bytes.
     */
    public long lengthMax() {
        return lengthMax;
    }

    /**
     * How much is taken.
     *
     * @return bytes, about.
     */
    public long length() {
        return length;
    }

    /** Of the numbers that are kept in it, so that those of another room come in no order of its tables. */
    NumberStir stir() {
        return stir;
    }

    /** Takes some, also the last that there is and more than that. */
    void take(final long taken) {
        length += taken;
    }

    /** Gives some back. */
    void give(final long given) {
        length -= given;
    }
}
