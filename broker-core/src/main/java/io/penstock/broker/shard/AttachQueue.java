package io.penstock.broker.shard;

import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.match.SubscriptionIndex;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/** The replayers' wishes to make subscriptions live again, in turn. Filled by replayers; run by the sequencer. */
public final class AttachQueue {
    private static final int LIMIT = 32;

    private final SubscriptionIndex subscriptions;
    private final ShardCounters counters;
    private final ReplyListener replies;
    private final ManyToOneConcurrentArrayQueue<Attach> attaches =
            new ManyToOneConcurrentArrayQueue<>(Sequencer.COMMAND_QUEUE_LENGTH);

    AttachQueue(final SubscriptionIndex subscriptions, final ShardCounters counters, final ReplyListener replies) {
        this.subscriptions = subscriptions;
        this.counters = counters;
        this.replies = replies;
    }

    /** Takes a wish; false when there is no room. */
    boolean offer(final Attach attach) {
        return attaches.offer(attach);
    }

    boolean isEmpty() {
        return attaches.isEmpty();
    }

    /** Makes some of the subscriptions live. Returns count of those that were. */
    int run() {
        int count = 0;
        for (int waiting = Math.min(attaches.size(), LIMIT); waiting > 0; waiting--) {
            final Attach attach = attaches.poll();
            if (attach == null) {
                break;
            }
            final long position = subscriptions.attach(attach.feed());
            if (position < 0) {
                // Added at the end, so that one client's full ring holds up no other; the replayer bounds its requests.
                attaches.add(attach);
                continue;
            }
            count++;
            if (position != Long.MAX_VALUE) {
                counters.turnsToLive().incrementPlain();
            }
            replies.onAttached(attach.feed(), position);
        }
        return count;
    }

    /**
     * The replayer's wish to make a subscription live again.
     *
     * @param feed number of it.
     */
    public record Attach(long feed) {}
}
