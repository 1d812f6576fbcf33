package io.penstock.broker.shard.state;

import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import java.util.ArrayDeque;
import java.util.BitSet;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Rows that a view has computed, and that wait until its topic has them. Owned by the sequencer. */
final class ViewRows {
    private final StateTopic target;
    private final boolean isOnlyChanges;
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer content = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer present = new UnsafeBuffer(0, 0);
    private final Publication publication = new Publication();
    private final ArrayDeque<Row> rows = new ArrayDeque<>();

    /** Whether the topic has the rows that it is to have, whatever is computed when the view is rebuilt. */
    private final boolean isKept;

    /** The rows of the view's topic that were computed so far; only while the view is rebuilt. */
    private @Nullable BitSet rebuilt;

    /**
     * Has no rows yet.
     *
     * @param target        the view's topic.
     * @param isOnlyChanges whether a row is left out that is what the topic has already.
     * @param isKept        whether rows stay as they are when all are computed.
     */
    ViewRows(final StateTopic target, final boolean isOnlyChanges, final boolean isKept) {
        this.isKept = isKept;
        this.target = target;
        this.isOnlyChanges = isOnlyChanges;
    }

    /** All rows are computed from here on: those are kept that are not what the topic has of an earlier run. */
    void beginRebuild() {
        rebuilt = new BitSet(target.store.rowCount());
    }

    /** All rows were computed: what else the topic has goes. */
    void endRebuild() {
        final BitSet found = rebuilt;
        rebuilt = null;
        if (found == null) {
            return;
        }
        if (isKept) {
            rows.clear();
            return;
        }
        for (final int row : RowsInOrder.of(target.store, row -> !found.get(row))) {
            Version.wrapKey(key, target.store.newest(row));
            rows.add(new Row(copy(key, 0, key.capacity()), null));
        }
    }

    /** Not all rows could be computed: none waits, and those that the topic has stay. */
    void forget() {
        rows.clear();
        rebuilt = null;
    }

    /**
     * Keeps a row for {@link #apply}, unless it is what the topic has already after a start.
     *
     * @param rowKey    of the row, from the beginning of the buffer.
     * @param keyLength in bytes.
     * @param row       its content, from the beginning of the buffer.
     * @param rowLength in bytes.
     * @param isThere   whether it is put; else it goes.
     */
    void add(
            final DirectBuffer rowKey,
            final int keyLength,
            final DirectBuffer row,
            final int rowLength,
            final boolean isThere) {
        final BitSet found = rebuilt;
        if (found != null && isThere) {
            final int present = target.store.find(rowKey, 0, keyLength);
            if (present != StateStore.NO_ROW) {
                found.set(present);
                Version.wrapMessage(content, target.store.newest(present));
                if (content.capacity() == rowLength && content.equals(new UnsafeBuffer(row, 0, rowLength))) {
                    return;
                }
            }
        }
        rows.add(new Row(copy(rowKey, 0, keyLength), isThere ? copy(row, 0, rowLength) : null));
    }

    /** Whether no row waits. */
    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Applies what waits to the topic, so many rows at most, and as far as the log has room. Returns how many. */
    int apply(final ShardState state, final long timestampNs, final int limit) {
        int count = 0;
        Row next;
        while (count < limit && (next = rows.peek()) != null && apply(next, state, timestampNs)) {
            rows.remove();
            count++;
        }
        return count;
    }

    private boolean apply(final Row row, final ShardState state, final long timestampNs) {
        key.wrap(row.key);
        final byte[] put = row.content;
        if (put != null) {
            content.wrap(put);
            if (isOnlyChanges && isPresent()) {
                return true;
            }
            publication
                    .of(target.topic().id(), 0, 0)
                    .payload(content, 0, put.length)
                    .record(key, 0, key.capacity(), false, Publication.EXPIRATION_OF_TOPIC)
                    .from(0, 0);
            return state.publish(target, publication, timestampNs);
        }
        final int present = target.store.find(key, 0, key.capacity());
        return present == StateStore.NO_ROW || state.delete(target, present, false, timestampNs);
    }

    /** Whether the topic has the content under the key already. */
    private boolean isPresent() {
        final int row = target.store.find(key, 0, key.capacity());
        if (row == StateStore.NO_ROW) {
            return false;
        }
        Version.wrapMessage(present, target.store.newest(row));
        return present.equals(content);
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
