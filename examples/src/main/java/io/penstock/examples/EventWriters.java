package io.penstock.examples;

import io.penstock.client.Block;
import io.penstock.client.BlockWriter;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.SinkOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Four threads simulate events and write them into one file of the broker, in blocks that stay whole. */
public final class EventWriters {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int WRITER_COUNT = 4;
    private static final int BLOCK_COUNT = 5;
    private static final int EVENTS_A_BLOCK = 1_000;

    private EventWriters() {}

    /**
     * Writes twenty thousand events of eight bytes into the sink {@code events}.
     *
     * @param args the broker's endpoint.
     * @throws InterruptedException when the thread is interrupted.
     */
    public static void main(final String[] args) throws InterruptedException {
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITER_COUNT; i++) {
            final int writer = i;
            threads.add(new Thread(() -> write(args[0], writer), "writer-" + i));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads) {
            thread.join();
        }
    }

    private static void write(final String endpoint, final int number) {
        final ClientConfig config = ClientConfig.builder(endpoint)
                .name("writer-" + number)
                .reconnect()
                .build();
        try (PenstockClient client = PenstockClient.connect(config);
                BlockWriter writer = client.openSink("events", SinkOptions.of(EVENTS_A_BLOCK * Long.BYTES, 2))) {
            for (int i = 0; i < BLOCK_COUNT; i++) {
                final Block block = writer.claim(PATIENCE);
                for (int event = 0; event < EVENTS_A_BLOCK; event++) {
                    block.buffer().putLong(event * Long.BYTES, number);
                }
                block.submit(EVENTS_A_BLOCK * Long.BYTES);
            }
            writer.flush(PATIENCE);
            System.out.println("writer " + number + " has stored " + writer.storedCount() + " blocks");
        }
    }
}
