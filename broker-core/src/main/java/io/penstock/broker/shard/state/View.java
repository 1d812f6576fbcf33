package io.penstock.broker.shard.state;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.Aggregation;
import io.penstock.broker.query.GroupRow;
import io.penstock.broker.query.Projection;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.ViewRule;
import io.penstock.format.FieldSelection;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A topic that is computed from another: each change of a record of the source changes rows of the view. Owned by the
 * sequencer. Rows wait when the log has no room; all changes of a batch that touch one group make one row.
 */
public final class View extends ComputedTopic {
    /** Groups that one view may have. At the bound the view stops, and says so. */
    static final int GROUP_COUNT_MAX = 1_000_000;

    /** Rows that are made in a duty cycle: changes of a time may be of very many groups. */
    private static final int ROW_LIMIT = 1024;

    private static final int ROW_LENGTH_INITIAL = 1024;

    /** Its place among those that messages leave when their time is up. */
    final DueHeap.Entry<View> leaving = new DueHeap.Entry<>(this, place);

    private final ViewRule rule;
    private final StateTopic target;
    private final ViewSource source;
    private final ViewRows rows;

    /** The groups; null when a row is of one record, or the view has stopped. */
    private @Nullable Aggregation aggregation;

    /** The messages that it is about; null when it is about records, or has stopped. */
    private @Nullable MovingWindow window;

    /** Makes the row of one record; null when rows are of groups, or the view has stopped. */
    private @Nullable Projection projection;

    /** Reads what a row is of from its own columns; null when it has the key of the record that it is computed from. */
    private final @Nullable KeyReader keyReader;

    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private UnsafeBuffer scratch = new UnsafeBuffer(new byte[ROW_LENGTH_INITIAL]);
    private boolean isTouched;

    /** Why it has stopped, until that is reported. */
    private @Nullable String bound;

    /** Computes all rows, when what it is computed from is up to date; null when that was done. */
    private @Nullable Runnable rebuilding;

    /** Memory of the window as it was said last. */
    private long saidLength;

    View(
            final ViewRule rule,
            final MessageFormat format,
            final StateTopic target,
            final int place,
            final int groupCountMax,
            final boolean isKept) {
        super(place);
        this.rule = rule;
        this.target = target;
        this.source = new ViewSource(rule.filter(), format);
        rows = new ViewRows(target, rule.window().isUsed(), isKept);
        final SelectList select = SelectList.parse(rule.select(), rule.groupBy(), FilterLimits.DEFAULTS);
        aggregation = select.isAggregate() ? new Aggregation(select, format, groupCountMax) : null;
        window = aggregation != null && rule.window().isUsed() ? new MovingWindow(rule.window(), aggregation) : null;
        projection = select.isAggregate() ? null : new Projection(select, format);
        keyReader = target.topic.newKeyReader();
    }

    /**
     * How the topic keeps state that is a view: by the columns that say what a row is of.
     *
     * @throws IllegalArgumentException when the view cannot be read, or these columns are not all selected.
     */
    public static StateRule stateRule(final ViewRule rule, final @Nullable StateRule source) {
        final SelectList select = SelectList.parse(rule.select(), rule.groupBy(), FilterLimits.DEFAULTS);
        if (!select.isAggregate() && rule.window().isUsed()) {
            throw new IllegalArgumentException(
                    "window: the select list has no aggregates: " + select.text() + " (select some, or leave it out)");
        }
        if (!select.isAggregate() && source != null && source.isPublisherKey()) {
            return StateRule.view(StateRule.PUBLISHER_KEY);
        }
        final FieldSelection key = source == null ? FieldSelection.NONE : source.keyFields();
        return StateRule.view(FieldSelection.of(select.keyPaths(key)).text());
    }

    /** Whether it has more groups or values than it may have, or has failed, and is no longer kept up to date. */
    @Override
    boolean isStopped() {
        return aggregation == null && projection == null;
    }

    @Override
    String name() {
        return rule.name();
    }

    @Override
    boolean isOf(final Topic topic) {
        return target.topic.id() == topic.id();
    }

    /** A record of the source was one version and is another; 0 is none. */
    void onChange(final long before, final long after) {
        if (isStopped() || rebuilding != null) {
            return;
        }
        final boolean matchedBefore = source.matches(before);
        final Aggregation groups = aggregation;
        if (groups != null) {
            if (matchedBefore) {
                source.wrap(before);
                groups.headers(source.message(), source.length(), source.headersLength());
                groups.remove(source.message(), 0, source.length());
                isTouched = true;
            }
            if (source.matches(after)) {
                isTouched = true;
                groups.headers(source.message(), source.length(), source.headersLength());
                if (!groups.add(source.message(), 0, source.length())) {
                    stop(groups.bound());
                }
            }
            return;
        }
        if (source.matches(after)) {
            queue(after, project(), true);
        } else if (matchedBefore) {
            source.wrap(before);
            queue(before, project(), false);
        }
    }

    /** Gives back what it has of messages and groups: nothing is taken out of them, and its rows stay as they are. */
    private void stop(final @Nullable String reached) {
        isTouched = false;
        bound = reached;
        aggregation = null;
        projection = null;
        window = null;
    }

    /** When a message leaves; {@link DueHeap#NEVER} when none does. */
    long dueNs() {
        return window == null ? DueHeap.NEVER : window.dueNs();
    }

    /** By how many bytes the memory of its window has changed since the last call. */
    long takeLengthChange() {
        final long length = window == null ? 0 : window.memoryLength();
        final long change = length - saidLength;
        saidLength = length;
        return change;
    }

    /** A message of the source has come. Returns how many have left before their time because of it. */
    long onMessage(final DirectBuffer record, final int offset) {
        final MovingWindow to = window;
        if (to == null || !source.matches(record, offset)) {
            return 0;
        }
        isTouched = true;
        final long cutCount = to.cutCount();
        if (!to.add(
                source.message(),
                0,
                source.length(),
                source.headersLength(),
                RecordDescriptor.timestampNs(record, offset))) {
            stop(aggregation == null ? null : aggregation.bound());
        }
        return to.cutCount() - cutCount;
    }

    /** Lets messages go whose time is up. Returns how many. */
    int evict(final long nowNs, final int limit) {
        final MovingWindow from = window;
        final int count = from == null ? 0 : from.evict(nowNs, limit);
        isTouched |= count > 0;
        return count;
    }

    /**
     * Takes the messages of an earlier run that have not left by now. All rows are computed from them, and from those that come
     * until then, when it is brought up to date first, and those are published that are not what the view's topic has of
     * that run. Called before the sequencer starts.
     */
    void rebuild(final int sourceId, final MessageHistory history, final long nowNs) {
        final Aggregation groups = aggregation;
        if (window == null || groups == null) {
            return;
        }
        new MovingRebuild(source, window, groups, this::onMessage).run(rule.window(), sourceId, history, nowNs);
        rebuilding = () -> groups.forEach(this::addRow);
    }

    /**
     * Takes a source that was there before this was. All rows are computed from it when it is brought up to date first: the
     * source may be a view that has to be, too. Those are published that are not what the view's topic has of an earlier run.
     * Called before the sequencer starts.
     */
    void rebuild(final StateStore from) {
        rebuilding = () -> {
            final Aggregation groups = aggregation;
            for (final int row : RowsInOrder.of(from, row -> true)) {
                onChange(0, from.newest(row));
            }
            if (groups != null) {
                groups.drainChanged(this::addRow);
            }
        };
    }

    @Override
    boolean isToBeReported() {
        return bound != null || (window != null && window.isCut());
    }

    @Override
    void checkStopped() {
        final String cut = window == null ? null : window.takeCut();
        if (cut != null) {
            throw new IllegalStateException("view " + rule.name() + ": " + cut);
        }
        final String reached = bound;
        if (reached != null) {
            bound = null;
            throw new IllegalStateException(
                    "view " + rule.name() + ": " + reached + "; it is no longer kept up to date");
        }
    }

    /**
     * Applies what has changed to the view's own records, some rows at a time. Returns false when that was not all, or the
     * log has no room for it now.
     */
    @Override
    boolean apply(final ShardState state, final long timestampNs) {
        final int count = rows.apply(state, timestampNs, ROW_LIMIT);
        if (!rows.isEmpty()) {
            return false;
        }
        final Runnable all = rebuilding;
        if (all != null) {
            // However many these are: rows have not been computed, and what the topic has is of an earlier run.
            evict(timestampNs, Integer.MAX_VALUE);
        }
        if ((all == null && !isTouched) || (window != null && !window.settle(timestampNs))) {
            return true;
        }
        // A row that cannot be made is not tried again without another change.
        isTouched = false;
        if (all != null) {
            rebuilding = null;
            rebuildBy(all);
        } else {
            isTouched = aggregation != null && !aggregation.drainChanged(this::addRow, ROW_LIMIT - count);
        }
        rows.apply(state, timestampNs, ROW_LIMIT);
        return rows.isEmpty() && !isTouched;
    }

    /** Computes all rows, or stops: some of them would look as if they were all. */
    private void rebuildBy(final Runnable all) {
        boolean isDone = false;
        try {
            rows.beginRebuild();
            all.run();
            rows.endRebuild();
            isTouched = false;
            isDone = true;
        } finally {
            if (!isDone) {
                rows.forget();
                stop("its rows could not be computed");
            }
        }
    }

    private void addRow(
            final DirectBuffer groupKey,
            final int offset,
            final int length,
            final long messageCount,
            final GroupRow row) {
        int rowLength;
        while ((rowLength = row.write(scratch, 0, scratch.capacity())) == MessageEditor.TOO_LONG) {
            scratch = new UnsafeBuffer(new byte[2 * scratch.capacity()]);
        }
        queue(0, rowLength, messageCount > 0);
    }

    /** Makes the row of the source. Returns its length; it lies in the scratch. */
    private int project() {
        int length = MessageEditor.TOO_LONG;
        while (projection != null && (length = project(projection)) == MessageEditor.TOO_LONG) {
            scratch = new UnsafeBuffer(new byte[2 * scratch.capacity()]);
        }
        return length;
    }

    private int project(final Projection by) {
        by.headers(source.message(), source.length(), source.headersLength());
        return by.project(source.message(), 0, source.length(), scratch, 0, scratch.capacity());
    }

    /** Keeps the row in the scratch, or its removal, under its key. */
    private void queue(final long version, final int rowLength, final boolean isThere) {
        if (keyReader == null) {
            Version.wrapKey(key, version);
            rows.add(key, key.capacity(), scratch, rowLength, isThere);
            return;
        }
        final String wrong = keyReader.read(scratch, 0, rowLength);
        if (wrong != null) {
            throw new IllegalStateException("view " + rule.name() + ": a row without its key: " + wrong);
        }
        rows.add(keyReader.buffer(), keyReader.length(), scratch, rowLength, isThere);
    }
}
