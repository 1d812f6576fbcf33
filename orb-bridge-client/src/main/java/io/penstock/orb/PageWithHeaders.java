package io.penstock.orb;

import java.io.Serializable;

/** Records of a query with their headers. Immutable as long as nobody writes to {@link #records()}. */
public final class PageWithHeaders implements Serializable {
    private static final long serialVersionUID = 1L;

    private final DeliveryWithHeaders[] records;
    private final boolean isComplete;

    /**
     * Makes a page.
     *
     * @param records    in the order that was asked for; not copied.
     * @param isComplete whether these were the last.
     */
    public PageWithHeaders(final DeliveryWithHeaders[] records, final boolean isComplete) {
        this.records = records;
        this.isComplete = isComplete;
    }

    /**
     * The records, in the order that was asked for.
     *
     * @return the array itself, not a copy.
     */
    public DeliveryWithHeaders[] records() {
        return records;
    }

    /**
     * Whether these were the last.
     *
     * @return true when the query is closed.
     */
    public boolean isComplete() {
        return isComplete;
    }
}
