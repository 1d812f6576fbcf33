package io.penstock.jmh.state;

import io.penstock.broker.shard.store.KeyLookahead;
import io.penstock.broker.shard.store.Snapshot;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A million keys of 10 bytes with messages of 100: a look-up, an update, and a scan that adds up the words of all
 * messages; beside a loop that does the same over as many messages that lie in one piece of off-heap memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class StateStoreBenchmark {
    private static final int KEY_COUNT = 1_000_000;
    private static final int KEY_LENGTH = 10;
    private static final int MESSAGE_LENGTH = 100;
    private static final int FIRST_KEY = 1_000_000_000;
    /** Coprime with the count of keys, so that keys come in an order that no cache foresees. */
    private static final int STRIDE = 612_373;

    private final StateMemory memory = new StateMemory(1L << 30, StateMemory.CHUNK_LENGTH_DEFAULT);
    private final Snapshots snapshots = new Snapshots();
    private final StateStore store = new StateStore(memory, snapshots, 1L << 28);
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH]);
    private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(MESSAGE_LENGTH));
    private final KeyLookahead lookahead = new KeyLookahead();
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer flat = new UnsafeBuffer(ByteBuffer.allocateDirect(KEY_COUNT * MESSAGE_LENGTH));
    private int number;
    private long sequence;

    /** Fills the store and the plain memory. */
    @Setup
    public void fill() {
        for (int i = 0; i < KEY_COUNT; i++) {
            nextKey();
            message.putInt(0, i);
            update();
            flat.putBytes(i * MESSAGE_LENGTH, message, 0, MESSAGE_LENGTH);
        }
    }

    /** Gives the memory back. */
    @TearDown
    public void close() {
        store.close();
        memory.close();
    }

    /**
     * Finds a key and reads the first word of its message.
     *
     * @return the word.
     */
    @Benchmark
    public long lookUp() {
        nextKey();
        Version.wrapMessage(view, store.newest(store.find(key, 0, KEY_LENGTH)));
        return view.getLong(0);
    }

    /**
     * Finds a key and puts another message for it, of a length that changes.
     *
     * @return row.
     */
    @Benchmark
    public int update() {
        if (sequence > KEY_COUNT) {
            nextKey();
        }
        final int row = store.find(key, 0, KEY_LENGTH);
        final int length = MESSAGE_LENGTH - (int) (sequence & 31);
        if (!store.hasRoom(row, KEY_LENGTH, length)) {
            throw new IllegalStateException("no room");
        }
        return store.put(row, key, 0, KEY_LENGTH, message, 0, length, 0, ++sequence, sequence, Long.MAX_VALUE);
    }

    /**
     * The same for as many keys as are looked at together, after a look at them; the time is that of one.
     *
     * @return sum of the rows.
     */
    @Benchmark
    @OperationsPerInvocation(KeyLookahead.CAPACITY)
    public long updateAhead() {
        final int first = number;
        for (int i = 0; i < KeyLookahead.CAPACITY; i++) {
            nextKey();
            lookahead.add(store, key, 0, KEY_LENGTH);
        }
        lookahead.look();
        number = first;
        long rows = 0;
        for (int i = 0; i < KeyLookahead.CAPACITY; i++) {
            rows += update();
        }
        return rows;
    }

    /**
     * Reads all messages under a snapshot; the time is that of one.
     *
     * @return their sum.
     */
    @Benchmark
    @OperationsPerInvocation(KEY_COUNT)
    public long scan() {
        final Snapshot snapshot = snapshots.open(sequence);
        final int rowCount = store.rowCount();
        long sum = 0;
        for (int row = 0; row < rowCount; row++) {
            final long version = store.versionAt(row, snapshot.sequence());
            if (version != 0) {
                Version.wrapMessage(view, version);
                sum += sum(view, 0, view.capacity());
            }
        }
        snapshots.close(snapshot);
        return sum;
    }

    /**
     * Reads as many messages of one piece of memory; the time is that of one.
     *
     * @return their sum.
     */
    @Benchmark
    @OperationsPerInvocation(KEY_COUNT)
    public long scanPlainMemory() {
        long sum = 0;
        for (int i = 0; i < KEY_COUNT; i++) {
            sum += sum(flat, i * MESSAGE_LENGTH, MESSAGE_LENGTH);
        }
        return sum;
    }

    private static long sum(final UnsafeBuffer buffer, final int offset, final int length) {
        long sum = 0;
        for (int i = 0; i + Long.BYTES <= length; i += Long.BYTES) {
            sum += buffer.getLong(offset + i);
        }
        return sum;
    }

    private void nextKey() {
        number = (number + STRIDE) % KEY_COUNT;
        key.putNaturalIntAscii(0, FIRST_KEY + number);
    }
}
