package io.penstock.broker.session.feed;

import io.penstock.format.FieldSelection;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A copy of a record without what is hidden from a client, of which parts are sent, and of what it was made.
 *
 * @param record   the copy.
 * @param feed     that it is for.
 * @param sequence of the record; 0 for a derived one.
 * @param position of the record, as its descriptor says.
 * @param hidden   fields that were left out.
 */
public record CutCopy(UnsafeBuffer record, SubscriptionFeed feed, long sequence, long position, FieldSelection hidden) {
    /** Whether it is what would be made of a record now. */
    public boolean isOf(
            final SubscriptionFeed of, final long ofSequence, final long ofPosition, final FieldSelection without) {
        return feed == of && sequence == ofSequence && position == ofPosition && hidden.equals(without);
    }
}
