package io.penstock.broker.shard.feed;

import io.penstock.broker.shard.AttachQueue;
import io.penstock.broker.shard.Sequencer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions that sequencers are asked to make live, and their answers. The replayer asks and takes the answers;
 * sequencers answer, at most as often as they are asked.
 */
final class HandOvers {
    /** Those that are asked for and not answered yet; further cursors wait for their turn. */
    private static final int COUNT_MAX = 4 * 1024;

    private final Sequencer[] sequencers;
    private final Runnable[] wakeups;
    private final ManyToOneConcurrentArrayQueue<Answer> answers = new ManyToOneConcurrentArrayQueue<>(COUNT_MAX);
    private int askedCount;

    HandOvers(final Sequencer[] sequencers, final Runnable[] wakeups) {
        this.sequencers = sequencers;
        this.wakeups = wakeups;
    }

    boolean hasRoom() {
        return askedCount < COUNT_MAX;
    }

    /** Asks for one. Returns false when the shard has too much to do now. */
    boolean ask(final int shard, final long feed) {
        if (!sequencers[shard].offer(new AttachQueue.Attach(feed))) {
            return false;
        }
        askedCount++;
        wakeups[shard].run();
        return true;
    }

    /** The next answer; null when there is none now. */
    @Nullable
    Answer poll() {
        final Answer answer = answers.poll();
        if (answer != null) {
            askedCount--;
        }
        return answer;
    }

    /** A sequencer has made a subscription live, or found it gone. Called on the sequencer's thread. */
    void answer(final long feed, final long position) {
        if (!answers.offer(new Answer(feed, position))) {
            throw new IllegalStateException("replayer: more hand-overs than were asked for");
        }
    }

    /**
     * A subscription is live.
     *
     * @param position from which on it is; see {@code SubscriptionIndex.attach}.
     */
    record Answer(long feed, long position) {}
}
