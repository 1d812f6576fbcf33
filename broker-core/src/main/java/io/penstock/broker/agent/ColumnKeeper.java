package io.penstock.broker.agent;

import io.penstock.broker.event.EventLog;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.query.column.ColumnBuild;
import io.penstock.broker.query.column.StoreColumns;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.command.CloseQuery;
import io.penstock.broker.shard.command.OpenColumns;
import io.penstock.broker.topic.TopicRules;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the columns that the configuration names and keeps them up to date, and frees those that were dropped: for some
 * shards, by one query agent, some rows at a time beside its queries. It looks at the named topics of its shards in turn, with a
 * snapshot that it keeps for a moment only, so that few versions are kept for it. Then it rests for nine times as long as
 * its own work took, a second at least, unless the rules change. Confined to the agent, but for {@link #sweep}.
 */
final class ColumnKeeper {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    /** A snapshot is kept for so long, about. */
    private static final long PART_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int REST_PART = 9;

    private final NamedTopics topics;
    private final NanoClock clock;
    private final EventLog events;
    private final IntConsumer wakeSequencer;
    private final Runnable wakeup;

    /** Those that have something to be freed, perhaps. */
    private final Set<StoreColumns> dropped = ConcurrentHashMap.newKeySet();

    /** Those that are still to be looked at, the present one first. */
    private final ArrayDeque<NamedTopic> queue = new ArrayDeque<>();

    private @Nullable OpenColumns opening;
    private @Nullable Opened opened;
    private @Nullable ColumnBuild build;
    private long partNs;

    /** What it has read for in this pass. */
    private long workNs;

    private long dueNs;

    /** A topic with its rows and their columns. */
    record Opened(NamedTopic of, QuerySource source, StoreColumns columns) {}

    /**
     * Has nothing to do so far.
     *
     * @param sequencers    of its shards.
     * @param rules         that name columns.
     * @param clock         the broker's.
     * @param events        for the operator.
     * @param wakeSequencer of a shard.
     * @param wakeup        of the query agent.
     */
    ColumnKeeper(
            final List<Sequencer> sequencers,
            final TopicRules rules,
            final NanoClock clock,
            final EventLog events,
            final IntConsumer wakeSequencer,
            final Runnable wakeup) {
        topics = new NamedTopics(sequencers, rules);
        this.clock = clock;
        this.events = events;
        this.wakeSequencer = wakeSequencer;
        this.wakeup = wakeup;
        dueNs = clock.nanoTime();
    }

    /** Frees columns that were dropped. Any thread. */
    void sweep(final StoreColumns columns) {
        dropped.add(columns);
        wakeup.run();
    }

    /** Does some work; false when there was none. */
    boolean doWork() {
        final boolean isSwept = !dropped.isEmpty() && sweepDropped();
        return keep() || isSwept;
    }

    private boolean sweepDropped() {
        boolean isSwept = false;
        for (final StoreColumns each : List.copyOf(dropped)) {
            // First, since others may add it again at any time.
            dropped.remove(each);
            isSwept |= each.sweepDropped();
            if (each.isSweepPending()) {
                dropped.add(each);
            }
        }
        return isSwept;
    }

    private boolean keep() {
        final Opened present = opened;
        if (present != null) {
            return work(present);
        }
        final OpenColumns asked = opening;
        if (asked != null) {
            return asked.isDone() && onOpened(queue.element(), asked);
        }
        final NamedTopic next = queue.peek();
        return next == null ? beginPass() : open(next);
    }

    private boolean beginPass() {
        final long nowNs = clock.nanoTime();
        if (nowNs - dueNs < 0 && !topics.isRenamed()) {
            return false;
        }
        final Collection<NamedTopic> named = topics.update(nowNs);
        // To add nothing would allocate a little, each second.
        if (!named.isEmpty()) {
            queue.addAll(named);
        }
        workNs = 0;
        dueNs = nowNs + INTERVAL_NS;
        return !queue.isEmpty();
    }

    private void next() {
        queue.remove();
        if (queue.isEmpty()) {
            dueNs = clock.nanoTime() + Math.max(INTERVAL_NS, REST_PART * workNs);
        }
    }

    private boolean open(final NamedTopic of) {
        if (of.isUpToDate()) {
            next();
            return true;
        }
        of.onOpening();
        final OpenColumns command = new OpenColumns(of.topic.name(), wakeup);
        if (!of.sequencer.offer(command)) {
            return false;
        }
        opening = command;
        wakeSequencer.accept(of.topic.shard());
        return true;
    }

    private boolean onOpened(final NamedTopic of, final OpenColumns command) {
        if (command.sources().isEmpty()) {
            opening = null;
            next();
            return true;
        }
        final QuerySource source = command.sources().get(0);
        // Another topic may have got the name meanwhile: it is among those that are looked at next.
        final StoreColumns columns = source.topic().equals(of.topic) ? StoreColumns.of(source.store()) : null;
        if (columns == null) {
            if (close(of, source)) {
                opening = null;
                next();
            }
            return true;
        }
        opening = null;
        opened = new Opened(of, source, columns);
        partNs = clock.nanoTime();
        try {
            final ColumnBuild next = of.build(source.store(), columns);
            next.begin(partNs);
            build = next;
        } catch (final RuntimeException | Error e) {
            of.onFailed();
            next();
            throw e;
        }
        return true;
    }

    private boolean work(final Opened on) {
        final ColumnBuild present = build;
        if (present != null) {
            final long nowNs = clock.nanoTime();
            if (work(present, on, nowNs)) {
                return true;
            }
            build = null;
            present.pause();
            if (present.isDone()) {
                on.of().onPass(on, present, events, nowNs);
                next();
            }
        }
        if (close(on.of(), on.source())) {
            opened = null;
        }
        return true;
    }

    /** Whether it goes on with this snapshot. A failure ends the pass over the topic. */
    private boolean work(final ColumnBuild with, final Opened on, final long nowNs) {
        try {
            final boolean isMore = with.work(on.source().snapshot().sequence(), nowNs);
            workNs += clock.nanoTime() - nowNs;
            return isMore && nowNs - partNs < PART_NS && !on.source().snapshot().isTooOld();
        } catch (final RuntimeException | Error e) {
            build = null;
            with.pause();
            on.of().onFailed();
            next();
            throw e;
        }
    }

    /** Closes a snapshot; false when that has to be asked for again. */
    private boolean close(final NamedTopic of, final QuerySource source) {
        final boolean isTaken = of.sequencer.offer(new CloseQuery(0, 0, List.of(source)));
        wakeSequencer.accept(of.topic.shard());
        return isTaken;
    }
}
