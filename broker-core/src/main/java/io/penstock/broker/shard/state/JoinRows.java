package io.penstock.broker.shard.state;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.ItemWriter;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.query.join.JoinedReader;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.state.join.JoinedPairs;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.JoinRule;
import io.penstock.broker.topic.ViewRule;
import io.penstock.format.FieldSet;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageEditor;
import java.util.Objects;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a join: makes them of pairs of records, and puts them into the join's topic. A row that would be what is there
 * already is not put again. Owned by the sequencer.
 */
final class JoinRows {
    private static final int NONE = JoinedPairs.NONE;

    private final String name;
    private final StateTopic target;
    private final @Nullable Filter filter;
    private final ItemWriter writer;
    private final JoinReading pair;
    private final KeyReader keyReader;
    private final JoinedPairs pairs = new JoinedPairs();
    private final Publication publication = new Publication();
    private final UnsafeBuffer present = new UnsafeBuffer(0, 0);
    private final RowScratch scratch;

    /** Writes of a row what says what it is of. */
    private final ItemWriter keyWriter;

    /** Whether the topic has the rows that it is to have, whatever is computed: until all are, at a start. */
    private boolean isKept;

    JoinRows(
            final ViewRule rule,
            final JoinRule join,
            final StateTopic left,
            final StateTopic right,
            final StateTopic target,
            final RowScratch scratch,
            final boolean isKept) {
        this.isKept = isKept;
        name = rule.name();
        this.target = target;
        this.scratch = scratch;
        final FieldSet fields = new FieldSet();
        filter = rule.filter().isBlank() ? null : FilterCompiler.compile(rule.filter(), fields, FilterLimits.DEFAULTS);
        writer = ItemWriter.of(
                SelectList.parse(rule.select(), "", FilterLimits.DEFAULTS), fields, target.topic.format());
        keyWriter = writer.only(target.rule.keyFields().paths().stream()
                .map(path -> path.steps().get(0).name())
                .toList());
        pair = new JoinReading(fields, join, left, right);
        keyReader = Objects.requireNonNull(target.topic.newKeyReader());
    }

    /** Records may have changed since the last call. */
    void forget() {
        pair.forget();
    }

    /** Which pairs the rows are made of. */
    JoinedPairs pairs() {
        return pairs;
    }

    /**
     * Puts the row of a pair, unless the filter leaves it out.
     *
     * @param leftRow  that is there.
     * @param rightRow that is there, or {@link JoinedPairs#NONE}.
     * @param round    of what is done.
     * @return false when the log has no room now, and then nothing has changed.
     */
    boolean put(
            final int leftRow, final int rightRow, final int round, final ShardState state, final long timestampNs) {
        final JoinedReader reader = pair.read(leftRow, rightRow);
        if (filter != null && !filter.matches(reader)) {
            return true;
        }
        final int length = write(writer, reader);
        final boolean isLeftOut = scratch.leavesOut(length);
        final int keyedLength = isLeftOut ? write(keyWriter, reader) : length;
        if (keyedLength == MessageEditor.TOO_LONG) {
            // Its key alone is far too long: such a row was never there.
            return true;
        }
        readKey(keyedLength);
        final int known = find();
        if (!isKept && !isLeftOut && (known == StateStore.NO_ROW || !isPresent(known, length))) {
            publication
                    .of(target.topic.id(), 0, 0)
                    .payload(scratch.buffer(), 0, length)
                    .record(keyReader.buffer(), 0, keyReader.length(), false, Publication.EXPIRATION_OF_TOPIC)
                    .from(0, 0);
            if (!state.publish(target, publication, timestampNs)) {
                return false;
            }
        }
        final int made = known == StateStore.NO_ROW ? find() : known;
        if (made != StateStore.NO_ROW) {
            pairs.put(made, leftRow, rightRow, round);
        }
        return true;
    }

    private int find() {
        return target.store.find(keyReader.buffer(), 0, keyReader.length());
    }

    private int write(final ItemWriter by, final JoinedReader reader) {
        int length;
        do {
            length = by.write(reader, scratch.buffer(), 0, scratch.buffer().capacity());
        } while (scratch.isGrown(length));
        return length;
    }

    private void readKey(final int length) {
        final String wrong = keyReader.read(scratch.buffer(), 0, length);
        if (wrong != null) {
            throw new IllegalStateException("view " + name + ": a row without its key: " + wrong);
        }
    }

    private boolean isPresent(final int known, final int length) {
        Version.wrapMessage(present, target.store.newest(known));
        if (present.capacity() != length) {
            return false;
        }
        final UnsafeBuffer row = scratch.buffer();
        for (int i = 0; i < length; i++) {
            if (present.getByte(i) != row.getByte(i)) {
                return false;
            }
        }
        return true;
    }

    /** Deletes a row. Returns false when the log has no room now, and then nothing has changed. */
    boolean remove(final int joined, final ShardState state, final long timestampNs) {
        if (!state.delete(target, joined, false, timestampNs)) {
            return false;
        }
        pairs.remove(joined);
        return true;
    }

    /** Forgets all pairs: no row is made any more. */
    void free() {
        pairs.free();
        scratch.free();
    }

    boolean isKept() {
        return isKept;
    }

    /** All rows were computed: from now on changes are published. */
    void endKeeping() {
        isKept = false;
    }

    /** The rows that are there of an earlier run and made of no pair in this one, in the order of their sequences. */
    int[] leftOver() {
        return RowsInOrder.of(target.store, joined -> pairs.left(joined) == NONE);
    }

    /** Deletes a row of an earlier run, if it still is one. Returns false when the log has no room now. */
    boolean removeLeftOver(final int joined, final ShardState state, final long timestampNs) {
        return target.store.newest(joined) == 0
                || pairs.left(joined) != NONE
                || state.delete(target, joined, false, timestampNs);
    }
}
