package io.penstock.vm.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.SinkConfig;
import io.penstock.broker.SinksConfig;
import io.penstock.client.Block;
import io.penstock.client.BlockWriter;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.SinkOptions;
import io.penstock.vm.Guest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Producers that deliver blocks to a sink of a broker in the same process: over sockets, shared memory and the device. */
public class SinkComparison {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int TOTAL_LENGTH = 32 << 20;
    private static final int BLOCKS_OF_PRODUCER = 2;
    private static final String SINK = "events";

    /** The guest's network ends in the guest. */
    private static final SecurityConfig TRUSTING = new SecurityConfig(
            SecurityConfig.defaults().authenticator(), SecurityConfig.defaults().authorizer(), true);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "tcp, 65536, 1", "tcp, 65536, 8", "tcp, 65536, 60", "tcp, 2097152, 1", "tcp, 2097152, 8",
        "ipc, 65536, 1", "ipc, 65536, 8", "ipc, 65536, 60", "ipc, 2097152, 1", "ipc, 2097152, 8",
        "rdma, 65536, 1", "rdma, 65536, 8", "rdma, 65536, 60", "rdma, 2097152, 1", "rdma, 2097152, 8",
    })
    void shouldStoreEachBlockOnce(final String transport, final int length, final int producerCount) throws Exception {
        final String listen =
                transport.equals("ipc") ? "ipc:" + directory.resolve("ipc") : transport + "://" + Guest.ADDRESS + ":0";
        final int blockCount = TOTAL_LENGTH / length / producerCount;
        final List<PenstockClient> clients = new ArrayList<>();
        final List<BlockWriter> writers = new ArrayList<>();
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                .listen(listen)
                .security(TRUSTING)
                .sinks(SinksConfig.in(directory.toString(), SinkConfig.named(SINK)))
                .build())) {
            final long connectNs = connect(broker, length, producerCount, clients, writers);
            final long registerNs = writers.stream()
                    .mapToLong(writer -> writer.registrationTime().toNanos())
                    .sum();
            assertThat(writers).allMatch(writer -> writer.isPulled() != transport.equals("tcp"));

            final long ns = deliver(writers, length, blockCount);

            System.out.printf(
                    "sink: %s, %d producers of %d bytes: %.1f MB/s; each %.1f ms to connect and open, %.2f of it to"
                            + " register%n",
                    transport,
                    producerCount,
                    length,
                    (double) length * blockCount * producerCount * 1e3 / ns,
                    connectNs / 1e6 / producerCount,
                    registerNs / 1e6 / producerCount);
            writers.forEach(BlockWriter::close);
            clients.forEach(PenstockClient::close);
        }
        assertThat(numbers(length)).isEqualTo(all(blockCount * producerCount));
    }

    private static long connect(
            final Broker broker,
            final int length,
            final int producerCount,
            final List<PenstockClient> clients,
            final List<BlockWriter> writers) {
        final long startNs = System.nanoTime();
        for (int i = 0; i < producerCount; i++) {
            final PenstockClient client = PenstockClient.connect(
                    ClientConfig.builder(broker.endpoints().get(0).toString())
                            .requestTimeout(PATIENCE)
                            .closeTimeout(PATIENCE)
                            .build());
            clients.add(client);
            writers.add(client.openSink(SINK, SinkOptions.of(length, BLOCKS_OF_PRODUCER)));
        }
        return System.nanoTime() - startNs;
    }

    private static long deliver(final List<BlockWriter> writers, final int length, final int blockCount)
            throws InterruptedException {
        final Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
        final List<Thread> threads = new ArrayList<>();
        final long startNs = System.nanoTime();
        for (int i = 0; i < writers.size(); i++) {
            final BlockWriter writer = writers.get(i);
            final long first = (long) i * blockCount;
            final Thread thread = new Thread(() -> {
                try {
                    for (int number = 0; number < blockCount; number++) {
                        final Block block = writer.claim(PATIENCE);
                        block.buffer().putLong(0, first + number, ByteOrder.LITTLE_ENDIAN);
                        block.submit(length);
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
        return System.nanoTime() - startNs;
    }

    /** The numbers at the starts of blocks in the file. */
    private BitSet numbers(final int length) throws IOException {
        final ByteBuffer file =
                ByteBuffer.wrap(Files.readAllBytes(directory.resolve(SINK))).order(ByteOrder.LITTLE_ENDIAN);
        final BitSet numbers = new BitSet();
        for (int at = 0; at < file.capacity(); at += length) {
            final int number = (int) file.getLong(at);
            assertThat(numbers.get(number)).as("block %d twice", number).isFalse();
            numbers.set(number);
        }
        return numbers;
    }

    private static BitSet all(final int count) {
        final BitSet numbers = new BitSet();
        numbers.set(0, count);
        return numbers;
    }
}
