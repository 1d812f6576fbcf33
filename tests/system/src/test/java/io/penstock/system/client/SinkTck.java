package io.penstock.system.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SinkConfig;
import io.penstock.broker.SinksConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.client.BackPressureException;
import io.penstock.client.Block;
import io.penstock.client.BlockListener;
import io.penstock.client.BlockWriter;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.SinkOptions;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What producers may expect of a sink, whatever is between them and the broker. */
@Timeout(120)
abstract class SinkTck {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MEMORY = 1 << 20;
    private static final int HEADER = 16;

    private final String listen;
    private final boolean pulls;

    @TempDir
    Path directory;

    SinkTck(final String listen, final boolean pulls) {
        this.listen = listen;
        this.pulls = pulls;
    }

    private Broker launch(final String endpoint) {
        return Broker.launch(BrokerConfig.builder()
                .listen(endpoint)
                .threading(ThreadingMode.SHARED)
                .sinks(SinksConfig.in(directory.toString(), SinkConfig.named("events"))
                        .withMemory(MEMORY, MEMORY))
                .build());
    }

    private static ClientConfig.Builder config(final Broker broker) {
        return ClientConfig.builder(broker.endpoints().get(0).toString())
                .requestTimeout(PATIENCE)
                .closeTimeout(PATIENCE);
    }

    private byte[] file() throws IOException {
        return Files.readAllBytes(directory.resolve("events"));
    }

    private static void put(final BlockWriter writer, final byte[] bytes, final long tag) {
        final Block block = writer.claim(PATIENCE);
        block.buffer().putBytes(0, bytes);
        block.submit(bytes.length, tag);
    }

    @Test
    void shouldReportThePlaceOfEachBlockInTheFile() throws IOException {
        record Stored(long tag, long number, long offset, int length) {}
        final Queue<Stored> stored = new ConcurrentLinkedQueue<>();
        final BlockListener listener = new BlockListener() {
            @Override
            public void onStored(
                    final long tag, final long blockId, final long number, final long offset, final int length) {
                stored.add(new Stored(tag, number, offset, length));
            }
        };
        try (Broker broker = launch(listen);
                PenstockClient client = PenstockClient.connect(config(broker).build());
                BlockWriter writer =
                        client.openSink("events", SinkOptions.of(300_000, 3).listener(listener))) {
            assertThat(writer.memoryLength()).isBetween(900_000L, 900_000L + 3 * 64);
            assertThat(writer.isPulled()).isEqualTo(pulls);
            final List<byte[]> blocks = new ArrayList<>();
            final Random random = new Random(3);
            for (int i = 0; i < 20; i++) {
                final byte[] bytes = new byte[1 + random.nextInt(300_000)];
                random.nextBytes(bytes);
                blocks.add(bytes);
                put(writer, bytes, i);
            }
            writer.flush(PATIENCE);

            final ByteBuffer file = ByteBuffer.wrap(file());
            assertThat(stored).hasSize(20);
            for (final Stored each : stored) {
                final byte[] bytes = new byte[each.length];
                file.get((int) each.offset, bytes);
                assertThat(bytes).isEqualTo(blocks.get((int) each.tag));
                assertThat(each.number).isEqualTo(each.tag + 1);
            }
            assertThat(writer.storedCount()).isEqualTo(20);
            assertThat(writer.storedLength()).isEqualTo(file.capacity());
            awaitNone(broker, "blockMemoryUsed");
        }
    }

    @Test
    void shouldMergeWholeBlocksInEachProducersOrderWhenThereAreMany() throws Exception {
        final int producerCount = 12;
        final int blockCount = 40;
        try (Broker broker = launch(listen)) {
            final List<Thread> threads = new ArrayList<>();
            final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < producerCount; i++) {
                final int producer = i;
                final Thread thread = new Thread(() -> {
                    try (PenstockClient client =
                                    PenstockClient.connect(config(broker).build());
                            BlockWriter writer = client.openSink("events", SinkOptions.of(100_000, 2))) {
                        final Random random = new Random(producer);
                        for (int number = 0; number < blockCount; number++) {
                            put(writer, numbered(random, producer, number), 0);
                        }
                        writer.flush(PATIENCE);
                    } catch (final RuntimeException e) {
                        failures.add(e);
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (final Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        }

        final int[] next = new int[producerCount];
        final ByteBuffer file = ByteBuffer.wrap(file());
        while (file.hasRemaining()) {
            final int producer = file.getInt();
            assertThat(file.getInt()).isEqualTo(next[producer]++);
            final byte[] rest = new byte[(int) file.getLong()];
            file.get(rest);
            for (final byte each : rest) {
                assertThat(each).isEqualTo((byte) producer);
            }
        }
        assertThat(next).containsOnly(blockCount);
    }

    private static byte[] numbered(final Random random, final int producer, final int number) {
        final int length = random.nextInt(100_000 - HEADER);
        final byte[] bytes = new byte[HEADER + length];
        Arrays.fill(bytes, (byte) producer);
        ByteBuffer.wrap(bytes).putInt(producer).putInt(number).putLong(length);
        return bytes;
    }

    @Test
    void shouldStoreEachBlockOnceWhenTheBrokerIsStartedAgainMeanwhile() throws Exception {
        final Broker first = launch(listen);
        final String endpoint = first.endpoints().get(0).toString();
        final int blockCount = 60;
        final long closeNs;
        try (PenstockClient client = PenstockClient.connect(ClientConfig.builder(endpoint)
                        .reconnect()
                        .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(20))
                        .requestTimeout(PATIENCE)
                        .closeTimeout(PATIENCE)
                        .build());
                BlockWriter writer = client.openSink("events", SinkOptions.of(100_000, 4))) {
            for (int i = 0; i < blockCount / 3; i++) {
                put(writer, numbered(new Random(i), 1, i), i);
            }
            first.close();
            final Broker second = launch(endpoint);
            try {
                for (int i = blockCount / 3; i < blockCount; i++) {
                    put(writer, numbered(new Random(i), 1, i), i);
                }
                writer.flush(PATIENCE);
            } finally {
                second.close();
            }
            assertThat(writer.storedCount()).isEqualTo(blockCount);
            closeNs = System.nanoTime();
        } finally {
            first.close();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - closeNs))
                .as("closing without a connection")
                .isLessThan(PATIENCE.dividedBy(2));

        int next = 0;
        final ByteBuffer file = ByteBuffer.wrap(file());
        while (file.hasRemaining()) {
            assertThat(file.getInt()).isEqualTo(1);
            assertThat(file.getInt()).isEqualTo(next++);
            file.position(file.position() + Long.BYTES + (int) file.getLong(file.position()));
        }
        assertThat(next).isEqualTo(blockCount);
    }

    @Test
    void shouldStoreWhatADrainingBrokerRefusedWhenItIsStartedAgain() throws IOException {
        final Broker first = launch(listen);
        final String endpoint = first.endpoints().get(0).toString();
        try (PenstockClient client = PenstockClient.connect(ClientConfig.builder(endpoint)
                        .reconnect()
                        .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(20))
                        .requestTimeout(PATIENCE)
                        .closeTimeout(PATIENCE)
                        .build());
                BlockWriter writer = client.openSink("events", SinkOptions.of(100, 4))) {
            put(writer, new byte[] {1}, 0);
            writer.flush(PATIENCE);
            assertThat(first.drain(PATIENCE)).isTrue();
            put(writer, new byte[] {2}, 0);
            put(writer, new byte[] {3}, 0);
            // The second goes after the blocks, and so its answer behind theirs.
            client.flush(PATIENCE);
            client.flush(PATIENCE);
            first.close();
            try (Broker second = launch(endpoint)) {
                writer.flush(PATIENCE);
                awaitCount(second, "blocksStored", 2);
            }
            assertThat(writer.storedCount()).isEqualTo(3);
        } finally {
            first.close();
        }

        assertThat(file()).containsExactly(1, 2, 3);
    }

    @Test
    void shouldWaitForABlockAndThenRefuseWhenAllAreInUse() {
        try (Broker broker = launch(listen);
                PenstockClient client = PenstockClient.connect(config(broker).build());
                BlockWriter writer = client.openSink("events", SinkOptions.of(1_000, 2))) {
            final Block one = writer.claim(PATIENCE);
            final Block two = writer.claim(PATIENCE);
            assertThatThrownBy(() -> writer.claim(Duration.ofMillis(20)))
                    .isInstanceOf(BackPressureException.class)
                    .hasMessageContaining("all 2");
            one.release();
            assertThat(writer.claim(PATIENCE)).isSameAs(one);
            one.release();
            two.submit(10);
            assertThatThrownBy(() -> two.submit(10)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(two::release).isInstanceOf(IllegalStateException.class);
            final Block next = writer.claim(PATIENCE);
            assertThatThrownBy(() -> next.submit(1_001)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> next.submit(0)).isInstanceOf(IllegalArgumentException.class);
            next.release();
        }
    }

    @Test
    void shouldSayWhyWhenTheBrokerRefuses() {
        try (Broker broker = launch(listen);
                PenstockClient client = PenstockClient.connect(config(broker).build())) {
            assertThatThrownBy(() -> client.openSink("nothing", SinkOptions.of(1_000, 1)))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("no such sink: nothing (use one of events)");
            try (BlockWriter writer = client.openSink("events", SinkOptions.of(MEMORY + 1, 1))) {
                writer.claim(PATIENCE).submit(MEMORY + 1);
                assertThatThrownBy(() -> writer.flush(PATIENCE))
                        .isInstanceOfSatisfying(
                                PenstockException.class,
                                reason -> assertThat(reason.errorCode()).isEqualTo(ErrorCode.MESSAGE_TOO_LONG));
                put(writer, new byte[] {1}, 0);
                writer.flush(PATIENCE);
            }
        }
    }

    @Test
    void shouldFailWhatIsNotStoredWhenTheConnectionIsLostForGood() {
        final Broker broker = launch(listen);
        try (PenstockClient client = PenstockClient.connect(config(broker).build())) {
            final BlockWriter writer = client.openSink("events", SinkOptions.of(1_000, 2));
            put(writer, new byte[] {1}, 0);
            writer.flush(PATIENCE);
            broker.close();
            assertThatThrownBy(() -> {
                        put(writer, new byte[] {2}, 0);
                        writer.flush(PATIENCE);
                    })
                    .isInstanceOf(PenstockException.class);
            assertThatThrownBy(() -> writer.claim(PATIENCE)).isInstanceOf(PenstockException.class);
            writer.close();
        } finally {
            broker.close();
        }
    }

    @Test
    void shouldFreeEverythingWhenProducersComeAndGo() throws Exception {
        try (Broker broker = launch(listen)) {
            for (int i = 0; i < 30; i++) {
                try (PenstockClient client =
                                PenstockClient.connect(config(broker).build());
                        BlockWriter writer = client.openSink("events", SinkOptions.of(100_000, 2))) {
                    put(writer, new byte[] {(byte) i}, 0);
                }
            }
            awaitNone(broker, "sinkWriters");
            awaitNone(broker, "blockMemoryUsed");
            assertThat(file()).hasSize(30);
        }
    }

    private static void awaitNone(final Broker broker, final String counter) {
        awaitCount(broker, counter, 0);
    }

    /** Counters change after what they count. */
    private static void awaitCount(final Broker broker, final String counter, final long count) {
        final long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (broker.counter(counter) != count && System.nanoTime() - deadlineNs < 0) {
            Thread.onSpinWait();
        }
        assertThat(broker.counter(counter)).as(counter).isEqualTo(count);
    }
}
