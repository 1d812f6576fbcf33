package io.penstock.broker.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.aeron.cluster.ClusterTool;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes in one process: a publisher at each, the leader ends and comes back, then all nodes have the same log, and each
 * message once. Run by hand: it takes a while, and prints what it sees.
 */
final class ThreeNodes implements AutoCloseable {
    private static final int NODE_COUNT = 3;
    private static final int BATCH_COUNT = Integer.getInteger("batches", 400);
    private static final int MESSAGE_COUNT = 100;
    private static final int IN_FLIGHT = 16;
    private static final int BASE_PORT = 21_000;
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(120);

    private final Path directory;
    private final List<NodePlace> places = new ArrayList<>();
    private final @Nullable ClusterNode[] nodes = new ClusterNode[NODE_COUNT];
    private final AtomicLong[] applied = new AtomicLong[NODE_COUNT];
    private final @Nullable BatchSender[] senders = new BatchSender[NODE_COUNT];
    private final long[] incarnations = new long[NODE_COUNT];
    private final long[] sequences = new long[NODE_COUNT];
    private final UnsafeBuffer batch = new UnsafeBuffer(new byte[32 * 1024]);
    private final byte[] payload = "x".repeat(100).getBytes(UTF_8);

    ThreeNodes(final Path directory) {
        this.directory = directory;
        for (int i = 0; i < NODE_COUNT; i++) {
            places.add(new NodePlace(i, "localhost", BASE_PORT + 10 * i));
            applied[i] = new AtomicLong();
        }
    }

    public static void main(final String[] args) throws Exception {
        final Path directory = Files.createTempDirectory("nodes");
        try (ThreeNodes nodes = new ThreeNodes(directory)) {
            nodes.run();
        } finally {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    private void run() {
        for (int i = 0; i < NODE_COUNT; i++) {
            start(i);
        }
        await("a leader", () -> leader() >= 0);
        for (int i = 0; i < NODE_COUNT; i++) {
            connect(i);
        }
        final long startNs = System.nanoTime();
        publish(BATCH_COUNT, -1);
        print(startNs);

        final int first = leader();
        System.out.println("leader " + first + " ends, with commands in flight");
        fill();
        final long endNs = System.nanoTime();
        stop(first);
        await("another leader", () -> leader() >= 0 && leader() != first);
        System.out.println("leader " + leader() + " after " + ms(endNs) + " ms");
        // The publisher of the node that ended has to go on at another one, from the last message that was applied.
        publish(BATCH_COUNT, first);
        System.out.println("publishers of the other nodes have gone on after " + ms(endNs) + " ms");
        final long lost = sequences[first];
        sequences[first] = node((first + 1) % NODE_COUNT).applied().publisherSequence(first + 1);
        System.out.println("publisher " + first + ": " + lost + " handed over, " + sequences[first] + " applied");

        start(first);
        connect(first);
        publish(BATCH_COUNT, -1);
        System.out.println("all have gone on after " + ms(endNs) + " ms");
        print(startNs);
        check();
        restartAll();
    }

    /** All nodes end after a snapshot, and start from it. */
    private void restartAll() {
        final boolean isTaken = ClusterTool.snapshot(new File(directory(leader()), "cluster"), System.out);
        System.out.println("snapshot: " + isTaken);
        publish(BATCH_COUNT, -1);
        for (int i = 0; i < NODE_COUNT; i++) {
            stop(i);
        }
        for (int i = 0; i < NODE_COUNT; i++) {
            start(i);
        }
        await("a leader", () -> leader() >= 0);
        for (int i = 0; i < NODE_COUNT; i++) {
            connect(i);
        }
        publish(BATCH_COUNT, -1);
        check();
    }

    private File directory(final int index) {
        return directory.resolve("node-" + index).toFile();
    }

    private void start(final int index) {
        incarnations[index]++;
        final long incarnation = incarnations[index];
        applied[index].set(0);
        for (int attempt = 0; ; attempt++) {
            try {
                nodes[index] = new ClusterNode(
                        directory(index),
                        new File("/dev/shm/penstock-three-nodes-"
                                + ProcessHandle.current().pid() + "-" + index),
                        places.get(index),
                        places,
                        ClusterTimeouts.DEFAULTS,
                        Integer.getInteger("sync", 1),
                        (log, position) -> applied[index].set(log.appliedNumber(index, 0, incarnation)),
                        e -> System.out.println("node " + index + ": " + e));
                return;
            } catch (final RuntimeException e) {
                if (attempt == 20) {
                    throw e;
                }
                System.out.println("node " + index + " does not start yet: " + e.getMessage());
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            }
        }
    }

    private void connect(final int index) {
        senders[index] = new BatchSender(
                node(index).driverDirectory(),
                places,
                applied[index]::get,
                TimeUnit.SECONDS.toNanos(2),
                e -> System.out.println("sender " + index + ": " + e));
    }

    private void stop(final int index) {
        Objects.requireNonNull(senders[index]).close();
        senders[index] = null;
        node(index).close();
        nodes[index] = null;
    }

    private ClusterNode node(final int index) {
        return Objects.requireNonNull(nodes[index]);
    }

    private int leader() {
        for (int i = 0; i < NODE_COUNT; i++) {
            final ClusterNode node = nodes[i];
            if (node != null && node.isLeader()) {
                return i;
            }
        }
        return -1;
    }

    /** Each node's publisher publishes so many batches; they are all applied then. */
    private void publish(final int batchCount, final int except) {
        final int[] left = new int[NODE_COUNT];
        for (int i = 0; i < NODE_COUNT; i++) {
            left[i] = i == except ? 0 : batchCount;
        }
        await("all batches", () -> {
            boolean isDone = true;
            for (int i = 0; i < NODE_COUNT; i++) {
                final BatchSender sender = senders[i];
                if (sender == null) {
                    continue;
                }
                while (left[i] > 0 && sender.waitingCount() < IN_FLIGHT) {
                    offer(i, sender);
                    left[i]--;
                }
                sender.doWork(System.nanoTime());
                isDone &= left[i] == 0 && sender.waitingCount() == 0;
            }
            return isDone;
        });
    }

    /** Hands over commands and does not wait for them. */
    private void fill() {
        for (int i = 0; i < NODE_COUNT; i++) {
            final BatchSender sender = Objects.requireNonNull(senders[i]);
            for (int j = 0; j < IN_FLIGHT; j++) {
                offer(i, sender);
            }
            sender.doWork(System.nanoTime());
        }
    }

    private void offer(final int index, final BatchSender sender) {
        int at = CommandHeader.LENGTH;
        for (int i = 0; i < MESSAGE_COUNT; i++) {
            at += MessageEntry.put(batch, at, 1, index + 1, ++sequences[index], payload);
        }
        CommandHeader.put(batch, 0, index, 0, incarnations[index], sender.nextNumber(), MESSAGE_COUNT);
        sender.offer(batch, at);
    }

    private void check() {
        long expected = 0;
        for (final long sequence : sequences) {
            expected += sequence;
        }
        final long wanted = expected;
        await("all nodes", () -> {
            boolean isSame = true;
            for (int i = 0; i < NODE_COUNT; i++) {
                isSame &= node(i).applied().sequence() == wanted;
            }
            return isSame;
        });
        for (int i = 0; i < NODE_COUNT; i++) {
            final AppliedLog log = node(i).applied();
            System.out.println("node " + i + ": " + log.sequence() + " messages, checksum "
                    + Long.toHexString(log.checksum()) + ", " + log.repeatedCommands() + " commands and "
                    + log.duplicates() + " messages dropped");
            if (log.checksum() != node(0).applied().checksum()) {
                throw new IllegalStateException("nodes differ");
            }
        }
        System.out.println("SAME on all nodes: " + wanted);
    }

    private void print(final long startNs) {
        System.out.println(node((leader() + NODE_COUNT) % NODE_COUNT).applied().sequence() + " messages after "
                + ms(startNs) + " ms");
    }

    private static long ms(final long sinceNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs);
    }

    private void await(final String what, final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > WAIT_NS) {
                throw new IllegalStateException("waited too long for " + what);
            }
            LockSupport.parkNanos(100_000);
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < NODE_COUNT; i++) {
            if (senders[i] != null) {
                Objects.requireNonNull(senders[i]).close();
            }
            if (nodes[i] != null) {
                node(i).close();
            }
        }
    }
}
