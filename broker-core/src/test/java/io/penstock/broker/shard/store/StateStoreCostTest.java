package io.penstock.broker.shard.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What a store costs: memory for each key, and nothing on the heap. */
class StateStoreCostTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP_COUNT = 20_000;
    private static final int COUNT = 100_000;
    /** Far below one object an operation; some bytes the measurement itself takes, once. */
    private static final long BYTES_MAX = COUNT / 5;

    private static final int OVERHEAD_LENGTH_MAX = 96;

    private final ExpirySearch search = new ExpirySearch();
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[16]);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[1 << 20]);

    @Test
    void shouldTakeFewBytesBesideKeyAndMessageWhenAllKeysWereUpdatedFiveTimes() {
        final int keyCount = 1_000_000;
        final int order = 612_373;
        final Random random = new Random(1);
        try (StateMemory memory = new StateMemory(1L << 30, StateMemory.CHUNK_LENGTH_DEFAULT);
                StateStore store = new StateStore(memory, new Snapshots(), 1 << 20)) {
            long peak = 0;
            for (int round = 0; round < 6; round++) {
                for (int i = 0; i < keyCount; i++) {
                    // Another order in each round, and from 70 to 129 bytes.
                    final int length = 70 + random.nextInt(60);
                    final int number = (int) ((long) i * order % keyCount + round) % keyCount;
                    put(store, number, length, (long) round * keyCount + i);
                }
                store.reclaim(1);
                peak = Math.max(peak, memory.reservedLength());
            }
            while (memory.trim()) {
                assertThat(memory.reservedLength()).isPositive();
            }
            final long payload = store.keyLength() + store.messageLength();
            assertThat(store.liveCount()).isEqualTo(keyCount);
            final double overhead = (double) (memory.reservedLength() - payload) / keyCount;
            System.out.printf(
                    "state: %d keys of %d bytes with the message: %.1f bytes more each, %d reserved, %d at the peak%n",
                    keyCount, payload / keyCount, overhead, memory.reservedLength(), peak);
            assertThat(overhead).isLessThanOrEqualTo(OVERHEAD_LENGTH_MAX);
        }
    }

    @Test
    void shouldAllocateNothingOnTheHeapWhenWarm() {
        final Snapshots snapshots = new Snapshots();
        try (StateMemory memory = new StateMemory(1L << 28, StateMemory.CHUNK_LENGTH_DEFAULT);
                StateStore store = new StateStore(memory, snapshots, 1L << 28)) {
            work(store, WARM_UP_COUNT, 0);
            final Snapshot snapshot = snapshots.open(WARM_UP_COUNT);
            work(store, WARM_UP_COUNT, WARM_UP_COUNT);
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            work(store, COUNT, 2L * WARM_UP_COUNT);
            final long between = THREADS.getCurrentThreadAllocatedBytes();
            snapshots.close(snapshot);
            store.reclaim(Integer.MAX_VALUE);
            work(store, COUNT, COUNT + 2L * WARM_UP_COUNT);
            final long after = THREADS.getCurrentThreadAllocatedBytes();
            assertThat(between - before).as("while a snapshot is open").isLessThan(BYTES_MAX);
            assertThat(after - between).as("when it is closed").isLessThan(BYTES_MAX);
        }
    }

    /** Finds, puts, expires and deletes. */
    private void work(final StateStore store, final int count, final long sequence) {
        for (int i = 0; i < count; i++) {
            final int number = i * 31 % 1_000;
            if (i % 5 == 0 && find(store, number) != StateStore.NO_ROW) {
                store.delete(find(store, number), sequence + i);
            } else {
                put(store, number, 100 + i % 50, sequence + i);
            }
            final long nowNs = sequence + i;
            search.beginTurn();
            final int expired = store.mayExpire(nowNs) ? store.nextExpired(search, nowNs, nowNs) : StateStore.NO_ROW;
            if (expired != StateStore.NO_ROW) {
                store.delete(expired, sequence + i);
            }
        }
    }

    /** Takes about 6 GiB of memory: {@code -Dpenstock.large=true}. */
    @Test
    @EnabledIfSystemProperty(named = "penstock.large", matches = "true")
    void shouldShowEveryMessageWhenBeyondFourGibibytes() {
        final int keyCount = 5_500;
        try (StateMemory memory = new StateMemory(7L << 30, 64 << 20);
                StateStore store = new StateStore(memory, new Snapshots(), 1 << 20)) {
            final int length = 1 << 20;
            for (int i = 0; i < keyCount; i++) {
                message.putInt(0, i);
                message.putInt(length - Integer.BYTES, ~i);
                put(store, i, length, i);
            }
            assertThat(memory.reservedLength()).isGreaterThan(4L << 30);
            assertThat(store.messageLength()).isEqualTo((long) keyCount << 20);
            final UnsafeBuffer view = new UnsafeBuffer(0, 0);
            for (int i = 0; i < keyCount; i++) {
                Version.wrapMessage(view, store.newest(find(store, i)));
                assertThat(view.getInt(0)).isEqualTo(i);
                assertThat(view.getInt(length - Integer.BYTES)).isEqualTo(~i);
            }
        }
    }

    /** Takes about 3 GiB of memory and a minute: {@code -Dpenstock.large=true}. */
    @Test
    @EnabledIfSystemProperty(named = "penstock.large", matches = "true")
    void shouldShowEveryRowWhenTenMillionKeysTakeFourGibibytes() {
        final int keyCount = 10_000_000;
        final int length = 400;
        try (StateMemory memory = new StateMemory(6L << 30, 16 << 20);
                StateStore store = new StateStore(memory, new Snapshots(), 1 << 20)) {
            for (int i = 0; i < keyCount; i++) {
                message.putInt(0, ~i);
                put(store, i, length, i);
            }
            assertThat(memory.reservedLength()).isGreaterThan(4L << 30);
            for (int i = 0; i < keyCount; i++) {
                final long version = store.newest(find(store, i));
                if (Version.row(version) != i
                        || Version.sequence(version) != i
                        || Version.messageLength(version) != length) {
                    throw new AssertionError("not the version of " + i);
                }
            }
            for (int i = 0; i < keyCount; i++) {
                store.delete(i, keyCount);
            }
            while (memory.trim()) {
                assertThat(memory.reservedLength()).isPositive();
            }
            assertThat(memory.reservedLength()).isLessThan(400L << 20);
        }
    }

    private int find(final StateStore store, final int number) {
        key.putIntAscii(0, 1_000_000_000 + number);
        return store.find(key, 0, 10);
    }

    private void put(final StateStore store, final int number, final int length, final long sequence) {
        final int row = find(store, number);
        if (!store.hasRoom(row, 10, length)) {
            throw new AssertionError("no room for " + number);
        }
        final long expiresNs = number % 10 == 0 ? sequence + 1_000 : Long.MAX_VALUE;
        store.put(row, key, 0, 10, message, 0, length, 0, sequence, sequence, expiresNs);
    }
}
