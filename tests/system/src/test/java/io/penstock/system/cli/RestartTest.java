package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.client.AckHandler;
import io.penstock.client.AckType;
import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Publication;
import io.penstock.client.PublishStore;
import io.penstock.client.ReplayRequest;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program publishes while its broker ends and starts again, and does nothing about that. */
@Timeout(180)
class RestartTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int RESTARTS = 4;
    private static final int STEP = 4_000;
    private static final int MESSAGES = (RESTARTS + 1) * STEP;
    private static final int FIRST_RECORD = 4096;
    private static final int FILE_LENGTH = 32 << 20;

    @TempDir
    private Path folder;

    private String endpoint = "tcp://127.0.0.1:0";

    /** Persisted messages that nobody has waited for yet. */
    private final Semaphore persisted = new Semaphore(0);

    /** A broker of this endpoint that may be ended, in whatever way. */
    private interface Started {
        String endpoint();

        void end() throws Exception;
    }

    /** Starts a broker. */
    private interface Starter {
        Started start() throws Exception;
    }

    @Test
    void shouldHaveEachMessageOnceAndInOrderWhenTheBrokerIsClosedAndStartedAgain() throws Exception {
        publishThrough(this::launch);
        assertThat(publisherSequences())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, MESSAGES).boxed().toList());
    }

    @Test
    void shouldHaveEachMessageOnceAndInOrderWhenTheBrokerIsKilled() throws Exception {
        publishThrough(this::fork);
        assertThat(publisherSequences())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, MESSAGES).boxed().toList());
    }

    @Test
    void shouldDeliverEachMessageOnceToANamedSubscriptionWhenTheBrokerIsKilled() throws Exception {
        final Started first = fork();
        endpoint = first.endpoint();
        final ClientConfig reader = ClientConfig.builder(endpoint)
                .name("reader")
                .bookmarkStore(BookmarkStore.inFile(folder.resolve("reader")))
                .streamLimit(MESSAGES)
                .streamLength(1 << 26)
                .reconnect(LONG)
                .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(50))
                .build();
        try (PenstockClient client = PenstockClient.connect(reader)) {
            final MessageStream stream = client.stream("reader", ReplayRequest.topic("orders"));
            first.end();
            publishThrough(this::fork, () -> {
                for (int i = 1; i <= MESSAGES; i++) {
                    final Message message = stream.poll(LONG);
                    if (message == null) {
                        throw new AssertionError("message " + i + " did not come");
                    }
                    assertThat(message.text()).isEqualTo("{\"n\":" + i + "}");
                }
                assertThat(stream.poll(Duration.ZERO)).isNull();
                // While there is a broker to answer it.
                stream.close();
            });
        }
    }

    @Test
    void shouldSendWhatAnEarlierRunOfTheProgramCouldNot() throws Exception {
        final Path path = folder.resolve("publisher");
        final Started first = launch();
        endpoint = first.endpoint();
        try (PenstockClient client = PenstockClient.connect(config(path))) {
            client.publish("orders", "{\"n\":1}");
            client.flush(LONG);
            first.end();
            // Whether or not the client knows by now, nobody takes this.
            client.publish("orders", "{\"n\":2}");
        }
        final Started second = launch();
        try (PenstockClient client = PenstockClient.connect(config(path))) {
            client.publish("orders", "{\"n\":3}");
            client.flush(LONG);
        }
        second.end();
        assertThat(publisherSequences()).containsExactly(1L, 2L, 3L);
    }

    private void publishThrough(final Starter starter) throws Exception {
        publishThrough(starter, () -> {});
    }

    private void publishThrough(final Starter starter, final Runnable check) throws Exception {
        Started broker = starter.start();
        endpoint = broker.endpoint();
        try (PenstockClient client = PenstockClient.connect(config(folder.resolve("publisher")))) {
            final CompletableFuture<Void> publishing = CompletableFuture.runAsync(() -> publishAll(client));
            for (int i = 0; i < RESTARTS; i++) {
                assertThat(persisted.tryAcquire(STEP / 2, LONG.toSeconds(), TimeUnit.SECONDS))
                        .as("messages are persisted, round %d", i)
                        .isTrue();
                broker.end();
                broker = starter.start();
            }
            publishing.get(LONG.toSeconds(), TimeUnit.SECONDS);
            client.flush(LONG);
            check.run();
        } finally {
            broker.end();
        }
    }

    private void publishAll(final PenstockClient client) {
        final Counting acks = new Counting();
        final Publication message = Publication.to("orders");
        for (int i = 1; i <= MESSAGES; i++) {
            message.text("{\"n\":" + i + "}");
            while (!client.tryPublish(message, AckType.PERSISTED.mask(), acks, i)) {
                Thread.onSpinWait();
            }
        }
    }

    private ClientConfig config(final Path store) {
        return ClientConfig.builder(endpoint)
                .name("desk")
                .publishStore(PublishStore.inFile(store, 1_000, 1 << 20, PublishStore.Sync.OS))
                .reconnect(LONG)
                .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(50))
                .requestTimeout(LONG)
                .closeTimeout(Duration.ZERO)
                .build();
    }

    private Started launch() {
        final Broker broker = Broker.launch(BrokerConfig.builder()
                .listen(endpoint)
                .journal(JournalConfig.in(folder.resolve("journal").toString()).withFileLength(FILE_LENGTH))
                .build());
        return new Started() {
            @Override
            public String endpoint() {
                return broker.endpoints().get(0).toString();
            }

            @Override
            public void end() {
                broker.drain(LONG);
                broker.close();
            }
        };
    }

    private Started fork() throws Exception {
        final Penstock process = Penstock.start(
                "serve",
                "--listen",
                endpoint,
                "--set",
                "journal.directory=" + folder.resolve("journal"),
                "--set",
                "journal.fileLength=" + FILE_LENGTH);
        final String line = process.awaitLine("listening on ");
        return new Started() {
            @Override
            public String endpoint() {
                return line.replaceFirst(".*listening on (\\S+).*", "$1");
            }

            @Override
            public void end() throws InterruptedException {
                process.close();
                process.await();
            }
        };
    }

    /** The publisher's sequences of all messages in the log, in its order. */
    private List<Long> publisherSequences() throws IOException {
        final List<Long> found = new ArrayList<>();
        final List<Path> files;
        try (Stream<Path> all = Files.list(folder.resolve("journal/shard-0"))) {
            files = all.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
        long sequence = 0;
        for (final Path file : files) {
            final UnsafeBuffer buffer = new UnsafeBuffer(Files.readAllBytes(file));
            int at = FIRST_RECORD;
            while (at + RecordDescriptor.HEADER_LENGTH <= buffer.capacity()
                    && RecordDescriptor.length(buffer, at) > 0) {
                final int type = RecordDescriptor.type(buffer, at);
                if (type != RecordDescriptor.TYPE_COMMIT) {
                    if (RecordDescriptor.sequence(buffer, at) != sequence + 1) {
                        break;
                    }
                    sequence++;
                }
                if (type == RecordDescriptor.TYPE_MESSAGE) {
                    found.add(RecordDescriptor.publisherSequence(buffer, at));
                }
                at += RecordDescriptor.alignedLength(RecordDescriptor.length(buffer, at));
            }
        }
        return found;
    }

    private final class Counting implements AckHandler {
        @Override
        public void onAck(final long correlationId, final AckType type, final long publisherSequence) {
            persisted.release();
        }

        @Override
        public void onFailure(final long correlationId, final PenstockException reason) {
            throw reason;
        }
    }
}
