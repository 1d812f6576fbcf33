package io.penstock.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SinkConfig;
import io.penstock.broker.SinksConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.client.Block;
import io.penstock.client.BlockWriter;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.SinkOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A producer, a broker, and a sink, over a fabric in memory. */
@Timeout(120)
class RdmaSinkTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PROPERTY = "penstock.rdma.verbs";
    private static final int BLOCK_LENGTH = 300_000;
    private static final int BLOCK_COUNT = 20;
    private static final int MEMORY = 1 << 20;

    @TempDir
    Path directory;

    @BeforeEach
    void choose() {
        System.setProperty(PROPERTY, FakeFabric.NAME);
    }

    @AfterEach
    void forget() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void shouldPullBlocksOutOfTheProducersMemoryWhenItDelivers() throws IOException {
        final ByteArrayOutputStream delivered = new ByteArrayOutputStream();
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                        .listen("rdma://127.0.0.1:0")
                        .threading(ThreadingMode.SHARED)
                        .sinks(SinksConfig.in(directory.toString(), SinkConfig.named("events"))
                                .withMemory(MEMORY, MEMORY))
                        .build());
                PenstockClient client = PenstockClient.connect(
                        ClientConfig.builder(broker.endpoints().get(0).toString())
                                .requestTimeout(PATIENCE)
                                .closeTimeout(PATIENCE)
                                .build());
                BlockWriter writer = client.openSink("events", SinkOptions.of(BLOCK_LENGTH, 3))) {
            assertThat(writer.isPulled()).isTrue();
            final Random random = new Random(3);
            for (int i = 0; i < BLOCK_COUNT; i++) {
                final byte[] bytes = new byte[1 + random.nextInt(BLOCK_LENGTH)];
                random.nextBytes(bytes);
                delivered.writeBytes(bytes);
                final Block block = writer.claim(PATIENCE);
                block.buffer().putBytes(0, bytes);
                block.submit(bytes.length, i);
            }
            writer.flush(PATIENCE);

            assertThat(writer.storedCount()).isEqualTo(BLOCK_COUNT);
            assertThat(Files.readAllBytes(directory.resolve("events"))).isEqualTo(delivered.toByteArray());
        }
    }
}
