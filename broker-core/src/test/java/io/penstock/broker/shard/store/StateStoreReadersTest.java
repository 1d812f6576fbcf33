package io.penstock.broker.shard.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * One thread writes as a seed says; others scan under snapshots meanwhile and compare what they see with what the writer
 * knew when it opened them. All bytes of a message follow from its key and its sequence. The long form: {@code
 * -Dpenstock.seeds=100}.
 */
class StateStoreReadersTest {
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 2);
    private static final int READER_COUNT = 2;
    private static final int CHANGE_COUNT = 400_000;
    private static final int KEY_COUNT = 5_000;
    private static final int MESSAGE_LENGTH_MAX = 300;
    private static final long DELETED = 0;

    /** What a snapshot has to show: the sequence of each key's last change, or {@link #DELETED}. */
    private static final class Request {
        private final Snapshot snapshot;
        private final long[] sequences;

        private Request(final Snapshot snapshot, final long[] sequences) {
            this.snapshot = snapshot;
            this.sequences = sequences;
        }
    }

    private static final Request END = new Request(new Snapshots().open(0), new long[0]);

    private final LinkedBlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    private final Queue<Snapshot> done = new ConcurrentLinkedQueue<>();
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH_MAX]);

    @Test
    void shouldShowItsSequenceWhenScannedWhileBeingWritten() throws Exception {
        final ExecutorService executor = Executors.newFixedThreadPool(READER_COUNT);
        try {
            for (int seed = 0; seed < SEED_COUNT; seed++) {
                final Random random = new Random(seed);
                final int keyCount = seed % 2 == 0 ? KEY_COUNT : 20;
                final StateMemory memory = new StateMemory(256L << 20, StateMemory.CHUNK_LENGTH_MIN);
                final Snapshots snapshots = new Snapshots();
                final StateStore store = new StateStore(memory, snapshots, 8L << 20);
                final List<Future<Integer>> readers = new ArrayList<>();
                for (int i = 0; i < READER_COUNT; i++) {
                    readers.add(executor.submit(() -> readAll(store)));
                }
                write(store, snapshots, random, keyCount);
                int scanCount = 0;
                for (final Future<Integer> reader : readers) {
                    scanCount += reader.get();
                }
                assertThat(scanCount).as("seed %d", seed).isPositive();
                closeDone(snapshots);
                assertThat(snapshots.openCount()).isZero();
                while (store.reclaim(1_000) > 0) {
                    // Goes on while there is something.
                }
                assertThat(store.versionLength()).isZero();
                store.close();
                assertThat(memory.usedPageCount()).isZero();
                memory.close();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private void write(final StateStore store, final Snapshots snapshots, final Random random, final int keyCount) {
        final long[] sequences = new long[keyCount];
        for (int sequence = 1; sequence <= CHANGE_COUNT; sequence++) {
            final int number = random.nextInt(keyCount);
            key.putInt(0, number);
            final int row = store.find(key, 0, Integer.BYTES);
            assertThat(row == StateStore.NO_ROW).isEqualTo(sequences[number] == DELETED);
            if (row != StateStore.NO_ROW && random.nextInt(4) == 0) {
                store.delete(row, sequence);
                sequences[number] = DELETED;
            } else {
                final int length = length(number, sequence);
                message.setMemory(0, length, content(number, sequence));
                store.put(row, key, 0, Integer.BYTES, message, 0, length, 0, sequence, sequence, Long.MAX_VALUE);
                sequences[number] = sequence;
            }
            if (sequence % 64 == 0) {
                closeDone(snapshots);
                store.reclaim(200);
                if (requests.isEmpty() && snapshots.openCount() < 2 * READER_COUNT) {
                    requests.add(new Request(snapshots.open(sequence), sequences.clone()));
                }
            }
        }
        for (int i = 0; i < READER_COUNT; i++) {
            requests.add(END);
        }
    }

    private void closeDone(final Snapshots snapshots) {
        Snapshot snapshot = done.poll();
        while (snapshot != null) {
            snapshots.close(snapshot);
            snapshot = done.poll();
        }
    }

    private int readAll(final StateStore store) throws InterruptedException {
        int scanCount = 0;
        for (Request request = requests.take(); request != END; request = requests.take()) {
            for (int i = 0; i < 3; i++) {
                scan(store, request);
                scanCount++;
            }
            done.add(request.snapshot);
        }
        return scanCount;
    }

    private static void scan(final StateStore store, final Request request) {
        final long at = request.snapshot.sequence();
        final long[] unseen = request.sequences.clone();
        for (int block = 0; block < store.blockCount(); block++) {
            final int end = Math.min(store.rowCount(), (block + 1) * StateStore.BLOCK_LENGTH);
            boolean isNewer = false;
            for (int row = block * StateStore.BLOCK_LENGTH; row < end; row++) {
                final long version = store.versionAt(row, at);
                if (version != 0) {
                    final int number = check(version, row);
                    assertThat(Version.sequence(version)).isEqualTo(unseen[number]);
                    unseen[number] = DELETED;
                }
                final long newest = store.newest(row);
                if (newest != 0) {
                    check(newest, row);
                }
                isNewer |= newest != version;
            }
            assertThat(isNewer && store.changedAt(block) <= at).isFalse();
        }
        assertThat(Arrays.stream(unseen)).containsOnly(DELETED);
    }

    private static int check(final long version, final int row) {
        final int number = UnsafeApi.getInt(Version.keyAddress(version));
        final long sequence = Version.sequence(version);
        final long start = Version.messageAddress(version);
        final int length = Version.messageLength(version);
        if (Version.row(version) != row || length != length(number, sequence)) {
            throw new AssertionError("row " + row + ": not its version: key " + number + " at " + sequence);
        }
        final byte content = content(number, sequence);
        for (int i = 0; i < length; i++) {
            if (UnsafeApi.getByte(start + i) != content) {
                throw new AssertionError("row " + row + ": torn: key " + number + " at " + sequence);
            }
        }
        return number;
    }

    private static int length(final int number, final long sequence) {
        return (int) ((number * 31L + sequence * 17) % MESSAGE_LENGTH_MAX);
    }

    private static byte content(final int number, final long sequence) {
        return (byte) (number * 13L + sequence * 7);
    }
}
