package io.penstock.broker.agent;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.FilterLimits;
import io.penstock.broker.format.FieldReader;
import io.penstock.broker.format.FieldSet;
import io.penstock.broker.format.KeyReader;
import io.penstock.broker.format.MessageEditor;
import io.penstock.broker.format.MessageFormat;
import io.penstock.broker.query.Aggregation;
import io.penstock.broker.query.GroupRow;
import io.penstock.broker.query.Projection;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.session.StateChange;
import io.penstock.broker.state.DueHeap;
import io.penstock.broker.state.StateStore;
import io.penstock.broker.state.Version;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.ViewRule;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A topic that is computed from another: each change of a record there changes rows here. Owned by the sequencer. Rows
 * wait when the log has no room; all changes of a batch that touch one group make one row.
 */
final class View {
    /** Groups that one view may have. At the bound the view stops, and says so. */
    private static final int GROUP_COUNT_MAX = 1_000_000;

    private static final int ROW_LENGTH_INITIAL = 1024;

    /** The key of the one row of an aggregate without groups, whose own key is empty. */
    private static final byte[] KEY_OF_WHOLE = {0};

    /** Its place in the order of views, and among those that are not up to date. */
    final int place;

    final DueHeap.Entry<View> changed = new DueHeap.Entry<>(this);

    private final ViewRule rule;
    private final StateTopic target;
    private final @Nullable Filter filter;
    private final FieldReader reader;
    private final @Nullable Aggregation aggregation;
    private final @Nullable Projection projection;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer rowBytes = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer keyBytes = new UnsafeBuffer(0, 0);
    private final StateChange change = new StateChange();
    private final ArrayDeque<Row> rows = new ArrayDeque<>();
    private UnsafeBuffer scratch = new UnsafeBuffer(new byte[ROW_LENGTH_INITIAL]);
    private boolean isTouched;

    /** The groups that were computed so far; only while the view is rebuilt. */
    private @Nullable Set<ByteBuffer> rebuilt;

    private boolean isStopped;
    private boolean isStopTold;

    View(final ViewRule rule, final StateTopic source, final StateTopic target, final int place) {
        this.place = place;
        this.rule = rule;
        this.target = target;
        final MessageFormat format = source.topic.format();
        final FieldSet fields = new FieldSet();
        filter = rule.filter().isEmpty() ? null : FilterCompiler.compile(rule.filter(), fields, FilterLimits.DEFAULTS);
        reader = format.newReader(fields);
        final SelectList select = SelectList.parse(rule.select(), rule.groupBy(), FilterLimits.DEFAULTS);
        aggregation = select.isAggregate() ? new Aggregation(select, format, GROUP_COUNT_MAX) : null;
        projection = select.isAggregate() ? null : new Projection(select, format);
    }

    /** Whether it has more groups than it may have, and is no longer kept up to date. */
    boolean isStopped() {
        return isStopped;
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
                Version.wrapMessage(message, before);
                aggregation.remove(message, 0, message.capacity());
                isTouched = true;
            }
            if (matches(after)) {
                isTouched = true;
                isStopped = !aggregation.add(message, 0, message.capacity());
            }
            return;
        }
        final long version = after != 0 ? after : before;
        Version.wrapKey(key, version);
        final byte[] keyCopy = copy(key, 0, key.capacity());
        if (matches(after)) {
            queue(new Row(keyCopy, project()));
        } else if (matchedBefore) {
            queue(new Row(keyCopy, null));
        }
    }

    /**
     * Computes all rows from a source that was there before this was, and keeps ready those that are not what the view's
     * topic has of an earlier run. Called before the sequencer starts.
     */
    void rebuild(final StateStore source) {
        final Set<ByteBuffer> found = new HashSet<>();
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
            if (version != 0 && !isComputed(version, source, found)) {
                Version.wrapKey(key, version);
                rows.add(new Row(copy(key, 0, key.capacity()), null));
            }
        }
    }

    /** Whether a row of an earlier run is one of the view still. */
    private boolean isComputed(final long version, final StateStore source, final Set<ByteBuffer> found) {
        Version.wrapKey(key, version);
        if (aggregation != null) {
            return found.contains(ByteBuffer.wrap(copy(key, 0, key.capacity())));
        }
        final int row = source.find(key, 0, key.capacity());
        return row != StateStore.NO_ROW && matches(source.newest(row));
    }

    /** Keeps a row for {@link #apply}, unless it is what the topic has already after a start. */
    private void queue(final Row row) {
        final Set<ByteBuffer> found = rebuilt;
        if (found != null) {
            if (aggregation != null) {
                found.add(ByteBuffer.wrap(row.key));
            }
            if (isPresent(row)) {
                return;
            }
        }
        rows.add(row);
    }

    private boolean isPresent(final Row row) {
        keyBytes.wrap(row.key);
        final int present = target.store.find(keyBytes, 0, keyBytes.capacity());
        if (present == StateStore.NO_ROW || row.content == null) {
            return present == StateStore.NO_ROW && row.content == null;
        }
        Version.wrapMessage(rowBytes, target.store.newest(present));
        return rowBytes.capacity() == row.content.length && rowBytes.equals(new UnsafeBuffer(row.content));
    }

    /** Throws once when the view has stopped, for the error log: on no publisher's path. */
    void checkStopped() {
        if (isStopped && !isStopTold) {
            isStopTold = true;
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
            change.wrap(keyBytes, 0, keyBytes.capacity(), false, StateChange.EXPIRATION_OF_TOPIC, 0, 0);
            return state.publish(target, 0, 0, rowBytes, 0, content.length, change, timestampNs);
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
        final byte[] keyCopy = length == 0 ? KEY_OF_WHOLE : bounded(copy(groupKey, offset, length));
        if (messageCount == 0) {
            queue(new Row(keyCopy, null));
            return;
        }
        int rowLength;
        while ((rowLength = row.write(scratch, 0, scratch.capacity())) == MessageEditor.TOO_LONG) {
            scratch = new UnsafeBuffer(new byte[2 * scratch.capacity()]);
        }
        queue(new Row(keyCopy, Arrays.copyOf(scratch.byteArray(), rowLength)));
    }

    private byte[] project() {
        int length = MessageEditor.TOO_LONG;
        while (projection != null
                && (length = projection.project(message, 0, message.capacity(), scratch, 0, scratch.capacity()))
                        == MessageEditor.TOO_LONG) {
            scratch = new UnsafeBuffer(new byte[2 * scratch.capacity()]);
        }
        return Arrays.copyOf(scratch.byteArray(), length);
    }

    /** Whether a version is one that the view is about; it is in {@link #message} then. */
    private boolean matches(final long version) {
        if (version == 0) {
            return false;
        }
        Version.wrapMessage(message, version);
        if (filter == null) {
            return true;
        }
        reader.wrap(message, 0, message.capacity());
        return filter.matches(reader);
    }

    /** The key itself; of one too long for a record the start, and a digest of all of it in place of the rest. */
    private static byte[] bounded(final byte[] groupKey) {
        if (groupKey.length <= KeyReader.KEY_LENGTH_MAX) {
            return groupKey;
        }
        try {
            final byte[] digest = MessageDigest.getInstance("SHA-256").digest(groupKey);
            final byte[] shortened = Arrays.copyOf(groupKey, KeyReader.KEY_LENGTH_MAX);
            System.arraycopy(digest, 0, shortened, shortened.length - digest.length, digest.length);
            return shortened;
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("view: every Java platform has SHA-256", e);
        }
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
