package io.penstock.jmh.query;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.MessageFormats;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/** A store of orders of 120 bytes. Confined to one thread, or to its {@link Updates} as long as there are some. */
final class OrderRows implements AutoCloseable {
    private static final long MEMORY_LENGTH = 8L << 30;
    private static final long VERSIONS_LENGTH = 2L << 30;

    final StateMemory memory;
    private final Snapshots snapshots = new Snapshots();
    private final StateStore store;
    private final Topic topic = new Topic(0, 0, "orders", MessageFormats.formatFor("json"), StateRule.of("id", 0));
    private final SplittableRandom random = new SplittableRandom(1);
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final int rowCount;
    private long sequence;

    OrderRows(final int rowCount, final long columnLengthMax) {
        this.rowCount = rowCount;
        memory = new StateMemory(MEMORY_LENGTH, StateMemory.CHUNK_LENGTH_DEFAULT, columnLengthMax);
        store = new StateStore(memory, snapshots, VERSIONS_LENGTH);
        for (int i = 0; i < rowCount; i++) {
            put(i, order(i));
        }
    }

    int rowCount() {
        return rowCount;
    }

    private void put(final int id, final byte[] order) {
        key.putInt(0, id);
        sequence++;
        store.put(
                store.find(key, 0, Integer.BYTES),
                key,
                0,
                Integer.BYTES,
                new UnsafeBuffer(order),
                0,
                order.length,
                0,
                sequence,
                sequence,
                StateStore.NEVER);
    }

    private byte[] order(final int id) {
        final String symbol =
                "" + (char) ('A' + random.nextInt(26)) + (char) ('A' + random.nextInt(26)) + random.nextInt(5);
        return ("{\"id\":" + id + ",\"clOrdId\":\"ORD-" + id + "\",\"symbol\":\"" + symbol
                        + "\",\"side\":\"B\",\"price\":"
                        + random.nextInt(10_000) / 100.0 + ",\"qty\":" + random.nextInt(1_000)
                        + ",\"status\":\"NEW\",\"text\":\"client desk\"}")
                .getBytes(US_ASCII);
    }

    /** All rows as they are. */
    QuerySource open() {
        return new QuerySource(topic, store, snapshots.open(sequence), null);
    }

    void close(final QuerySource source) {
        snapshots.close(source.snapshot());
    }

    /** Changes rows at random until it is closed. */
    Updates update(final int perS) {
        return new Updates(perS);
    }

    @Override
    public void close() {
        store.close();
        memory.close();
    }

    /** The thread that changes rows, and opens snapshots for another one. */
    final class Updates implements AutoCloseable {
        private static final int ORDER_COUNT = 1 << 16;
        private static final int BATCH = 32;

        private final ConcurrentLinkedQueue<CompletableFuture<QuerySource>> asked = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<QuerySource> unused = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean isEnding = new AtomicBoolean();
        private final byte[][] orders = new byte[ORDER_COUNT][];
        private final int perS;
        private final Thread thread;
        private final long startNs;
        private final long before = sequence;

        private Updates(final int perS) {
            this.perS = perS;
            for (int i = 0; i < ORDER_COUNT; i++) {
                orders[i] = order(random.nextInt(rowCount));
            }
            startNs = System.nanoTime();
            thread = new Thread(this::run, "updates");
            thread.start();
        }

        private void run() {
            while (!isEnding.get()) {
                final double due = (System.nanoTime() - startNs) / 1e9 * perS;
                if (sequence - before < due) {
                    for (int i = 0; i < BATCH; i++) {
                        put(random.nextInt(rowCount), orders[random.nextInt(ORDER_COUNT)]);
                    }
                } else {
                    LockSupport.parkNanos(50_000);
                }
                serve();
            }
            serve();
        }

        private void serve() {
            for (CompletableFuture<QuerySource> next = asked.poll(); next != null; next = asked.poll()) {
                next.complete(OrderRows.this.open());
            }
            for (QuerySource done = unused.poll(); done != null; done = unused.poll()) {
                OrderRows.this.close(done);
            }
            store.reclaim(Integer.MAX_VALUE);
        }

        QuerySource open() {
            final CompletableFuture<QuerySource> request = new CompletableFuture<>();
            asked.add(request);
            return request.join();
        }

        void close(final QuerySource source) {
            unused.add(source);
        }

        long reachedPerS() {
            return (long) ((sequence - before) * 1e9 / (System.nanoTime() - startNs));
        }

        @Override
        public void close() {
            isEnding.set(true);
            try {
                thread.join();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
