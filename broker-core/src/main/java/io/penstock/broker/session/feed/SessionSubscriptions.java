package io.penstock.broker.session.feed;

import io.penstock.broker.shard.match.NumberTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The subscriptions of a client, and the feeds that serve them. Confined to its I/O agent. */
public final class SessionSubscriptions {
    private final NumberTable<ClientSubscription> byId = new NumberTable<>();
    private final NumberTable<SubscriptionFeed> feeds = new NumberTable<>();
    private final List<SubscriptionFeed> superseded = new ArrayList<>();
    private final ArrayDeque<SubscriptionFeed> recalled = new ArrayDeque<>();
    private final ArrayDeque<ClientSubscription> ended = new ArrayDeque<>();
    private final ChangedFeeds changed = new ChangedFeeds();
    private final List<OpenedState> opened = new ArrayList<>();

    /** Those that it knows, by the id that it has given. */
    public NumberTable<ClientSubscription> byId() {
        return byId;
    }

    /** Their feeds, and superseded ones, by their number. */
    public NumberTable<SubscriptionFeed> feeds() {
        return feeds;
    }

    /** Superseded feeds, until everything due to them is sent; in the order in which they began. */
    public List<SubscriptionFeed> superseded() {
        return superseded;
    }

    /** Feeds whose pages were needed by others: they go on once the connection has sent what it has. */
    public ArrayDeque<SubscriptionFeed> recalled() {
        return recalled;
    }

    /** Feeds that have gone on with other filters, as long as something for their earlier ones may lie in rings. */
    public ChangedFeeds changed() {
        return changed;
    }

    /** States that are opened to be sent again. */
    public List<OpenedState> opened() {
        return opened;
    }

    /** Those that the broker has ended and the client has not been notified of yet. */
    public ArrayDeque<ClientSubscription> ended() {
        return ended;
    }
}
