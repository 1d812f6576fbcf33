package io.penstock.broker.session.feed;

import io.penstock.broker.shard.match.NumberTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that feeds had before they got another filter, as long as something that was matched by the earlier one may lie
 * in a ring. Confined to one I/O agent.
 */
public final class ChangedFeeds {
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final NumberTable<Change> byNumber = new NumberTable<>();
    private final List<Change> all = new ArrayList<>();

    /** One feed's change. */
    private static final class Change {
        private final long number;
        private final int shard;
        private SubscriptionFeed next;
        private long ringLimit = UNKNOWN;

        private Change(final long number, final SubscriptionFeed next) {
            this.number = number;
            this.next = next;
            shard = next.interest().shard();
        }
    }

    /** Where the ring from a shard was read up to. */
    @FunctionalInterface
    public interface RingPositions {
        /** Returns the position, or {@link Long#MAX_VALUE} when there is no ring. */
        long consumed(int shard);
    }

    /** Whether no ring has anything of an earlier filter. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** A feed goes on as another one. */
    public void add(final SubscriptionFeed earlier, final SubscriptionFeed next) {
        for (int i = 0, size = all.size(); i < size; i++) {
            if (all.get(i).next == earlier) {
                all.get(i).next = next;
            }
        }
        final Change change = new Change(earlier.interest().feed(), next);
        all.add(change);
        byNumber.put(change.number, change);
    }

    /** The feed that goes on in the place of a number; null when there is none. */
    public @Nullable SubscriptionFeed next(final long number) {
        final Change change = byNumber.get(number);
        return change == null ? null : change.next;
    }

    /** Nothing is offered for a number any more, once a ring was read up to a position. */
    public void endsAt(final long number, final long ringPosition) {
        final Change change = byNumber.get(number);
        if (change != null) {
            change.ringLimit = ringPosition;
        }
    }

    /** What was matched by the earlier filter is served anew, or not at all. */
    public void remove(final long number) {
        final Change change = byNumber.remove(number);
        if (change != null) {
            all.remove(change);
        }
    }

    /** Forgets what all rings have passed, and what went on under yet other numbers, or has ended. */
    public void forget(final NumberTable<SubscriptionFeed> feeds, final RingPositions rings) {
        for (int i = all.size() - 1; i >= 0; i--) {
            final Change change = all.get(i);
            final boolean isPassed = change.ringLimit != UNKNOWN && rings.consumed(change.shard) >= change.ringLimit;
            if (isPassed || feeds.get(change.next.interest().feed()) != change.next) {
                all.remove(i);
                byNumber.remove(change.number);
            }
        }
    }
}
