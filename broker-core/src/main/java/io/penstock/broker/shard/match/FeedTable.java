package io.penstock.broker.shard.match;

import org.jspecify.annotations.Nullable;

/**
 * Feeds of subscriptions by their number, and by their client. Nothing here costs more when there are more of them.
 * Confined to one sequencer.
 *
 * @param <P> of one kind.
 */
public final class FeedTable<P extends ShardFeed<P>> {
    private final NumberTable<P> byNumber = new NumberTable<>();
    private final NumberTable<P> firstOfClient = new NumberTable<>();

    int count() {
        return byNumber.size();
    }

    public boolean isEmpty() {
        return byNumber.isEmpty();
    }

    public void add(final P feed) {
        final P before = byNumber.put(feed.interest.feed(), feed);
        assert before == null : feed.interest;
        final P first = firstOfClient.put(feed.interest.sessionId(), feed);
        if (first != null) {
            feed.next = first;
            first.previous = feed;
        }
    }

    @Nullable
    public P get(final long number) {
        return byNumber.get(number);
    }

    /** Any feed of a client; null when it has none. */
    @Nullable
    public P anyOf(final long sessionId) {
        return firstOfClient.get(sessionId);
    }

    public void remove(final P feed) {
        byNumber.remove(feed.interest.feed());
        final P previous = feed.previous;
        final P next = feed.next;
        if (next != null) {
            next.previous = previous;
        }
        if (previous != null) {
            previous.next = next;
        } else if (next != null) {
            firstOfClient.put(feed.interest.sessionId(), next);
        } else {
            firstOfClient.remove(feed.interest.sessionId());
        }
        feed.previous = null;
        feed.next = null;
    }
}
