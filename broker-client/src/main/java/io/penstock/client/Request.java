package io.penstock.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A command whose one acknowledgement completes it. Its methods are called by the agent; as a future it may be waited
 * for by any thread.
 *
 * @param <T> what the command brings.
 */
abstract class Request<T extends @Nullable Object> extends CompletableFuture<T> {
    /** It is on its way to the broker, with this command id. */
    void onSent(final long commandId) {}

    /** The broker has acknowledged it, after all entries. */
    abstract void onAck();

    /** How many records it has found or changed; comes before the acknowledgement. */
    void onReturned(final long count) {}

    void onStat(final Stat stat) {}

    void onTopic(final TopicInfo topic) {}

    /** The broker has refused it, or nobody knows what has become of it. */
    void onFailure(final PenstockException reason) {
        completeExceptionally(reason);
    }

    /** Brings nothing but that it is done. */
    static final class Done extends Request<@Nullable Void> {
        @Override
        void onAck() {
            complete(null);
        }
    }

    /** Brings how many records it has changed. */
    static final class Count extends Request<Long> {
        private long count;

        @Override
        void onReturned(final long newCount) {
            count = newCount;
        }

        @Override
        void onAck() {
            complete(count);
        }
    }

    /** Collects counters. */
    static final class Stats extends Request<List<Stat>> {
        private final List<Stat> stats = new ArrayList<>();

        @Override
        void onStat(final Stat stat) {
            stats.add(stat);
        }

        @Override
        void onAck() {
            complete(List.copyOf(stats));
        }
    }

    /** Collects topics. */
    static final class Topics extends Request<List<TopicInfo>> {
        private final List<TopicInfo> topics = new ArrayList<>();

        @Override
        void onTopic(final TopicInfo topic) {
            topics.add(topic);
        }

        @Override
        void onAck() {
            complete(List.copyOf(topics));
        }
    }
}
