package io.penstock.broker.shard.match;

import io.penstock.format.FieldSelection;
import org.jspecify.annotations.Nullable;

/**
 * How a subscription follows the records of a topic with state. Immutable.
 *
 * @param oof          whether it is notified of records that no longer match.
 * @param delta        whether it is sent only what changed of records it knows.
 * @param noEmpties    whether fields that became null or empty are left out.
 * @param selection    of fields to be sent, or null for all.
 * @param conflationNs longest time between two deliveries of one record's changes; 0 for each change.
 * @param conflationKey of changed records with the same values of these fields, only the newest one is sent; null for
 *                      all changed records.
 */
public record FollowOptions(
        boolean oof,
        boolean delta,
        boolean noEmpties,
        @Nullable FieldSelection selection,
        long conflationNs,
        @Nullable FieldSelection conflationKey) {
    /** Whether records are derived for the subscription, once for all that differ only in their filters. */
    boolean isDerived() {
        return delta || selection != null;
    }
}
