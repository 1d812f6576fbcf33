package io.penstock.simulator;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The views of a run beside that of groups: most runs have none, some have a join, a view of the last messages, or both. Says
 * what the rows of these have to be.
 */
final class ModelViews {
    private static final int KINDS = 9;

    final @Nullable ModelJoin join;
    final @Nullable ModelWindow window;

    /** Whether there is a view of the join, too. */
    private final boolean hasSums;

    /** Of each shard the starts of brokers: the first record that files had then, by the last one. */
    private final List<NavigableMap<Long, long[]>> starts = new ArrayList<>();

    ModelViews(final SplittableRandom random, final int shardCount) {
        final int kind = random.nextInt(KINDS);
        join = kind == 0 || kind == 2 ? ModelJoin.choose(random) : null;
        window = kind == 1 || kind == 2 ? ModelWindow.choose(random) : null;
        hasSums = join != null && random.nextBoolean();
        for (int shard = 0; shard < shardCount; shard++) {
            starts.add(new TreeMap<>());
        }
    }

    boolean hasJoin() {
        return join != null;
    }

    /** Names of topics with state that only some runs have. */
    List<String> topics() {
        final List<String> names = new ArrayList<>();
        if (join != null) {
            names.add(Topics.REFS);
            names.add(Topics.JOIN);
        }
        if (hasSums) {
            names.add(Topics.SUMS);
        }
        if (window != null) {
            names.add(Topics.WINDOW);
        }
        return names;
    }

    TopicConfig keyed() {
        return join == null ? TopicConfig.keyed(Topics.KEYED, "json", "id") : join.topic(Topics.KEYED);
    }

    /** When a record expires; 0 for never. The log says so only where its publisher has. */
    long expiresNs(final String topic, final ModelLog.Entry entry) {
        return join != null && topic.equals(Topics.REFS) && join.expirationMs() > 0
                ? entry.timestampNs() + join.expirationMs() * 1_000_000
                : entry.expiresNs();
    }

    /** Declares the views, and the topic that only a join needs. */
    void declare(final BrokerConfig.Builder builder, final Plant plant, final int run) {
        if (join != null) {
            builder.topic(join.topic(Topics.REFS)).view(plant.view(join.config(), run));
        }
        if (hasSums) {
            builder.view(ModelJoin.sums());
        }
        if (window != null) {
            builder.view(plant.view(window.config(), run));
        }
    }

    /**
     * A broker is about to start.
     *
     * @param after  the last record that it finds.
     * @param floors the first one that its files have: one of these.
     */
    void onStart(final int shard, final long after, final long... floors) {
        final NavigableMap<Long, long[]> of = starts.get(shard);
        // What earlier brokers have found after that is lost.
        of.tailMap(after, true).clear();
        of.put(after, floors);
    }

    /** The first record that the broker may have known of that has published one. */
    private long[] floors(final int shard, final long sequence) {
        final Map.Entry<Long, long[]> start = starts.get(shard).lowerEntry(sequence);
        return start == null ? new long[] {0} : start.getValue();
    }

    /** A row was published or deleted: it has to be what its sources have said by then. */
    void check(final ModelState state, final int shard, final String topic, final ModelLog.Entry entry) {
        if (!Topics.isView(topic) || topic.equals(Topics.VIEW)) {
            return;
        }
        final Map<String, String> row = Json.parse(entry.message());
        final String key = Topics.key(topic, entry.key(), row);
        final boolean isThere = entry.type() == ModelLog.TYPE_MESSAGE;
        final ModelJoin pairs = join;
        final ModelWindow last = window;
        if (topic.equals(Topics.JOIN) && pairs != null) {
            final Map<String, String> left = state.records(Topics.KEYED).get(row.getOrDefault("id", ""));
            final Map<String, Map<String, String>> expected = pairs.rows(
                    left == null ? List.of() : List.of(left),
                    state.records(Topics.REFS).values());
            if (!isRight(row, expected.get(key), isThere)) {
                throw wrong(topic, entry, expected);
            }
            state.reached.add(Reached.State.JOIN_ROW_COMPARED);
            state.reached.add(Reached.State.JOIN_ROW_WITHOUT_PAIR, "null".equals(row.get("w")) ? 1 : 0);
        } else if (topic.equals(Topics.SUMS)) {
            final Map<String, Map<String, String>> expected = sums(state);
            if (!isRight(row, expected.get(key), isThere)) {
                throw wrong(topic, entry, expected);
            }
            state.reached.add(Reached.State.JOIN_SUMS_COMPARED);
        } else if (topic.equals(Topics.WINDOW) && last != null) {
            for (final long floor : floors(shard, entry.sequence())) {
                for (final long timeNs : last.times(state.said, entry.timestampNs())) {
                    if (isRight(row, last.rows(state.said, floor, timeNs).get(key), isThere)) {
                        state.reached.add(Reached.State.WINDOW_ROW_COMPARED);
                        state.reached.add(Reached.State.WINDOW_ROW_GONE, isThere ? 0 : 1);
                        return;
                    }
                }
            }
            throw wrong(topic, entry, last.rows(state.said, floors(shard, entry.sequence())[0], entry.timestampNs()));
        }
    }

    private static boolean isRight(
            final Map<String, String> row, final @Nullable Map<String, String> expected, final boolean isThere) {
        return isThere ? row.equals(expected) : expected == null;
    }

    private Violation wrong(
            final String topic, final ModelLog.Entry entry, final Map<String, Map<String, String>> expected) {
        return new Violation("record " + entry.sequence() + " of " + topic + (join == null ? "" : " " + join)
                + (window == null ? "" : " " + window) + " is "
                + (entry.type() == ModelLog.TYPE_MESSAGE ? "" : "the end of ") + entry.message() + " at "
                + entry.timestampNs() + "\nthere is " + expected);
    }

    /** The rows of the join that there have to be. */
    Map<String, Map<String, String>> pairs(final ModelState state) {
        final ModelJoin of = join;
        return of == null
                ? Map.of()
                : of.rows(
                        state.records(Topics.KEYED).values(),
                        state.records(Topics.REFS).values());
    }

    /** The rows of the view of the join that there have to be, by those that the join has. */
    Map<String, Map<String, String>> sums(final ModelState state) {
        return hasSums ? ModelJoin.sums(state.records(Topics.JOIN).values()) : Map.of();
    }

    /** The rows of the window that there may be now: one of these. */
    List<Map<String, Map<String, String>>> last(final ModelState state, final long nowNs) {
        final List<Map<String, Map<String, String>>> all = new ArrayList<>();
        final ModelWindow of = window;
        if (of != null) {
            final int shard = Math.max(0, state.shardOf(Topics.WINDOW));
            for (final long floor : floors(shard, Long.MAX_VALUE)) {
                all.add(of.rows(state.said, floor, nowNs));
            }
        }
        return all;
    }
}
