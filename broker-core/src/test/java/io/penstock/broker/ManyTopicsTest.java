package io.penstock.broker;

import static io.penstock.broker.RawClient.ACK_PROCESSED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.journal.SyncPolicy;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics by the hundred thousand: what each takes, and that nothing takes long for them. */
class ManyTopicsTest {
    private static final byte[] MESSAGE = "{\"id\":1,\"price\":2}".getBytes(UTF_8);

    @TempDir
    Path directory;

    /** Bytes of the heap for one topic, with all that a broker and one session keep of it. */
    @ParameterizedTest
    @CsvSource({"'', false, 1024", "'', true, 1024", "id, false, 32768", "*, false, 32768"})
    @Timeout(300)
    void shouldTakeLittleMemoryForATopic(final String key, final boolean isSubscribed, final long lengthMax) {
        final int count = 2_000;
        final int warmUp = 500;
        try (TestBroker test = new TestBroker(ManyTopicsTest::roomy)) {
            final RawClient client = test.logOn("client");
            if (isSubscribed) {
                client.subscribe(2, 7, ".*", "", true);
                test.awaitAck(client, 2);
            }
            final IntConsumer create = i -> {
                while (!(key.isEmpty()
                        ? client.publish(10 + i, 0, i % 100 == 99 ? ACK_PROCESSED : 0, "topic-" + i, MESSAGE)
                        : client.declareTopic(10 + i, "topic-" + i, "json", key))) {
                    test.cycle();
                }
                if (i % 100 == 99) {
                    test.awaitAck(client, 10 + i);
                    client.forget();
                }
            };
            for (int i = 0; i < warmUp; i++) {
                create.accept(i);
            }
            test.settle();
            final long before = usedLength();
            for (int i = warmUp; i < warmUp + count; i++) {
                create.accept(i);
            }
            test.settle();
            client.forget();
            assertThat(client.errors).isEmpty();
            final long each = (usedLength() - before) / count;
            assertThat(each).isLessThan(lengthMax);
        }
    }

    /** Each step of this takes time in proportion to the topics at most; with their square it would take minutes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(120)
    void shouldServeAHundredThousandTopics(final boolean withSnapshot) {
        final int count = 100_000;
        try (TestBroker test = start()) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, "topic-77777", "");
            publish(test, client, count, 10);
            publish(test, client, count, 10 + count);
            test.settle();
            assertThat(client.deliveries).hasSize(2);
            assertThat(test.broker.counter("messages")).isEqualTo(2L * count);
            client.topics(3, "topic-");
            test.await(() -> client.acks.containsKey(3L));
            assertThat(client.topicMessages).hasSize(count).containsValue(2L).doesNotContainValue(1L);
            if (withSnapshot) {
                test.broker.snapshot();
                for (int i = 0; i < 1_000 && test.broker.counter("snapshots") == 0; i++) {
                    test.advance(50);
                }
                assertThat(test.broker.counter("snapshots")).isEqualTo(1);
            }
            assertThat(client.errors).isEmpty();
        }
        try (TestBroker test = start()) {
            final RawClient client = test.logOn("client");
            publish(test, client, 1_000, 10);
            client.topics(3, "topic-");
            test.await(() -> client.acks.containsKey(3L));
            assertThat(client.topicMessages).hasSize(count);
            assertThat(client.topicMessages.values().stream()
                            .mapToLong(each -> each)
                            .sum())
                    .isEqualTo(1_000);
        }
    }

    /** A look at topics of which none is asked for sends nothing for long. */
    @Test
    @Timeout(120)
    void shouldSendHeartbeatsWhileItLooksAtManyTopics() {
        try (TestBroker test = new TestBroker(ManyTopicsTest::roomy)) {
            publish(test, test.logOn("publisher"), 20_000, 10);
            final RawClient client = test.connect();
            client.logon("client", "", 1_000);
            test.settle();
            client.events.clear();
            client.topics(3, "nothing-");
            int cycleCount = 0;
            while (!client.acks.containsKey(3L)) {
                client.heartbeat();
                test.clock.advance(TimeUnit.MILLISECONDS.toNanos(300));
                test.cycle();
                cycleCount++;
            }

            assertThat(cycleCount).isGreaterThan(10);
            // One is due when half a second is over.
            assertThat(client.events.stream().filter("heartbeat"::equals)).hasSizeGreaterThanOrEqualTo(cycleCount / 4);
            assertThat(client.fatalErrors).isEmpty();
        }
    }

    private static void publish(final TestBroker test, final RawClient client, final int count, final int firstId) {
        for (int i = 0; i < count; i++) {
            final int acks = i == count - 1 ? ACK_PROCESSED : 0;
            while (!client.publish(firstId + i, 0, acks, "topic-" + i, MESSAGE)) {
                test.cycle();
            }
        }
        test.awaitAck(client, firstId + count - 1);
    }

    private TestBroker start() {
        return new TestBroker(builder -> roomy(builder)
                .window(new WindowConfig(1 << 20, 4))
                .journal(JournalConfig.in(directory.toString())
                        .withFileLength(16 << 20)
                        .withSync(SyncPolicy.OS)));
    }

    private static BrokerConfig.Builder roomy(final BrokerConfig.Builder builder) {
        return builder.quotas(new QuotaConfig(1, Integer.MAX_VALUE, Integer.MAX_VALUE, 1))
                .sessions(new SessionConfig(64, 64, 16 * 1024, 200_000, 64, 4096, 1024, 1 << 24, 60_000, 60_000));
    }

    private static long usedLength() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
