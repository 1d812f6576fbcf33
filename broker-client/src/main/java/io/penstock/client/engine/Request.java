package io.penstock.client.engine;

import io.penstock.client.PenstockException;
import io.penstock.client.Stat;
import io.penstock.client.TopicInfo;
import io.penstock.client.session.CommandFrame;
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
    /** How often it is sent again: one that is lost more often may be what connections end of. */
    static final int REPETITION_COUNT_MAX = 3;

    private @Nullable CommandFrame repetition;
    private int lossCount;

    /** Has it sent again on a new connection when the present one is lost before the answer: that does no harm. */
    void repeatWith(final CommandFrame command) {
        repetition = command;
    }

    /** The connection is lost. Returns the command to send on the next one; null when it fails. */
    final @Nullable CommandFrame lose() {
        return lossCount++ < REPETITION_COUNT_MAX ? onLost() : null;
    }

    /**
     * The connection is lost, and what came of the answer is to be forgotten.
     *
     * @return the command to send on the next one; null when it has to fail, or nobody waits any more.
     */
    @Nullable
    CommandFrame onLost() {
        return isDone() ? null : repetition;
    }

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
        @Nullable
        CommandFrame onLost() {
            stats.clear();
            return super.onLost();
        }

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
        @Nullable
        CommandFrame onLost() {
            topics.clear();
            return super.onLost();
        }

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
