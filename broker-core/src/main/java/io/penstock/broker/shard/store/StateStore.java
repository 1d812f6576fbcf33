package io.penstock.broker.shard.store;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The last value of every key of one topic. Each key has a row, a dense number that it keeps until it is deleted; each
 * change of a row makes a {@link Version}, which stays for as long as a {@link Snapshot} may meet it.
 *
 * <p>One thread writes, the shard's sequencer. Readers on other threads hold an open snapshot while they call and while
 * they use the addresses they get, and ask for its sequence or a later one. What a snapshot at P keeps is every version
 * that ended after P, those that began after it included: a reader may be on its way through them.
 *
 * <p>Sequences do not decrease from call to call, and are above that of every snapshot opened before. Rows in use take 24
 * bytes, keys 4 more; that memory is used again for other keys, and given back when the store is closed.
 */
public final class StateStore implements AutoCloseable {
    /** No row. */
    public static final int NO_ROW = -1;

    /** When records expire that never do. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Count of rows in a block. */
    public static final int BLOCK_LENGTH = RowTable.BLOCK_LENGTH;

    private final StateMemory memory;
    private final RowTable rows;
    private final KeyIndex index;
    private final KeptVersions kept;
    private final StoreRoom room;
    private final ExpiryIndex expiry;
    private final StoreTotals totals;

    /** Made by the first reader that wants one. */
    private final AtomicReference<@Nullable StoreAttachment> attachment = new AtomicReference<>();

    /**
     * Makes an empty store, which takes no memory yet.
     *
     * @param memory              of the shard.
     * @param snapshots           of the shard.
     * @param versionBudgetLength in bytes: beyond it the oldest snapshots become too old. The bytes held for snapshots
     *                            that are too old already do not count, and it bounds nothing else.
     */
    public StateStore(final StateMemory memory, final Snapshots snapshots, final long versionBudgetLength) {
        this(memory, snapshots, versionBudgetLength, KeyHash.DEFAULT);
    }

    StateStore(
            final StateMemory memory, final Snapshots snapshots, final long versionBudgetLength, final KeyHash hash) {
        this.memory = memory;
        rows = new RowTable(memory);
        index = new KeyIndex(memory, rows, hash);
        kept = new KeptVersions(memory, snapshots, rows, versionBudgetLength);
        room = new StoreRoom(memory, rows, index, kept);
        expiry = new ExpiryIndex(rows);
        totals = new StoreTotals(memory.live());
    }

    /**
     * Finds the row of a key. Called by the writer.
     *
     * @param key    buffer that holds the key.
     * @param offset of the key.
     * @param length of the key in bytes.
     * @return row, or {@link #NO_ROW} when there is no such key or it was deleted.
     */
    public int find(final DirectBuffer key, final int offset, final int length) {
        key.boundsCheck(offset, length);
        return index.find(key, offset, length);
    }

    /**
     * Whether there is memory for a put, which then succeeds if it is the next call that changes a store of this memory.
     * The stores' contents stay as they are. New keys are refused while there is still a reserve, a sixteenth of the
     * budget (half a MiB at least, but no more than a quarter), for updates; an update needs room for its version before
     * the one that it replaces is freed, and is refused when there is none. Called by the writer.
     *
     * @param row           of the key, or {@link #NO_ROW} for a new one.
     * @param newKeyLength  of the key in bytes.
     * @param newMessageLength of the message and its headers in bytes.
     * @return false when the put would fail.
     */
    public boolean hasRoom(final int row, final int newKeyLength, final int newMessageLength) {
        return room.hasRoom(row, newKeyLength, newMessageLength);
    }

    /**
     * Sets the last value of a key. Called by the writer.
     *
     * @param row           that {@link #find} gave for the key.
     * @param key           buffer that holds the key.
     * @param keyOffset     of the key.
     * @param newKeyLength  of the key in bytes.
     * @param message       buffer that holds the message, and its headers after it; may be the version that is replaced.
     * @param offset        of the message.
     * @param length        of the message in bytes.
     * @param headersLength of the headers in bytes; 0 for none.
     * @param sequence      of the change.
     * @param timestampNs   of the message.
     * @param expiresNs     when the key is to expire; {@code Long.MAX_VALUE} for never.
     * @return row of the key.
     * @throws IllegalStateException when there is no memory; nothing has changed then. {@link #hasRoom} says so before.
     */
    public int put(
            final int row,
            final DirectBuffer key,
            final int keyOffset,
            final int newKeyLength,
            final DirectBuffer message,
            final int offset,
            final int length,
            final int headersLength,
            final long sequence,
            final long timestampNs,
            final long expiresNs) {
        final int contentLength = length + headersLength;
        key.boundsCheck(keyOffset, newKeyLength);
        message.boundsCheck(offset, contentLength);
        final boolean isNew = row == NO_ROW;
        final long old = isNew ? 0 : rows.version(row);
        final boolean isKept = !isNew && kept.needs(old, sequence);
        final long version = room.allocate(isNew, newKeyLength, contentLength, isKept, expiresNs);
        final int changed = isNew ? rows.take() : row;
        Version.format(
                version,
                changed,
                newKeyLength,
                length,
                headersLength,
                sequence,
                timestampNs,
                expiresNs,
                isKept ? old : 0);
        Version.putKey(version, key, keyOffset, newKeyLength);
        Version.putContent(version, message, offset, contentLength);
        if (isNew) {
            index.add(changed, key, keyOffset, newKeyLength);
            totals.add(1, newKeyLength, contentLength);
        } else {
            totals.add(0, newKeyLength - Version.keyLength(old), contentLength - Version.contentLength(old));
        }
        rows.publish(changed, version, sequence);
        if (isKept) {
            kept.addReplaced(version);
        } else if (!isNew) {
            kept.freeAtOnce(old, sequence);
        }
        if (expiresNs != Long.MAX_VALUE) {
            expiry.add(changed, expiresNs);
        }
        return changed;
    }

    KeyIndex index() {
        return index;
    }

    /**
     * Deletes a key; needs no memory. Called by the writer.
     *
     * @param row      that {@link #find} gave for the key.
     * @param sequence of the change.
     */
    public void delete(final int row, final long sequence) {
        final long old = rows.newest(row);
        if (old == 0) {
            throw new IllegalArgumentException("state: delete of a row without a key: " + row);
        }
        index.remove(row);
        totals.add(-1, -Version.keyLength(old), -Version.contentLength(old));
        if (kept.needs(old, sequence)) {
            rows.publishDeleted(row, sequence);
            kept.addDeleted(row);
        } else {
            rows.publish(row, 0, sequence);
            rows.give(row);
            kept.freeAtOnce(old, sequence);
        }
    }

    /**
     * Whether {@link #nextExpired} could find something; cheap. Called by the writer.
     *
     * @param nowNs the time.
     * @return false when nothing has expired.
     */
    public boolean mayExpire(final long nowNs) {
        return expiry.mayExpire(nowNs);
    }

    /**
     * Finds the key that expires first, of those of one time that with the lowest sequence, if it has expired. The caller
     * deletes it, or puts it again with a later time, before the next call. Called by the writer.
     *
     * @param search  of the caller, for all its stores; says how far it is looked in one turn.
     * @param nowNs   the time.
     * @param untilNs up to when keys are looked for, the time or before: another store may have others that expire before.
     * @return row; {@link #NO_ROW} when there is none up to then, or {@link #earliestExpiryNs} is not after that time and it
     *     is found in another turn.
     */
    public int nextExpired(final ExpirySearch search, final long nowNs, final long untilNs) {
        return expiry.next(search, nowNs, untilNs);
    }

    /**
     * Before which time {@link #mayExpire} does not hold. Called by the writer.
     *
     * @return since 1970 in nanoseconds; {@code Long.MAX_VALUE} when nothing ever expires.
     */
    public long earliestExpiryNs() {
        return expiry.earliestNs();
    }

    /**
     * How far the oldest snapshot has to be for {@link #reclaim} to find something. Called by the writer.
     *
     * @return sequence; {@code Long.MAX_VALUE} when nothing is kept for snapshots.
     */
    public long reclaimableAt() {
        return kept.firstEnd();
    }

    /**
     * Frees versions and rows that no open snapshot needs, and gives at most one chunk of memory back to the system.
     * Called by the writer.
     *
     * @param limit count of versions.
     * @return count of versions that were freed.
     */
    public int reclaim(final int limit) {
        return room.reclaim(limit);
    }

    /**
     * How many rows were in use so far; they are numbered from 0. Any thread may ask.
     *
     * @return count of rows, those without a key included.
     */
    public int rowCount() {
        return rows.rowCount();
    }

    /**
     * The newest version of a row. Called by readers with an open snapshot, and by the writer.
     *
     * @param row below {@link #rowCount}.
     * @return address, or 0 when it has none or is deleted.
     */
    public long newest(final int row) {
        return rows.newest(row);
    }

    /**
     * The version of a row that a snapshot shows. Called by readers with an open snapshot.
     *
     * @param row      below {@link #rowCount}.
     * @param sequence of the snapshot, or a later one.
     * @return address, or 0 when the row had no key then.
     */
    public long versionAt(final int row, final long sequence) {
        return rows.versionAt(row, sequence);
    }

    /**
     * When a row was deleted that a snapshot still shows. Called by the writer.
     *
     * @param row that is deleted, and was there at an open snapshot.
     * @return sequence of the delete.
     */
    public long deletedAt(final int row) {
        return rows.deletedAt(row);
    }

    /**
     * How many blocks of {@link #BLOCK_LENGTH} rows there are. Any thread may ask.
     *
     * @return count, the last block that is not full included.
     */
    public int blockCount() {
        return rows.blockCount();
    }

    /**
     * The sequence that changed a block last. It is set before the row is: who finds it at or before the sequence of its
     * snapshot, behind its reads, has met nothing newer than its snapshot. Any thread may ask.
     *
     * @param block below {@link #blockCount}.
     * @return sequence; {@code Long.MIN_VALUE} when nothing has changed yet.
     */
    public long changedAt(final int block) {
        return rows.changedAt(block);
    }

    /**
     * Reads which rows of a block have changed between two sequences, the last change first. A row may be there more than
     * once. Called by readers with an open snapshot.
     *
     * @param block below {@link #blockCount}.
     * @param after sequence before the first change.
     * @param upTo  sequence of the last change; that of the snapshot.
     * @param into  gets the changes, {@link ChangeRing#CAPACITY} at most.
     * @return count of changes, or -1 when it is not known any more.
     */
    public int readChanges(final int block, final long after, final long upTo, final long[] into) {
        return rows.readChanges(block, after, upTo, into);
    }

    /**
     * What readers keep beside the rows. Called by readers with an open snapshot.
     *
     * @param make makes it, unless it is there; when two do at once, one of the two is used, and the other holds nothing.
     * @return the same one for all.
     */
    public StoreAttachment attachment(final Function<ColumnMemory, StoreAttachment> make) {
        final StoreAttachment present = attachment.getAcquire();
        if (present != null) {
            return present;
        }
        final StoreAttachment made = make.apply(memory.columns());
        final StoreAttachment other = attachment.compareAndExchange(null, made);
        return other == null ? made : other;
    }

    /** What readers keep beside the rows so far. Any thread may ask. */
    public @Nullable StoreAttachment attachment() {
        return attachment.getAcquire();
    }

    /** How many keys there are. Any thread may ask. */
    public long liveCount() {
        return totals.liveCount();
    }

    /** The length of all keys that there are, in bytes. Any thread may ask. */
    public long keyLength() {
        return totals.keyLength();
    }

    /** The length of the last messages of all keys, in bytes. Any thread may ask. */
    public long messageLength() {
        return totals.messageLength();
    }

    /**
     * The length of the versions that only snapshots need, their keys and heads included. Any thread may ask.
     *
     * @return bytes.
     */
    public long versionLength() {
        return kept.length();
    }

    /** Gives the store's memory back. No reader may use it any more. Called by the writer. */
    @Override
    public void close() {
        while (!isFreed()) {
            // One call does it.
            free(Integer.MAX_VALUE);
        }
    }

    /** The topic is deleted: its records count to {@link LiveLength} no more. Called by the writer. */
    public void end() {
        totals.end();
    }

    /**
     * Gives some of the store's memory back. From the first call on nothing else may be done with it, and no reader may use
     * it. Called by the writer, until {@link #isFreed}.
     *
     * @param limit count of versions, or of pages of tables.
     * @return count of those that were given back; a few more than the limit at most.
     */
    public int free(final int limit) {
        if (isFreed()) {
            return 0;
        }
        end();
        final StoreAttachment attached = attachment.getAcquire();
        final int pieces = attached == null ? 0 : attached.free(limit);
        if (pieces >= limit) {
            return pieces;
        }
        final int count = pieces + index.free(limit - pieces);
        return count < limit ? count + rows.free(limit - count) : count;
    }

    /** Whether all of the store's memory was given back, so that {@link #free} has nothing to do. Called by the writer. */
    public boolean isFreed() {
        return rows.isFreed() || memory.isClosed();
    }
}
