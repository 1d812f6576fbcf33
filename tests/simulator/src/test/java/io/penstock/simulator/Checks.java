package io.penstock.simulator;

import io.penstock.broker.journal.RecoveryListener;
import io.penstock.simulator.Reached.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares what a broker has and says with what it has promised. */
final class Checks {
    private static final int ROUNDS_MAX = 50;
    private static final int CYCLES_MAX = 2_000;
    private static final long ROUND_NS = 25_000_000;

    private final World world;
    private final Reached reached;

    /** What a broker has started with, of each shard: none of it may be lost any more. */
    private List<ModelLog> kept = List.of();

    /** What those logs come to. */
    private ModelState keptState;

    /** What the logs that were found last come to. */
    private ModelState foundState;

    private List<ModelLog> found = List.of();

    /** The snapshots that the next broker has to start from. */
    private final List<Long> usable = new ArrayList<>();

    private final SnapshotChecks snapshots;

    Checks(final World world) {
        this.world = world;
        reached = world.reached;
        keptState = new ModelState(world.shardCount, world.history, reached, world.views);
        foundState = keptState;
        snapshots = world.snapshots;
    }

    /** A broker has ended, however: its files have to have all that was acknowledged. */
    void afterEnd() {
        found = world.logs.read();
        foundState = replay(found);
        for (final ModelLog log : found) {
            reached.add(log.isTorn ? State.TORN_TAIL : State.RECOVERED_RECORDS);
            reached.add(State.EMPTY_LOG, log.entries.isEmpty() ? 1 : 0);
            reached.add(State.FILES_ROLLED, log.fileCount - 1);
            reached.add(State.FILE_USED_AGAIN, log.isUsedAgain ? 1 : 0);
        }
        for (final Reader reader : world.readers) {
            reader.onBrokerEnd(foundState, found);
        }
        for (final Publisher publisher : world.publishers) {
            publisher.countFates();
        }
        for (int shard = 0; shard < found.size(); shard++) {
            final long shown = world.querier.durableSequence(shard);
            if (found.get(shard).lastSequence() < shown) {
                throw new Violation("shard " + shard + ": a durable answer has shown " + shown
                        + ", and the log ends with " + found.get(shard).lastSequence());
            }
        }
        reached.add(State.VIEW_COMPARED, foundState.records(Topics.VIEW).isEmpty() ? 0 : 1);
    }

    /** Whether a broker has ever started. */
    boolean hasStarted() {
        return !kept.isEmpty();
    }

    SnapshotChecks snapshots() {
        return snapshots;
    }

    /** The logs as they were found last, by their shards. */
    List<ModelLog> found() {
        return found;
    }

    /** A broker is about to start: from which snapshots it has to. */
    void beforeStart() {
        usable.clear();
        for (int shard = 0; shard < world.shardCount; shard++) {
            usable.add(snapshots.usable(shard));
            world.views.onStart(
                    shard,
                    found.isEmpty() ? 0 : found.get(shard).lastSequence(),
                    world.logs.firstSequence(shard),
                    world.logs.firstSequenceMax(shard));
        }
    }

    /** A broker has started: what it has found is on stable storage. */
    void afterStart() {
        for (int shard = 0; shard < found.size(); shard++) {
            final RecoveryListener.Recovery recovery = world.recoveries.of(shard);
            if (recovery.snapshotSequence() != usable.get(shard)) {
                throw new Violation("shard " + shard + ": the broker has started from snapshot "
                        + recovery.snapshotSequence() + ", not " + usable.get(shard));
            }
            if (recovery.sequence() != found.get(shard).lastSequence()) {
                throw new Violation("shard " + shard + ": the broker has started with " + recovery.sequence()
                        + " records, not " + found.get(shard).lastSequence());
            }
            reached.add(State.STARTED_FROM_SNAPSHOT, usable.get(shard) > 0 ? 1 : 0);
        }
        kept = found;
        keptState = foundState;
        world.history.keep();
    }

    /** Nobody has anything to do: files, answers and copies have to be the same. */
    void atRest(final Runnable cycle) {
        List<ModelLog> logs = List.of();
        ModelState state = null;
        for (int i = 0; i < ROUNDS_MAX && state == null; i++) {
            world.clock.advance(ROUND_NS);
            for (int j = 0; j < 10; j++) {
                cycle.run();
            }
            logs = world.logs.read();
            if (isComplete(logs)) {
                final ModelState replayed = replay(logs);
                state = isRead(replayed, logs) || i == ROUNDS_MAX - 1 ? replayed : null;
            }
        }
        if (state == null) {
            throw new Violation("the files never have all that the broker has: "
                    + logs.stream().map(ModelLog::lastSequence).toList());
        }
        if (!isRead(state, logs)) {
            throw new Violation("what is in the log never comes to " + world.readers);
        }
        state.checkExpired(world.clock.nanoTime() - ROUND_NS);
        compare(Topics.KEYED, state.records(Topics.KEYED), cycle);
        compare(Topics.EXPIRING, state.records(Topics.EXPIRING), cycle);
        compare(Topics.VIEW, state.view(), cycle);
        compareViews(state, cycle);
        reached.add(State.STATE_COMPARED);
        found = logs;
        foundState = state;
        final Past past = past();
        if (past != null) {
            ask(past.toString(), world.querier.ask(past), cycle);
        }
        if (!state.view().equals(state.records(Topics.VIEW))) {
            throw new Violation("the view is " + state.records(Topics.VIEW) + ", not " + state.view());
        }
        for (final Follower follower : world.followers) {
            follower.compare(state);
        }
        world.trace.add("compared", world.clock.nanoTime(), logs.get(0).lastSequence());
    }

    /** Views that only some runs have. */
    private void compareViews(final ModelState state, final Runnable cycle) {
        for (final String topic : world.views.topics()) {
            compare(topic, state.records(topic), cycle);
        }
        if (world.views.hasJoin()) {
            final Map<String, Map<String, String>> pairs = world.views.pairs(state);
            if (!state.records(Topics.JOIN).equals(pairs)) {
                throw new Violation("the join is " + state.records(Topics.JOIN) + "\nnot " + pairs);
            }
            final Map<String, Map<String, String>> sums = world.views.sums(state);
            if (!state.records(Topics.SUMS).equals(sums)) {
                throw new Violation("the view of the join is " + state.records(Topics.SUMS) + "\nnot " + sums);
            }
            reached.add(State.JOIN_COMPARED);
        }
        final List<Map<String, Map<String, String>>> last = world.views.last(state, world.clock.nanoTime());
        if (!last.isEmpty()) {
            if (!last.contains(state.records(Topics.WINDOW))) {
                throw new Violation(
                        "the view of the last messages is " + state.records(Topics.WINDOW) + "\nnot " + last);
            }
            reached.add(State.WINDOW_COMPARED, last.get(0).isEmpty() ? 0 : 1);
        }
    }

    private void compare(final String topic, final Map<String, Map<String, String>> expected, final Runnable cycle) {
        ask(topic, world.querier.ask(topic), cycle);
        if (!world.querier.answer().equals(expected)) {
            throw new Violation(
                    "a query of " + topic + " answers " + world.querier.answer() + "\nthere is " + expected);
        }
    }

    private void ask(final String what, final boolean isAsked, final Runnable cycle) {
        if (!isAsked) {
            throw new Violation("no query of " + what + " is taken");
        }
        for (int i = 0; !world.querier.isDone(); i++) {
            if (i > CYCLES_MAX) {
                throw new Violation("a query of " + what + " is never answered");
            }
            cycle.run();
        }
    }

    /** A question about what logs had when they were read last: the broker that runs has all of that. */
    @Nullable
    Past past() {
        return found.isEmpty() ? null : Past.choose(world.random, foundState, found);
    }

    private ModelState replay(final List<ModelLog> logs) {
        final ModelState state = keptState.copy();
        world.history.beginReplay();
        for (int shard = 0; shard < logs.size(); shard++) {
            final ModelLog log = logs.get(shard);
            if (log.problem != null) {
                throw new Violation("shard " + shard + ": " + log.problem);
            }
            if (shard < kept.size()) {
                compareWithKept(shard, log, kept.get(shard));
            }
            snapshots.replay(state, shard, log);
        }
        world.history.endReplay();
        return state;
    }

    private static void compareWithKept(final int shard, final ModelLog log, final ModelLog kept) {
        for (int i = kept.entries.size() - 1; i >= 0; i--) {
            if (i >= log.entries.size() || !log.entries.get(i).isSame(kept.entries.get(i))) {
                throw new Violation("shard " + shard + ": a broker has started with " + kept.entries.get(i)
                        + ", now there is " + (i < log.entries.size() ? log.entries.get(i) : "nothing"));
            }
        }
    }

    private boolean isComplete(final List<ModelLog> logs) {
        for (int shard = 0; shard < logs.size(); shard++) {
            if (logs.get(shard).lastSequence() != world.lastSequence(shard)) {
                return false;
            }
        }
        return true;
    }

    /** Whether those that read the log have all of it. */
    private boolean isRead(final ModelState state, final List<ModelLog> logs) {
        boolean isRead = true;
        for (final Reader reader : world.readers) {
            isRead &= reader.isUpTo(state, logs);
        }
        return isRead;
    }
}
