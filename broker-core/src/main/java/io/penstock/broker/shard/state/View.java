package io.penstock.broker.shard.state;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.Aggregation;
import io.penstock.broker.query.GroupRow;
import io.penstock.broker.query.Projection;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.ViewRule;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageEditor;
import io.penstock.format.MessageFormat;
import io.penstock.format.RecordReader;
import java.util.ArrayDeque;
import java.util.BitSet;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A topic that is computed from another: each change of a record there changes rows here. Owned by the sequencer. Rows
 * wait when the log has no room; all changes of a batch that touch one group make one row.
 */
public final class View {
    /** Groups that one view may have. At the bound the view stops, and says so. */
    private static final int GROUP_COUNT_MAX = 1_000_000;

    private static final int ROW_LENGTH_INITIAL = 1024;

    /** Its place in the order of views, and among those that are not up to date. */
    final int place;

    final DueHeap.Entry<View> changed = new DueHeap.Entry<>(this);

    private final ViewRule rule;
    private final StateTopic target;
    private final @Nullable Filter filter;
    private final FieldReader reader;
    private final @Nullable Aggregation aggregation;
    private final @Nullable Projection projection;
    /** Reads what a row is of from its own columns; null when it has the key of the record that it is computed from. */
    private final @Nullable KeyReader keyReader;

    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer rowBytes = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer keyBytes = new UnsafeBuffer(0, 0);
    private final Publication publication = new Publication();
    private final ArrayDeque<Row> rows = new ArrayDeque<>();
    private UnsafeBuffer scratch = new UnsafeBuffer(new byte[ROW_LENGTH_INITIAL]);
    private int messageLength;
    private boolean isTouched;

    /** The rows of the view's topic that were computed so far; only while the view is rebuilt. */
    private @Nullable BitSet rebuilt;

    private boolean isStopped;
    private boolean isStopNotified;

    View(final ViewRule rule, final StateTopic source, final StateTopic target, final int place) {
        this.place = place;
        this.rule = rule;
        this.target = target;
        final MessageFormat format = source.topic.format();
        final FieldSet fields = new FieldSet();
        filter = rule.filter().isEmpty() ? null : FilterCompiler.compile(rule.filter(), fields, FilterLimits.DEFAULTS);
        reader = RecordReader.of(format, fields);
        final SelectList select = SelectList.parse(rule.select(), rule.groupBy(), FilterLimits.DEFAULTS);
        aggregation = select.isAggregate() ? new Aggregation(select, format, GROUP_COUNT_MAX) : null;
        projection = select.isAggregate() ? null : new Projection(select, format);
        keyReader = target.topic.newKeyReader();
    }

    /**
     * How the topic keeps state that is a view: by the columns that say what a row is of.
     *
     * @throws IllegalArgumentException when the view cannot be read, or these columns are not all selected.
     */
    public static StateRule stateRule(final ViewRule rule, final StateRule source) {
        final SelectList select = SelectList.parse(rule.select(), rule.groupBy(), FilterLimits.DEFAULTS);
        if (!select.isAggregate() && source.isPublisherKey()) {
            return StateRule.view(StateRule.PUBLISHER_KEY);
        }
        return StateRule.view(
                FieldSelection.of(select.keyPaths(source.keyFields())).text());
    }

    /** Whether it has more groups than it may have, and is no longer kept up to date. */
    boolean isStopped() {
        return isStopped;
    }

    String name() {
        return rule.name();
    }

    boolean isOf(final Topic topic) {
        return target.topic.id() == topic.id();
    }

    /** A record of the source was one version and is another; 0 is none. */
    void onChange(final long before, final long after) {
        if (isStopped) {
            return;
        }
        final boolean matchedBefore = matches(before);
        if (aggregation != null) {
            if (matchedBefore) {
                wrap(before);
                aggregation.headers(message, messageLength, message.capacity() - messageLength);
                aggregation.remove(message, 0, messageLength);
                isTouched = true;
            }
            if (matches(after)) {
                isTouched = true;
                aggregation.headers(message, messageLength, message.capacity() - messageLength);
                isStopped = !aggregation.add(message, 0, messageLength);
            }
            return;
        }
        if (matches(after)) {
            queue(after, project(), true);
        } else if (matchedBefore) {
            wrap(before);
            queue(before, project(), false);
        }
    }

    /**
     * Computes all rows from a source that was there before this was, and keeps ready those that are not what the view's
     * topic has of an earlier run. Called before the sequencer starts.
     */
    void rebuild(final StateStore source) {
        final BitSet found = new BitSet(target.store.rowCount());
        rebuilt = found;
        for (int row = 0, count = source.rowCount(); row < count; row++) {
            onChange(0, source.newest(row));
        }
        if (aggregation != null) {
            isTouched = false;
            aggregation.drainChanged(this::addRow);
        }
        rebuilt = null;
        for (int row = 0, count = target.store.rowCount(); row < count; row++) {
            final long version = target.store.newest(row);
            if (version != 0 && !found.get(row)) {
                Version.wrapKey(key, version);
                rows.add(new Row(copy(key, 0, key.capacity()), null));
            }
        }
    }

    /** Keeps the row in the scratch for {@link #apply}, unless it is what the topic has already after a start. */
    private void queue(final DirectBuffer rowKey, final int keyLength, final int rowLength, final boolean isThere) {
        final BitSet found = rebuilt;
        if (found != null && isThere) {
            final int present = target.store.find(rowKey, 0, keyLength);
            if (present != StateStore.NO_ROW) {
                found.set(present);
                Version.wrapMessage(rowBytes, target.store.newest(present));
                if (rowBytes.capacity() == rowLength && rowBytes.equals(new UnsafeBuffer(scratch, 0, rowLength))) {
                    return;
                }
            }
        }
        rows.add(new Row(copy(rowKey, 0, keyLength), isThere ? copy(scratch, 0, rowLength) : null));
    }

    /** Throws once when the view has stopped, for the error log: on no publisher's path. */
    void checkStopped() {
        if (isStopped && !isStopNotified) {
            isStopNotified = true;
            throw new IllegalStateException("view " + rule.name() + ": more than " + GROUP_COUNT_MAX
                    + " groups; it is no longer kept up to date (group by fields of fewer values)");
        }
    }

    /** Applies what has changed to the view's own records. Returns false when the log has no room for all of it now. */
    boolean apply(final ShardState state, final long timestampNs) {
        if (isTouched && aggregation != null) {
            isTouched = false;
            aggregation.drainChanged(this::addRow);
        }
        Row next;
        while ((next = rows.peek()) != null) {
            if (!apply(next, state, timestampNs)) {
                return false;
            }
            rows.remove();
        }
        return true;
    }

    private boolean apply(final Row row, final ShardState state, final long timestampNs) {
        keyBytes.wrap(row.key);
        final byte[] content = row.content;
        if (content != null) {
            rowBytes.wrap(content);
            publication
                    .of(target.topic().id(), 0, 0)
                    .payload(rowBytes, 0, content.length)
                    .record(keyBytes, 0, keyBytes.capacity(), false, Publication.EXPIRATION_OF_TOPIC)
                    .from(0, 0);
            return state.publish(target, publication, timestampNs);
        }
        final int present = target.store.find(keyBytes, 0, keyBytes.capacity());
        return present == StateStore.NO_ROW || state.delete(target, present, false, timestampNs);
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

    /** Makes the row of {@link #message}. Returns its length; it lies in the scratch. */
    private int project() {
        int length = MessageEditor.TOO_LONG;
        while (projection != null && (length = project(projection)) == MessageEditor.TOO_LONG) {
            scratch = new UnsafeBuffer(new byte[2 * scratch.capacity()]);
        }
        return length;
    }

    private int project(final Projection by) {
        by.headers(message, messageLength, message.capacity() - messageLength);
        return by.project(message, 0, messageLength, scratch, 0, scratch.capacity());
    }

    /** Keeps the row in the scratch, or that it is gone, under its key. */
    private void queue(final long version, final int rowLength, final boolean isThere) {
        if (keyReader == null) {
            Version.wrapKey(key, version);
            queue(key, key.capacity(), rowLength, isThere);
            return;
        }
        final String wrong = keyReader.read(scratch, 0, rowLength);
        if (wrong != null) {
            throw new IllegalStateException("view " + rule.name() + ": a row without its key: " + wrong);
        }
        queue(keyReader.buffer(), keyReader.length(), rowLength, isThere);
    }

    /** Whether a version is one that the view is about; it is in {@link #message} then. */
    private boolean matches(final long version) {
        if (version == 0) {
            return false;
        }
        wrap(version);
        if (filter == null) {
            return true;
        }
        reader.headers(message, messageLength, message.capacity() - messageLength);
        reader.wrap(message, 0, messageLength);
        return filter.matches(reader);
    }

    /** Moves {@link #message} to a version and the headers behind it. */
    private void wrap(final long version) {
        Version.wrapContent(message, version);
        messageLength = Version.messageLength(version);
    }

    private static byte[] copy(final DirectBuffer from, final int offset, final int length) {
        final byte[] bytes = new byte[length];
        from.getBytes(offset, bytes);
        return bytes;
    }

    /** A row that is to be put, or to go when it has no content. */
    private static final class Row {
        private final byte[] key;
        private final byte @Nullable [] content;

        private Row(final byte[] key, final byte @Nullable [] content) {
            this.key = key;
            this.content = content;
        }
    }
}
