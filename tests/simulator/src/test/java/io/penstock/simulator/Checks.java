package io.penstock.simulator;

import io.penstock.broker.Broker;
import io.penstock.simulator.Reached.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares what a broker has and says with what it has promised. */
final class Checks {
    private static final int ROUNDS_MAX = 50;
    private static final int CYCLES_MAX = 2_000;
    private static final long ROUND_NS = 25_000_000;

    private final World world;
    private final Reached reached;

    /** What a broker has started with, of each shard: none of it may be lost any more. */
    private List<ModelLog> kept = List.of();

    private List<ModelLog> found = List.of();

    Checks(final World world) {
        this.world = world;
        reached = world.reached;
    }

    /** A broker has ended, however: its files have to have all that was acknowledged. */
    void afterEnd() {
        found = world.readLogs();
        final ModelState state = replay(found);
        for (final ModelLog log : found) {
            reached.add(log.isTorn ? State.TORN_TAIL : State.RECOVERED_RECORDS);
            reached.add(State.EMPTY_LOG, log.entries.isEmpty() ? 1 : 0);
            reached.add(State.FILES_ROLLED, log.fileCount - 1);
        }
        for (final Publisher publisher : world.publishers) {
            publisher.countFates();
        }
        reached.add(State.VIEW_COMPARED, state.records(Topics.VIEW).isEmpty() ? 0 : 1);
    }

    /** Shards whose logs have records. */
    List<ModelLog> found() {
        return found;
    }

    /** A broker has started: what it has found is on stable storage. */
    void afterStart() {
        kept = found;
    }

    /** Nobody has anything to do: files, answers and copies have to be the same. */
    void atRest(final Broker broker, final Runnable cycle) {
        List<ModelLog> logs = List.of();
        boolean complete = false;
        for (int i = 0; i < ROUNDS_MAX && !complete; i++) {
            world.clock.advance(ROUND_NS);
            for (int j = 0; j < 10; j++) {
                cycle.run();
            }
            logs = world.readLogs();
            complete = isComplete(broker, logs);
        }
        if (!complete) {
            throw new Violation("the files never have all that the broker has: "
                    + logs.stream().map(ModelLog::lastSequence).toList());
        }
        final ModelState state = replay(logs);
        state.checkExpired(world.clock.nanoTime() - ROUND_NS);
        compare(Topics.KEYED, state.records(Topics.KEYED), cycle);
        compare(Topics.EXPIRING, state.records(Topics.EXPIRING), cycle);
        compare(Topics.VIEW, state.view(), cycle);
        reached.add(State.STATE_COMPARED);
        if (!state.view().equals(state.records(Topics.VIEW))) {
            throw new Violation("the view is " + state.records(Topics.VIEW) + ", not " + state.view());
        }
        for (final Follower follower : world.followers) {
            follower.compare(state);
        }
        world.trace.add("compared", world.clock.nanoTime(), logs.get(0).lastSequence());
    }

    private void compare(final String topic, final Map<String, Map<String, String>> expected, final Runnable cycle) {
        if (!world.querier.ask(topic)) {
            throw new Violation("no query of " + topic + " is taken");
        }
        for (int i = 0; !world.querier.isDone(); i++) {
            if (i > CYCLES_MAX) {
                throw new Violation("a query of " + topic + " is never answered");
            }
            cycle.run();
        }
        if (!world.querier.answer().equals(expected)) {
            throw new Violation(
                    "a query of " + topic + " answers " + world.querier.answer() + "\nthere is " + expected);
        }
    }

    private ModelState replay(final List<ModelLog> logs) {
        final ModelState state = new ModelState(world.history, reached);
        world.history.beginReplay();
        for (int shard = 0; shard < logs.size(); shard++) {
            final ModelLog log = logs.get(shard);
            if (log.problem != null) {
                throw new Violation("shard " + shard + ": " + log.problem);
            }
            if (shard < kept.size()) {
                compareWithKept(shard, log, kept.get(shard));
            }
            state.apply(log);
        }
        world.history.endReplay();
        return state;
    }

    private static void compareWithKept(final int shard, final ModelLog log, final ModelLog kept) {
        for (int i = 0; i < kept.entries.size(); i++) {
            if (i >= log.entries.size() || !log.entries.get(i).isSame(kept.entries.get(i))) {
                throw new Violation("shard " + shard + ": a broker has started with " + kept.entries.get(i)
                        + ", now there is " + (i < log.entries.size() ? log.entries.get(i) : "nothing"));
            }
        }
    }

    private boolean isComplete(final Broker broker, final List<ModelLog> logs) {
        final List<Long> sequences = new ArrayList<>();
        for (int shard = 0; shard < logs.size(); shard++) {
            final String name = "shard-" + shard + ".lastSequence";
            broker.counters().forEach((value, id, label) -> {
                if (label.equals(name)) {
                    sequences.add(value);
                }
            });
        }
        for (int shard = 0; shard < logs.size(); shard++) {
            if (logs.get(shard).lastSequence() != sequences.get(shard)) {
                return false;
            }
        }
        return true;
    }
}
