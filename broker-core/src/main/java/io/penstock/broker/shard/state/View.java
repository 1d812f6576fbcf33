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
    private static final int GROUP_COUNT_MAX = 1_000_000;

    private static final int ROW_LENGTH_INITIAL = 1024;

    /** Its place among those that messages leave when their time is up. */
    final DueHeap.Entry<View> leaving = new DueHeap.Entry<>(this);

    private final ViewRule rule;
    private final StateTopic target;
    private final ViewSource source;
    private final ViewRows rows;
    private final @Nullable Aggregation aggregation;
    private final long valuesLengthMax;
    /** The messages that it is about; null when it is about records. */
    private final @Nullable MovingWindow window;

    private final @Nullable Projection projection;
    /** Reads what a row is of from its own columns; null when it has the key of the record that it is computed from. */
    private final @Nullable KeyReader keyReader;

    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private UnsafeBuffer scratch = new UnsafeBuffer(new byte[ROW_LENGTH_INITIAL]);
    private boolean isTouched;
    private boolean isStopped;
    private boolean isStopNotified;

    View(final ViewRule rule, final MessageFormat format, final StateTopic target, final int place) {
        super(place);
        this.rule = rule;
        this.target = target;
        this.source = new ViewSource(rule.filter(), format);
        rows = new ViewRows(target, rule.window().isUsed());
        final SelectList select = SelectList.parse(rule.select(), rule.groupBy(), FilterLimits.DEFAULTS);
        valuesLengthMax = select.valuesLengthMax();
        aggregation = select.isAggregate() ? new Aggregation(select, format, GROUP_COUNT_MAX) : null;
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

    /** Whether it has more groups or values than it may have, and is no longer kept up to date. */
    @Override
    boolean isStopped() {
        return isStopped;
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
        if (isStopped) {
            return;
        }
        final boolean matchedBefore = source.matches(before);
        if (aggregation != null) {
            if (matchedBefore) {
                source.wrap(before);
                aggregation.headers(source.message(), source.length(), source.headersLength());
                aggregation.remove(source.message(), 0, source.length());
                isTouched = true;
            }
            if (source.matches(after)) {
                isTouched = true;
                aggregation.headers(source.message(), source.length(), source.headersLength());
                isStopped = !aggregation.add(source.message(), 0, source.length());
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

    /** The messages that it is about; null when it is about records. */
    @Nullable
    MovingWindow window() {
        return window;
    }

    /** A message of the source has come. Returns how many have left before their time because of it. */
    long onMessage(final DirectBuffer record, final int offset) {
        final MovingWindow to = window;
        if (to == null || isStopped || !source.matches(record, offset)) {
            return 0;
        }
        isTouched = true;
        final long cutCount = to.cutCount();
        isStopped = !to.add(
                source.message(),
                0,
                source.length(),
                source.headersLength(),
                RecordDescriptor.timestampNs(record, offset));
        return to.cutCount() - cutCount;
    }

    /** Lets messages go whose time is up. Returns how many. */
    int evict(final long nowNs, final int limit) {
        final MovingWindow from = window;
        final int count = from == null || isStopped ? 0 : from.evict(nowNs, limit);
        isTouched |= count > 0;
        return count;
    }

    /**
     * Computes all rows from the messages of an earlier run that have not left by now, and keeps ready those that are not
     * what the view's topic has of that run. Called before the sequencer starts.
     */
    void rebuild(final int sourceId, final MessageHistory history, final long nowNs) {
        if (window == null || aggregation == null) {
            return;
        }
        rows.beginRebuild();
        new MovingRebuild(source, window, aggregation, this::onMessage).run(rule.window(), sourceId, history, nowNs);
        isTouched = false;
        aggregation.forEach(this::addRow);
        rows.endRebuild();
    }

    /**
     * Computes all rows from a source that was there before this was, and keeps ready those that are not what the view's
     * topic has of an earlier run. Called before the sequencer starts.
     */
    void rebuild(final StateStore from) {
        rows.beginRebuild();
        for (int row = 0, count = from.rowCount(); row < count; row++) {
            onChange(0, from.newest(row));
        }
        if (aggregation != null) {
            isTouched = false;
            aggregation.drainChanged(this::addRow);
        }
        rows.endRebuild();
    }

    @Override
    boolean isToBeReported() {
        return (isStopped && !isStopNotified) || (window != null && window.isCut());
    }

    @Override
    void checkStopped() {
        final String cut = window == null ? null : window.takeCut();
        if (cut != null) {
            throw new IllegalStateException("view " + rule.name() + ": " + cut);
        }
        if (isStopped && !isStopNotified) {
            isStopNotified = true;
            final boolean isFull = aggregation != null && aggregation.isFull();
            throw new IllegalStateException("view " + rule.name() + ": "
                    + (isFull
                            ? "the different values that it counts take more than " + valuesLengthMax
                                    + " bytes; it is no longer kept up to date (count those of another field)"
                            : "more than " + GROUP_COUNT_MAX
                                    + " groups; it is no longer kept up to date (group by fields of fewer values)"));
        }
    }

    /** Applies what has changed to the view's own records. Returns false when the log has no room for all of it now. */
    @Override
    boolean apply(final ShardState state, final long timestampNs) {
        if (isTouched && aggregation != null && (window == null || window.settle(timestampNs))) {
            isTouched = false;
            aggregation.drainChanged(this::addRow);
        }
        return rows.apply(state, timestampNs);
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
