package io.penstock.broker.session.feed;

import io.penstock.broker.query.QuerySource;
import java.util.ArrayList;
import java.util.List;

/** The state of a pattern's topics, as shards open it one after the other to be sent again. Confined to one I/O agent. */
public final class OpenedState {
    private final long number;
    private final ClientSubscription subscription;
    private final List<QuerySource> sources = new ArrayList<>();
    private int remaining;

    /**
     * Nothing is opened yet.
     *
     * @param number       never used again.
     * @param subscription whose topics they are.
     */
    public OpenedState(final long number, final ClientSubscription subscription) {
        this.number = number;
        this.subscription = subscription;
        remaining = subscription.feeds().length;
    }

    /** Tells it apart from others. */
    public long number() {
        return number;
    }

    /** Whose topics they are. */
    public ClientSubscription subscription() {
        return subscription;
    }

    /** What was opened so far. */
    public List<QuerySource> sources() {
        return sources;
    }

    /** A shard has opened its topics. Returns whether all have. */
    public boolean onOpened(final List<QuerySource> ofShard) {
        sources.addAll(ofShard);
        return --remaining == 0;
    }
}
