package io.penstock.broker.shard.match;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.match.LiveSubscription.State;
import io.penstock.broker.topic.ByTopic;
import io.penstock.broker.topic.Topic;
import java.util.ArrayList;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one shard, and the dispatch of each new record to those that want it. Owned by the shard's
 * sequencer.
 *
 * <p>A record that follows the last one for a subscription lengthens its run; runs are enqueued for I/O agents at the
 * end of a batch. When a ring has no room, its subscription switches to a cursor at that run, and nobody waits.
 */
public final class SubscriptionIndex {

    private final int shard;
    private final LogAppender log;
    private final AtomicCounter matches;
    private final AtomicCounter turns;
    private final AtomicCounter behind;
    private final FeedTable<LiveSubscription> feeds = new FeedTable<>();
    private final ArrayList<LiveSubscription> dirty = new ArrayList<>();
    private final ArrayList<LiveSubscription> switching = new ArrayList<>();
    private final ByTopic<TopicMatcher> byTopic = new ByTopic<>();
    private final TopicNames names = new TopicNames();
    private final ShardFields fields = new ShardFields();
    private final AppendedRecord record = new AppendedRecord();
    private long segmentNumber;

    /**
     * Makes an empty index.
     *
     * @param shard   it is of.
     * @param log     whose records are dispatched.
     * @param matches counts records enqueued for subscriptions.
     * @param turns   counts turns from live to cursor.
     * @param behind  how many subscriptions are not live.
     */
    public SubscriptionIndex(
            final int shard,
            final LogAppender log,
            final AtomicCounter matches,
            final AtomicCounter turns,
            final AtomicCounter behind) {
        this.shard = shard;
        this.log = log;
        this.matches = matches;
        this.turns = turns;
        this.behind = behind;
    }

    /**
     * A topic was created: patterns that match it follow it from its first message.
     *
     * @param topic with the next id.
     */
    public void onTopic(final Topic topic) {
        names.add(topic, subscription -> add(subscription, topic));
    }

    /**
     * A topic was deleted. Subscriptions stay: those to its name alone wait for the next one of that name. The caller
     * flushed before, so that no run is open.
     *
     * @param topic that was created before.
     */
    public void onTopicDeleted(final Topic topic) {
        names.remove(topic);
        fields.remove(topic);
        final TopicMatcher matcher = byTopic.get(topic.id());
        if (matcher != null) {
            byTopic.put(topic.id(), null);
            matcher.forEach(place -> {
                final LiveSubscription subscription = place.subscription();
                subscription.forget(place);
                names.await(subscription);
            });
        }
    }

    /**
     * Adds a subscription.
     *
     * @param interest what it wants.
     * @param filter   of the interest, compiled by its I/O agent, and the sequencer's from now on; null for everything.
     * @param ring     to its I/O agent.
     * @param asCursor whether it starts as a cursor, at the position that the log has now.
     */
    public void subscribe(
            final Interest interest, final @Nullable Filter filter, final DescriptorRing ring, final boolean asCursor) {
        final LiveSubscription subscription = new LiveSubscription(interest, filter, ring);
        if (asCursor) {
            subscription.state = State.CURSOR;
            behind.incrementRelease();
        }
        feeds.add(subscription);
        names.add(subscription, topic -> add(subscription, topic));
    }

    /**
     * Removes a subscription. What was enqueued stays enqueued.
     *
     * @param feed number of the subscription.
     */
    public void unsubscribe(final long feed) {
        final LiveSubscription subscription = feeds.get(feed);
        if (subscription != null) {
            forget(subscription);
        }
    }

    /**
     * A subscription is superseded from the next record on. The caller flushed before, so that no run is open.
     *
     * @param feed number of the subscription that ends.
     * @return true when everything due to it was enqueued; false when a cursor has to serve the rest, or does already.
     */
    public boolean supersede(final long feed) {
        final LiveSubscription subscription = feeds.get(feed);
        if (subscription == null) {
            return false;
        }
        assert subscription.state != State.LIVE || subscription.run.isEmpty() : subscription.interest;
        if (subscription.state == State.SWITCHING) {
            subscription.supersede();
            return false;
        }
        unsubscribe(feed);
        return subscription.state == State.LIVE;
    }

    /**
     * Removes some of the subscriptions of a client.
     *
     * @param sessionId of the client.
     * @param limit     count of them.
     * @return count of those removed; below the limit when it has no more.
     */
    public int removeSome(final long sessionId, final int limit) {
        int count = 0;
        LiveSubscription subscription;
        while (count < limit && (subscription = feeds.anyOf(sessionId)) != null) {
            forget(subscription);
            count++;
        }
        return count;
    }

    /**
     * Returns whether a topic has a subscription, live or lagging.
     *
     * @param topicId of the topic.
     * @return false when nobody is sent its messages.
     */
    public boolean hasSubscriber(final int topicId) {
        final TopicMatcher matcher = byTopic.get(topicId);
        return matcher != null && !matcher.isEmpty();
    }

    /**
     * Dispatches a record that was just appended.
     *
     * @param topicId       of the record.
     * @param position      of the record.
     * @param payloadLength of the message, in bytes.
     * @param trailerLength after the message, in bytes.
     */
    public void dispatch(final int topicId, final long position, final int payloadLength, final int trailerLength) {
        final long segment = log.window().segmentNumber(position);
        if (segment != segmentNumber) {
            // Rings hold the descriptors of a segment before those of the next, so that readers can release it.
            segmentNumber = segment;
            flush();
        }
        final TopicMatcher matcher = byTopic.get(topicId);
        if (matcher == null) {
            return;
        }
        record.wrap(log, topicId, position, payloadLength, trailerLength);
        matcher.match(log.lastBuffer(), record.offset, payloadLength, record.sequence);
    }

    /** The current record is for a subscription. */
    void onMatch(final LiveSubscription subscription) {
        if (subscription.state != State.LIVE) {
            return;
        }
        if (!record.addTo(subscription.run)) {
            if (!enqueue(subscription)) {
                return;
            }
            subscription.ring.announce();
            record.addTo(subscription.run);
        }
        matches.incrementPlain();
        if (!subscription.isDirty()) {
            subscription.isDirty(true);
            dirty.add(subscription);
        }
    }

    /** Enqueues all open runs for their I/O agents. Runs for one client that follow each other have one notice. */
    public void flush() {
        DescriptorRing enqueued = null;
        for (int i = 0, size = dirty.size(); i < size; i++) {
            final LiveSubscription subscription = dirty.get(i);
            subscription.isDirty(false);
            if (enqueued != null && enqueued != subscription.ring) {
                enqueued.announce();
            }
            enqueued = subscription.ring;
            enqueue(subscription);
        }
        if (enqueued != null) {
            enqueued.announce();
        }
        dirty.clear();
    }

    /**
     * Tries again to notify I/O agents of subscriptions that have switched to a cursor.
     *
     * @return count of notices.
     */
    public int retryTurns() {
        int count = 0;
        for (int i = switching.size() - 1; i >= 0; i--) {
            final LiveSubscription subscription = switching.get(i);
            if (subscription.isRemoved()) {
                switching.remove(i);
            } else if (subscription.ring.offer(
                    Descriptor.TYPE_TURN,
                    subscription.interest.feed(),
                    shard,
                    subscription.run.start(),
                    subscription.run.startSequence())) {
                subscription.run.clear();
                subscription.state = State.CURSOR;
                switching.remove(i);
                if (subscription.isSuperseded()) {
                    unsubscribe(subscription.interest.feed());
                }
                count++;
            }
        }
        return count;
    }

    /**
     * Makes a subscription live again. The caller flushed before, so that no run is open.
     *
     * @param feed number of the subscription.
     * @return the position from which on it is live, or negative when its ring has no room now; or
     *     {@link Long#MAX_VALUE} when there is no such subscription any more.
     */
    public long attach(final long feed) {
        final LiveSubscription subscription = feeds.get(feed);
        if (subscription == null) {
            return Long.MAX_VALUE;
        }
        assert subscription.state == State.CURSOR && subscription.run.isEmpty() : subscription.state;
        final long position = log.position();
        if (!subscription.ring.offer(Descriptor.TYPE_LIVE, feed, shard, position, 0)) {
            return -1;
        }
        subscription.state = State.LIVE;
        // After the descriptor, so that a reader that finds no lagging feed finds the descriptor.
        behind.decrementRelease();
        return position;
    }

    /**
     * Whether {@link #retryTurns()} has something to do.
     *
     * @return true when I/O agents have still to be notified of a turn.
     */
    public boolean isSwitching() {
        return !switching.isEmpty();
    }

    public int count() {
        return feeds.count();
    }

    /**
     * The fields that filters read of this shard's topics.
     *
     * @return the same ones always; the sequencer's.
     */
    public ShardFields fields() {
        return fields;
    }

    private boolean enqueue(final LiveSubscription subscription) {
        if (subscription.isRemoved() || subscription.state != State.LIVE) {
            return false;
        }
        if (subscription.run.enqueue(subscription.ring, subscription.interest.feed(), shard)) {
            return true;
        }
        // The run stays, to say where the cursor starts.
        subscription.state = State.SWITCHING;
        behind.incrementRelease();
        switching.add(subscription);
        turns.incrementPlain();
        return false;
    }

    private void forget(final LiveSubscription subscription) {
        feeds.remove(subscription);
        subscription.onRemoved();
        if (subscription.state != State.LIVE) {
            behind.decrementRelease();
        }
        names.remove(subscription);
        for (int i = 0, count = subscription.placeCount(); i < count; i++) {
            final TopicMatcher.Place place = subscription.place(i);
            place.remove();
            if (place.matcher.isEmpty()) {
                byTopic.put(place.matcher.topicId(), null);
            }
        }
        subscription.forgetPlaces();
    }

    private void add(final LiveSubscription subscription, final Topic topic) {
        final Filter ofSubscription = subscription.filter;
        if (ofSubscription == null) {
            matcher(topic).add(subscription, null);
            return;
        }
        final Filter filter = ofSubscription.forTopic(topic.name());
        if (filter != null) {
            matcher(topic).add(subscription, filter);
        }
    }

    private TopicMatcher matcher(final Topic topic) {
        TopicMatcher matcher = byTopic.get(topic.id());
        if (matcher == null) {
            matcher = new TopicMatcher(topic, fields, this);
            byTopic.put(topic.id(), matcher);
        }
        return matcher;
    }
}
