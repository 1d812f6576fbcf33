package io.penstock.broker.topic;

/**
 * That a view is computed from the last messages of its source, and not from its records. Immutable.
 *
 * @param messageCount      messages of the source that it is about, in all; 0 for any number.
 * @param groupMessageCount messages that each group is about; 0 for any number.
 * @param timeNs            how long a message counts after the broker took it, in nanoseconds; 0 for ever.
 * @param lengthMax         bytes of memory for the messages.
 */
public record WindowRule(long messageCount, long groupMessageCount, long timeNs, long lengthMax) {
    /** The view is computed from records. */
    public static final WindowRule NONE = new WindowRule(0, 0, 0, 0);

    /**
     * Whether messages leave at all.
     *
     * @return false when the view is computed from records.
     */
    public boolean isUsed() {
        return messageCount > 0 || groupMessageCount > 0 || timeNs > 0;
    }
}
