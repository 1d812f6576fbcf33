package io.penstock.broker.query.column;

import io.penstock.broker.filter.value.Register;
import io.penstock.broker.shard.store.ChangeRing;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Brings columns of blocks up to a snapshot: reads the rows that have changed since, and those that were never read.
 * Confined to one query agent.
 *
 * <p><b>Why what it leaves is the state of a sequence.</b> It has the block's columns to itself. If they are of a later
 * sequence than the snapshot, they stay as they are, and rows that were never read are read as of that sequence: the
 * snapshot keeps the versions of all later sequences. Otherwise the sequencer has applied all changes up to the snapshot's
 * sequence P before this thread got the snapshot, so that the block's {@code changed at}, its last changes and its rows
 * show all of them, and perhaps some later ones. If {@code changed at}, C, is at or before P, nothing has changed between
 * C and P, and the columns are of C; else they are of P.
 */
public final class ColumnReader {
    /** Bytes of a line of the processor's cache. */
    private static final int LINE_LENGTH = 64;

    private static final int TOUCHED_LENGTH_MAX = 512;

    private final StateStore store;
    private final StoreColumns columns;
    private final Column[] wanted;
    private final FieldReader reader;
    private final ColumnPart[] parts;
    private final Register value = new Register();
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final long[] changes = new long[ChangeRing.CAPACITY];
    private final long[] changesOfNext = new long[ChangeRing.CAPACITY];
    private final long[] versions = new long[ChangeRing.CAPACITY];
    private long rowsRead;

    /** What was read of messages ahead, so that it is not left out. */
    long touched;

    /**
     * Reads some columns.
     *
     * @param store   of the rows.
     * @param columns of the store.
     * @param wanted  columns, each once.
     * @param format  of the messages.
     */
    public ColumnReader(
            final StateStore store, final StoreColumns columns, final List<Column> wanted, final MessageFormat format) {
        this.store = store;
        this.columns = columns;
        this.wanted = wanted.toArray(new Column[0]);
        parts = new ColumnPart[this.wanted.length];
        final FieldSet fields = new FieldSet();
        wanted.forEach(column -> fields.slotOf(column.path()));
        reader = format.newReader(fields);
    }

    /**
     * Rows whose messages were read.
     *
     * @return count so far.
     */
    public long rowsRead() {
        return rowsRead;
    }

    /**
     * Makes sure that a block has the columns.
     *
     * @param of    the block's columns, which the caller has.
     * @return false when there is no memory.
     */
    public boolean ensure(final BlockColumns of) {
        for (int i = 0; i < wanted.length; i++) {
            if (!of.ensure(wanted[i], columns.memory())) {
                return false;
            }
            parts[i] = of.part(wanted[i]);
        }
        return true;
    }

    /**
     * Brings the columns of a block up to a snapshot, or goes some way there.
     *
     * @param of       the block's columns, which the caller has and which {@link #ensure} has found memory for.
     * @param block    number of the block.
     * @param sequence of the snapshot.
     * @param limit    of the rows that are read, about.
     * @return whether they are there; otherwise it is to be called again, by whoever.
     */
    public boolean read(final BlockColumns of, final int block, final long sequence, final int limit) {
        if (of.sequence() < sequence) {
            catchUp(of, block, sequence);
        }
        boolean isStale = false;
        for (final ColumnPart part : parts) {
            isStale |= part.isStale();
        }
        return !isStale || readStale(of, block, Math.max(sequence, of.sequence()), limit);
    }

    /**
     * Whether the columns of a block are those of a snapshot, and no row has to be read for that.
     *
     * @param of       the block's columns, which the caller has and which {@link #ensure} has found memory for.
     * @param block    number of the block.
     * @param sequence of the snapshot.
     * @return whether {@link #read} has nothing to do, and {@link #readChanged} finds nothing.
     */
    public boolean isRead(final BlockColumns of, final int block, final long sequence) {
        if (of.sequence() > sequence || of.sequence() == BlockColumns.NEVER) {
            return false;
        }
        if (of.sequence() < sequence && store.changedAt(block) > of.sequence()) {
            return false;
        }
        for (final ColumnPart part : parts) {
            if (part.isStale()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Finds the rows of a block that have changed after a snapshot, if its columns are of a later sequence. Whoever has
     * brought them there has seen these changes, and has given the columns back since: so they are seen here, too.
     *
     * @param of       the block's columns, which the caller has.
     * @param block    number of the block.
     * @param sequence of the snapshot.
     * @param into     gets a bit for each row.
     */
    public void readChanged(final BlockColumns of, final int block, final long sequence, final long[] into) {
        Arrays.fill(into, 0);
        if (of.sequence() <= sequence) {
            return;
        }
        final int count = store.readChanges(block, sequence, of.sequence(), changes);
        for (int word = 0; word < into.length && count < 0; word++) {
            into[word] = of.changed(word, sequence);
        }
        for (int i = 0; i < count; i++) {
            final int row = ChangeRing.row(changes[i]);
            into[row / Long.SIZE] |= 1L << row;
        }
    }

    private void catchUp(final BlockColumns of, final int block, final long sequence) {
        final long changedAt = store.changedAt(block);
        final long before = of.sequence();
        if (changedAt <= before && before != BlockColumns.NEVER) {
            return;
        }
        final int count = before == BlockColumns.NEVER ? -1 : store.readChanges(block, before, sequence, changes);
        final long to = Math.min(changedAt, sequence);
        if (count < 0) {
            compareAll(of, block, sequence, to);
        }
        touchChanged(block, count);
        touchNext(block + 1, before, sequence);
        for (int i = 0; i < count; i++) {
            final int row = ChangeRing.row(changes[i]);
            final long changedBy = ChangeRing.sequence(changes[i], before);
            // Its last change comes first.
            if (of.since(row) < changedBy) {
                final long version = store.versionAt(firstRow(block) + row, sequence);
                touch(version);
                of.onChanged(row, version != 0, changedBy);
            }
        }
        of.sequence(to);
    }

    /**
     * Has the processor fetch the newest versions of the rows of a block that have changed, and where their values are: all at a
     * time, since none needs another one.
     */
    private void touchChanged(final int block, final int count) {
        for (int i = 0; i < count; i++) {
            versions[i] = store.newest(firstRow(block) + ChangeRing.row(changes[i]));
        }
        for (int i = 0; i < count; i++) {
            touched += versions[i] == 0 ? 0 : Version.sequence(versions[i]);
            for (final ColumnPart part : parts) {
                touched += part.touch(ChangeRing.row(changes[i]));
            }
        }
    }

    /** Has it fetch where the rows are that have changed in the block that comes next, as a rule. */
    private void touchNext(final int block, final long after, final long sequence) {
        if (firstRow(block) < store.rowCount()) {
            final int count = store.readChanges(block, after, sequence, changesOfNext);
            for (int i = 0; i < count; i++) {
                touched += store.newest(firstRow(block) + ChangeRing.row(changesOfNext[i]));
            }
        }
    }

    /** Has the processor fetch a message that will be read soon, while it goes on: several at a time, as a rule. */
    private void touch(final long version) {
        if (version != 0) {
            Version.wrapMessage(message, version);
            final int length = Math.min(message.capacity(), TOUCHED_LENGTH_MAX);
            for (int at = 0; at < length; at += LINE_LENGTH) {
                touched += message.getByte(at);
            }
        }
    }

    private void compareAll(final BlockColumns of, final int block, final long sequence, final long to) {
        final int first = firstRow(block);
        final int count = Math.min(StateStore.BLOCK_LENGTH, store.rowCount() - first);
        for (int row = 0; row < count; row++) {
            final long version = store.versionAt(first + row, sequence);
            // When a row that is not there was deleted is not known, so it counts as just now.
            final long since = version == 0 ? to : Version.sequence(version);
            if (version == 0 || !of.isPresent(row) || of.since(row) != since) {
                of.onChanged(row, version != 0, since);
            }
        }
    }

    private boolean readStale(final BlockColumns of, final int block, final long sequence, final int limit) {
        int count = 0;
        int presentCount = 0;
        for (int word = 0; word < ColumnPart.WORD_COUNT; word++) {
            long rows = 0;
            for (final ColumnPart part : parts) {
                rows |= part.stale(word);
            }
            if (rows != 0 && count >= limit) {
                return false;
            }
            presentCount += Long.bitCount(of.present(word));
            while (rows != 0) {
                final int row = Long.numberOfTrailingZeros(rows);
                rows &= rows - 1;
                final long version = store.versionAt(firstRow(block) + word * Long.SIZE + row, sequence);
                if (version != 0) {
                    readRow(version, word, row);
                    count++;
                }
                for (final ColumnPart part : parts) {
                    part.clearStale(word, 1L << row);
                }
            }
        }
        for (final ColumnPart part : parts) {
            part.onRead(presentCount);
        }
        return true;
    }

    private void readRow(final long version, final int word, final int row) {
        rowsRead++;
        Version.wrapMessage(message, version);
        reader.wrap(message, 0, message.capacity());
        for (int i = 0; i < parts.length; i++) {
            final ColumnPart part = parts[i];
            if ((part.stale(word) & 1L << row) != 0) {
                value.load(reader, i);
                part.put(word * Long.SIZE + row, value);
            }
        }
    }

    private static int firstRow(final int block) {
        return block * StateStore.BLOCK_LENGTH;
    }
}
