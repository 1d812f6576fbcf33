package io.penstock.broker.shard.follow;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.shard.match.FeedTable;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.store.DueHeap;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The followers of all topics of a shard, and which of the topics have something to do for them: only those are looked
 * at, however many there are. Owned by the shard's sequencer.
 */
public final class FollowedTopics {
    /** Topics whose followers are looked at before the sequencer does other work. */
    private static final int TOPIC_LIMIT = 256;

    private final FeedTable<StateFollower> followers = new FeedTable<>();
    private final ArrayList<StateFollowers> dirty = new ArrayList<>();
    private final ArrayList<StateFollowers> due = new ArrayList<>();

    /** When followers are to be looked at. */
    private final DueHeap<StateFollowers> work = new DueHeap<>();

    /** When they have something to send. */
    private final DueHeap<StateFollowers> sending = new DueHeap<>();

    private long lookCount;

    /** Makes it, without topics. */
    public FollowedTopics() {}

    /**
     * Whether nobody follows anything.
     *
     * @return true when no follower has to be notified of a change.
     */
    public boolean isEmpty() {
        return followers.isEmpty();
    }

    /**
     * Whether a feed of a subscription follows one of the topics.
     *
     * @param feed of the subscription.
     * @return true when it was added and not removed.
     */
    public boolean has(final long feed) {
        return followers.get(feed) != null;
    }

    /**
     * The client of a follower has been sent the state as it was when the follower was added.
     *
     * @param feed of the subscription.
     */
    public void resume(final long feed) {
        final StateFollower follower = followers.get(feed);
        if (follower != null) {
            follower.topic.resume(follower);
        }
    }

    /**
     * A follower gets another filter, and is held until {@link #addRows} and {@link #resume}.
     *
     * @param feed      of the subscription so far.
     * @param interest  of it from now on.
     * @param filter    of the interest; null for everything.
     * @param isWaiting whether it is held already, and was sent nothing.
     * @return text of the filter by which its client's state is; null when it cannot be changed now.
     */
    public @Nullable String change(
            final long feed, final Interest interest, final @Nullable Filter filter, final boolean isWaiting) {
        final StateFollower follower = followers.get(feed);
        return follower == null ? null : follower.topic.change(follower, interest, filter, isWaiting);
    }

    /**
     * Rows of a follower's topic that only one of its filters matches, the earlier or the present one.
     *
     * @param feed of the subscription.
     * @param rows of which some more may be among them.
     */
    public void addRows(final long feed, final int[] rows) {
        final StateFollower follower = followers.get(feed);
        if (follower != null) {
            for (final int row : rows) {
                follower.pending.add(row);
            }
        }
    }

    /**
     * A follower is superseded by another subscription, and is notified of no change after this one.
     *
     * @param feed of the subscription.
     * @return true when everything due to it was enqueued, and it has ended; else its I/O agent is notified when it has
     *         ended.
     */
    public boolean supersede(final long feed) {
        final StateFollower follower = followers.get(feed);
        return follower != null && follower.topic.supersede(follower);
    }

    /**
     * Removes a follower.
     *
     * @param feed of the subscription.
     * @return false when there is none with that number.
     */
    public boolean remove(final long feed) {
        final StateFollower follower = followers.get(feed);
        if (follower == null) {
            return false;
        }
        follower.topic.remove(follower);
        return true;
    }

    /**
     * Removes some of the followers of a client.
     *
     * @param sessionId of the client.
     * @param limit     count of them.
     * @return count of those removed; below the limit when it has no more.
     */
    public int removeSome(final long sessionId, final int limit) {
        int count = 0;
        StateFollower follower;
        while (count < limit && (follower = followers.anyOf(sessionId)) != null) {
            follower.topic.remove(follower);
            count++;
        }
        return count;
    }

    /** Enqueues all open runs for their I/O agents. */
    public void flush() {
        for (int i = 0, size = dirty.size(); i < size; i++) {
            lookCount++;
            dirty.get(i).flush();
        }
        dirty.clear();
    }

    /**
     * Sends lagging followers what they need, as far as there is room.
     *
     * @param nowNs since 1970.
     * @return work done.
     */
    public int catchUp(final long nowNs) {
        if (work.dueAt() > nowNs) {
            return 0;
        }
        int workCount = 0;
        work.takeDue(nowNs, TOPIC_LIMIT, due);
        for (int i = 0, size = due.size(); i < size; i++) {
            lookCount++;
            workCount += due.get(i).catchUp(nowNs);
        }
        due.clear();
        return workCount;
    }

    /**
     * When followers can be sent something without a new change.
     *
     * @return since 1970 in nanoseconds; 0 for as soon as there is room, {@link Long#MAX_VALUE} for never.
     */
    public long dueNs() {
        return sending.dueAt();
    }

    /** How often a topic was looked at since the start. */
    public long lookCount() {
        return lookCount;
    }

    void onAdded(final StateFollower follower) {
        followers.add(follower);
    }

    void onRemoved(final StateFollower follower) {
        followers.remove(follower);
    }

    /** A topic has runs that are not enqueued. */
    void onDirty(final StateFollowers topic) {
        dirty.add(topic);
    }

    /** Followers of a topic are to be looked at, and have something to send, at these times, or before that already. */
    void onDue(final StateFollowers topic, final long workNs, final long sendNs) {
        work.dueNoLaterThan(topic.work, workNs);
        sending.dueNoLaterThan(topic.sending, sendNs);
    }

    /** All followers of a topic were looked at, and are to be again at these times, after those that were not. */
    void onLookedAt(final StateFollowers topic, final long nowNs, final long workNs, final long sendNs) {
        work.dueAt(topic.work, Math.max(nowNs, workNs));
        sending.dueAt(topic.sending, sendNs);
    }
}
