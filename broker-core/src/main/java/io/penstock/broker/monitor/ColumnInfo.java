package io.penstock.broker.monitor;

import io.penstock.broker.topic.Topic;

/**
 * What is known of a column of a topic's records. Immutable.
 *
 * @param topic     whose records it is of.
 * @param field     that it has, as filters write it.
 * @param stay      how long it stays.
 * @param length    of its memory with its texts, in bytes.
 * @param rows      for which it was read; those that have changed since are read again by the next query.
 * @param texts     different ones that it has.
 * @param scans     of queries that have used it so far.
 * @param idleNs    since a scan has used it; negative when none has.
 */
public record ColumnInfo(
        Topic topic, String field, Stay stay, long length, long rows, int texts, long scans, long idleNs) {
    /** How long a column stays. */
    public enum Stay {
        /** The configuration names it, so that it does not give way. */
        NAMED,
        /** Until others need its place. */
        UNNAMED,
        /** It was dropped, and goes once no query uses it. */
        GOING
    }

    /** Whether the configuration names it. */
    public boolean isNamed() {
        return stay == Stay.NAMED;
    }

    /** Whether it was dropped. */
    public boolean isGoing() {
        return stay == Stay.GOING;
    }
}
