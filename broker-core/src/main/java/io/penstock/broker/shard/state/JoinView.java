package io.penstock.broker.shard.state;

import io.penstock.broker.filter.JoinCondition;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.shard.state.join.FormerValues;
import io.penstock.broker.shard.state.join.JoinedPairs;
import io.penstock.broker.topic.JoinRule;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.ViewRule;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A topic that is computed from two: a row for each pair of their records. Each batch notes which records have changed; at
 * its end, while nothing else changes, the rows of each of these are put or deleted, some at a time. So what waits is a
 * number or two for each changed record, however many rows it has. Owned by the sequencer.
 *
 * <p>Changed left records come first, then left ones that may have lost a pair, then changed right ones, each in the order
 * of their last changes, and those that each is paired with in the order of theirs. So the order of rows follows from the
 * records, not from when the broker was started.
 */
public final class JoinView extends ComputedTopic {
    /** Pairs that one record may have. At the bound the view stops, and says so. */
    static final int PAIR_COUNT_MAX = 1_000_000;

    /** Pairs that are looked at before the sequencer does something else. */
    private static final int STEP_COUNT = 1024;

    private static final int NONE = JoinedPairs.NONE;

    private final String name;
    private final StateTopic target;
    private final JoinSide left;
    private final JoinSide right;
    private final boolean isOuter;

    private final int pairCountMax;
    private final JoinRows rows;
    private final LostPairs lost;
    private final JoinProgress progress = new JoinProgress();

    /** What may be left over of an earlier run; null until the rows of this one are known, and when that is done. */
    private int @Nullable [] leftOver;

    /** How many of these were looked at. */
    private int swept;

    private boolean isToBeSwept;

    private boolean isStopped;

    JoinView(
            final ViewRule rule,
            final StateTopic left,
            final StateTopic right,
            final StateTopic target,
            final int place,
            final int pairCountMax,
            final boolean isKept) {
        super(place);
        this.pairCountMax = pairCountMax;
        final JoinRule join = Objects.requireNonNull(rule.join());
        final JoinCondition on = condition(join);
        name = rule.name();
        this.target = target;
        isOuter = join.isOuter();
        // The key of its row is then that of the left record.
        final boolean hasOneRight = hasOneRight(on, right.rule);
        final FormerValues former = new FormerValues();
        this.left = new JoinSide(this, left, on.left(), null);
        this.right = new JoinSide(this, right, on.right(), isOuter || hasOneRight ? former : null);
        rows = new JoinRows(rule, join, left, right, target, isKept);
        lost = new LostPairs(this.left, this.right, rows, former, isOuter, hasOneRight);
    }

    /**
     * How the topic keeps state that is a join: by the key of the left record and, unless that is in one pair at most, of
     * the right one.
     *
     * @throws IllegalArgumentException when the join cannot be read, or these columns are not all selected.
     */
    public static StateRule stateRule(final ViewRule rule, final StateTopic left, final StateTopic right) {
        final JoinRule join = Objects.requireNonNull(rule.join());
        final SelectList select = SelectList.parse(rule.select(), rule.groupBy(), FilterLimits.DEFAULTS);
        if (select.isAggregate()) {
            throw new IllegalArgumentException(
                    "a join has no aggregates (take them in another view, whose source is this one)");
        }
        final List<FieldPath> key = new ArrayList<>(keyOf(left, join.leftName()));
        requireFields(right);
        if (!hasOneRight(condition(join), right.rule())) {
            key.addAll(keyOf(right, join.rightName()));
        }
        return StateRule.view(
                FieldSelection.of(select.keyPaths(FieldSelection.of(key))).text());
    }

    private static JoinCondition condition(final JoinRule join) {
        return JoinCondition.parse(join.on(), join.leftName(), join.rightName(), FilterLimits.DEFAULTS);
    }

    /** Whether a left record is in one pair at most. */
    private static boolean hasOneRight(final JoinCondition on, final StateRule rightRule) {
        return !rightRule.isPublisherKey()
                && on.right().containsAll(rightRule.keyFields().paths());
    }

    private static List<FieldPath> keyOf(final StateTopic topic, final String name) {
        requireFields(topic);
        final List<FieldPath> paths = topic.rule().keyFields().paths();
        if (topic.rule().isPublisherKey() || paths.stream().anyMatch(FieldPath::isHeader)) {
            throw new IllegalArgumentException(topic.topic().name()
                    + ": its key is not in its fields (join topics whose key is, since rows are known by it)");
        }
        return paths.stream().map(path -> JoinCondition.of(name, path)).toList();
    }

    private static void requireFields(final StateTopic topic) {
        if (!topic.topic().format().hasFields()) {
            throw new IllegalArgumentException(topic.topic().name() + ": format "
                    + topic.topic().format().name() + " has no fields (join topics of another format)");
        }
    }

    JoinSide left() {
        return left;
    }

    JoinSide right() {
        return right;
    }

    @Override
    String name() {
        return name;
    }

    @Override
    boolean isOf(final Topic topic) {
        return target.topic.id() == topic.id();
    }

    @Override
    boolean isStopped() {
        return isStopped;
    }

    @Override
    boolean isToBeReported() {
        return isStopped && !isStopNotified;
    }

    @Override
    void checkStopped() {
        if (isStopped && !isStopNotified) {
            isStopNotified = true;
            throw new IllegalStateException("view " + name + ": a record has more than " + pairCountMax
                    + " pairs; it is no longer kept up to date (join on fields of more values)");
        }
    }

    /** Computes all rows of topics that were there before this was. Called before the sequencer starts. */
    void rebuild() {
        right.indexAll();
        right.changed().clear();
        left.indexAll();
        isToBeSwept = true;
    }

    /** Something changes before all rows of a record were looked at: they are looked at again. */
    void restart() {
        final JoinSide side = progress.side();
        if (side != null) {
            side.changed().add(progress.row());
            progress.end();
        }
        lost.restart();
    }

    @Override
    boolean apply(final ShardState state, final long timestampNs) {
        if (isStopped) {
            return true;
        }
        progress.steps(STEP_COUNT);
        rows.forget();
        final boolean isDone = update(left, state, timestampNs)
                && lost.apply(progress, state, timestampNs)
                && update(right, state, timestampNs)
                && sweep(state, timestampNs);
        return isDone || isStopped;
    }

    /** Puts and deletes the rows of a topic's changed records. Returns false when that has to go on later. */
    @SuppressWarnings("ReferenceEquality")
    private boolean update(final JoinSide side, final ShardState state, final long timestampNs) {
        while (progress.side() == side || begin(side)) {
            // A record without a pair is a step, too.
            if (!progress.step() || !pair(state, timestampNs) || !remove(state, timestampNs)) {
                return false;
            }
            progress.end();
        }
        return true;
    }

    private boolean begin(final JoinSide side) {
        final int row = side.changed().take();
        if (row == NONE) {
            return false;
        }
        final long version = side.newest(row);
        progress.begin(
                side, row, version != 0 && side.read(version) ? other(side).first(side.value()) : NONE);
        return true;
    }

    @SuppressWarnings("ReferenceEquality")
    private JoinSide other(final JoinSide side) {
        return side == left ? right : left;
    }

    /** Puts the rows of a changed record. Returns false when that has to go on later. */
    private boolean pair(final ShardState state, final long timestampNs) {
        final JoinSide side = Objects.requireNonNull(progress.side());
        final JoinSide other = other(side);
        final boolean isLeft = other == right;
        int next;
        while ((next = progress.next()) != NONE) {
            if (!progress.step()) {
                return false;
            }
            if (other.has(next, side.value())) {
                final int leftRow = isLeft ? progress.row() : next;
                if (!rows.put(leftRow, isLeft ? next : progress.row(), progress.round(), state, timestampNs)
                        || !removeUnpaired(leftRow, state, timestampNs)) {
                    return false;
                }
                progress.onPair();
                if (progress.pairCount() > pairCountMax) {
                    stop();
                    return false;
                }
            } else if (!isLeft) {
                // Another value with the same hash, which may be what the right record had before.
                if (!lost.put(next, progress.round(), state, timestampNs)) {
                    return false;
                }
                side.read(side.newest(progress.row()));
            }
            progress.next(other.next(next));
        }
        return !isLeft
                || !isOuter
                || progress.pairCount() > 0
                || side.newest(progress.row()) == 0
                || rows.put(progress.row(), NONE, progress.round(), state, timestampNs);
    }

    /** Deletes the row that a left record has without a pair, since it is in one. */
    private boolean removeUnpaired(final int leftRow, final ShardState state, final long timestampNs) {
        final int alone = rows.pairs().alone(leftRow);
        return alone == NONE || rows.remove(alone, state, timestampNs);
    }

    /** Deletes rows of a changed record that were not put again. Returns false when that has to go on later. */
    private boolean remove(final ShardState state, final long timestampNs) {
        int joined;
        while ((joined = firstNotPut()) != NONE) {
            if (!progress.step() || !rows.remove(joined, state, timestampNs)) {
                return false;
            }
        }
        return true;
    }

    private int firstNotPut() {
        final JoinedPairs pairs = rows.pairs();
        return other(Objects.requireNonNull(progress.side())) == right
                ? pairs.otherOfLeft(progress.row(), progress.round())
                : pairs.otherOfRight(progress.row(), progress.round());
    }

    /** Deletes what an earlier run has left and this one has not made. Returns false when that has to go on later. */
    private boolean sweep(final ShardState state, final long timestampNs) {
        if (!isToBeSwept) {
            return true;
        }
        if (leftOver == null) {
            leftOver = rows.isKept() ? new int[0] : rows.leftOver();
        }
        while (swept < leftOver.length) {
            if (!progress.step() || !rows.removeLeftOver(leftOver[swept], state, timestampNs)) {
                return false;
            }
            swept++;
        }
        leftOver = null;
        isToBeSwept = false;
        rows.endKeeping();
        return true;
    }

    private void stop() {
        isStopped = true;
        left.changed().clear();
        right.changed().clear();
        lost.clear();
        progress.end();
    }
}
