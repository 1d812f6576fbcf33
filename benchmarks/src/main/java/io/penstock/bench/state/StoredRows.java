package io.penstock.bench.state;

import io.penstock.bench.figure.Pace;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.store.KeyLookahead;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.MessageFormats;
import io.penstock.standalone.CommandFailure;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A store of orders, as a broker keeps them for a topic. Documents are made in batches, beside the time that counts. Owned
 * by the main thread, which is the store's writer.
 */
final class StoredRows implements AutoCloseable {
    /** Above what a row takes of memory, with all that is about it. */
    static final long ROW_LENGTH_MAX = 320;

    private static final long FIXED_LENGTH_MAX = 64L << 20;
    private static final int BATCH = 1024;

    private final int rowCount;
    private final StateMemory memory;
    private final Snapshots snapshots = new Snapshots();
    private final StateStore store;
    private final KeyLookahead lookahead = new KeyLookahead();
    private final Topic topic = new Topic(0, 0, "orders", MessageFormats.formatFor("json"), StateRule.of("id", 0));
    private final UnsafeBuffer documents = new UnsafeBuffer(new byte[BATCH * OrderDocuments.LENGTH_MAX]);
    private final UnsafeBuffer keys = new UnsafeBuffer(new byte[BATCH * OrderDocuments.ID_LENGTH]);
    private final int[] lengths = new int[BATCH];
    private final int[] numbers = new int[BATCH];
    private long sequence;

    StoredRows(final int rowCount) {
        this.rowCount = rowCount;
        final long budget = rowCount * ROW_LENGTH_MAX + FIXED_LENGTH_MAX;
        memory = new StateMemory(budget, StateMemory.CHUNK_LENGTH_DEFAULT);
        store = new StateStore(memory, snapshots, budget);
    }

    int rowCount() {
        return rowCount;
    }

    StateStore store() {
        return store;
    }

    long reservedLength() {
        return memory.reservedLength();
    }

    /** The source of a query: all rows as they are now, until {@link #close(QuerySource)}. */
    QuerySource open() {
        return new QuerySource(topic, store, snapshots.open(sequence), null);
    }

    void close(final QuerySource source) {
        snapshots.close(source.snapshot());
    }

    /** Puts so many rows, in the order of a walk; each with its version. */
    Pace put(final Walk walk, final int count, final int version) {
        final Stopwatch watch = new Stopwatch();
        for (int done = 0; done < count; done += BATCH) {
            final int batch = Math.min(BATCH, count - done);
            make(walk, batch, version);
            watch.start();
            memory.prepare();
            for (int i = 0; i < batch; i++) {
                if (i % KeyLookahead.CAPACITY == 0) {
                    lookAhead(i, Math.min(batch, i + KeyLookahead.CAPACITY));
                }
                put(i);
            }
            watch.stop();
        }
        return watch.pace(count);
    }

    /** As a sequencer does with the messages in its inbox. */
    private void lookAhead(final int from, final int end) {
        for (int i = from; i < end; i++) {
            lookahead.add(store, keys, i * OrderDocuments.ID_LENGTH, OrderDocuments.ID_LENGTH);
        }
        lookahead.look();
    }

    private void put(final int index) {
        final int keyOffset = index * OrderDocuments.ID_LENGTH;
        final int row = store.find(keys, keyOffset, OrderDocuments.ID_LENGTH);
        if (!store.hasRoom(row, OrderDocuments.ID_LENGTH, lengths[index])) {
            throw CommandFailure.failed(
                    "bench: the state is full: " + memory.reservedLength() + " bytes (use fewer --rows)");
        }
        sequence++;
        store.put(
                row,
                keys,
                keyOffset,
                OrderDocuments.ID_LENGTH,
                documents,
                index * OrderDocuments.LENGTH_MAX,
                lengths[index],
                0,
                sequence,
                sequence,
                Long.MAX_VALUE);
    }

    /** Writes over the rows where they lie, found by a plain index: no versions, nobody may read meanwhile. */
    Pace overwrite(final PlainIndex index, final Walk walk, final int count, final int version) {
        final Stopwatch watch = new Stopwatch();
        for (int done = 0; done < count; done += BATCH) {
            final int batch = Math.min(BATCH, count - done);
            make(walk, batch, version);
            watch.start();
            for (int i = 0; i < batch; i++) {
                PlainLoops.overwrite(
                        index.find(keys, i * OrderDocuments.ID_LENGTH),
                        documents,
                        i * OrderDocuments.LENGTH_MAX,
                        lengths[i]);
            }
            watch.stop();
        }
        return watch.pace(count);
    }

    /** Copies as many documents and keys to new memory, one after the other, and notes where each is. */
    Pace copy(final int count) {
        final Stopwatch watch = new Stopwatch();
        final Walk walk = Walk.inOrder(rowCount);
        try (PlainMemory to = new PlainMemory(count)) {
            for (int done = 0; done < count; done += BATCH) {
                final int batch = Math.min(BATCH, count - done);
                make(walk, batch, 0);
                watch.start();
                for (int i = 0; i < batch; i++) {
                    to.add(keys, i * OrderDocuments.ID_LENGTH, documents, i * OrderDocuments.LENGTH_MAX, lengths[i]);
                }
                watch.stop();
            }
        }
        return watch.pace(count);
    }

    private void make(final Walk walk, final int count, final int version) {
        for (int i = 0; i < count; i++) {
            numbers[i] = walk.next();
            lengths[i] = OrderDocuments.write(numbers[i], version, documents, i * OrderDocuments.LENGTH_MAX);
            keys.putNaturalLongAscii(i * OrderDocuments.ID_LENGTH, OrderDocuments.FIRST_ID + numbers[i]);
        }
    }

    @Override
    public void close() {
        store.close();
        memory.close();
    }
}
