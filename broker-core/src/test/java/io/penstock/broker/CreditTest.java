package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.protocol.codec.PaceAction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscriptions that are sent no more than there is credit for. */
@Timeout(60)
@ParameterizedClass
@ValueSource(booleans = {false, true})
class CreditTest {
    private static final int SHARD_COUNT = 3;

    /** Of a message as they all are. */
    private static final long EACH = RecordDescriptor.alignedLength(RecordDescriptor.HEADER_LENGTH + text(0).length());

    private final boolean isJournaled;

    @TempDir
    Path directory;

    CreditTest(final boolean isJournaled) {
        this.isJournaled = isJournaled;
    }

    private TestBroker start() {
        return new TestBroker(builder -> (isJournaled
                        ? builder.journal(JournalConfig.in(directory.toString())
                                .withFileLength(128 * 1024)
                                .withReplayLengthMax(2 * 256 * 1024))
                        : builder)
                .shardCount(SHARD_COUNT)
                .topic(new TopicConfig("a", false, "json", 0))
                .topic(new TopicConfig("b", false, "json", 1))
                .topic(new TopicConfig("c", false, "json", 2)));
    }

    private static String text(final int number) {
        return "{\"n\":" + (1_000_000 + number) + "}";
    }

    private static void publish(final TestBroker test, final String topic, final int from, final int count) {
        final RawClient publisher = test.logOn("publisher-" + test.clients.size());
        for (int i = 0; i < count; i++) {
            while (!publisher.publish(0, 0, 0, topic, text(from + i).getBytes(UTF_8))) {
                test.cycle();
            }
        }
        test.flush(publisher);
        test.settle();
    }

    private static RawClient replay(final TestBroker test, final ReplayRequest request) {
        final RawClient client = test.logOn("client-" + test.clients.size());
        client.subscribeFrom(2, 7, request);
        test.settle();
        return client;
    }

    private static void give(final TestBroker test, final RawClient client, final long length) {
        client.credit(3, 7, length);
        test.settle();
    }

    private static void assertHas(final RawClient client, final int count) {
        assertThat(client.deliveries)
                .extracting(Delivery::text)
                .isEqualTo(IntStream.range(0, count).mapToObj(CreditTest::text).toList());
    }

    @Test
    void shouldDeliverOnlyWhatThereIsCreditFor() {
        try (TestBroker test = start()) {
            publish(test, "t", 0, 1_000);
            final RawClient client = replay(test, ReplayRequest.topic("t").credit(1));
            assertHas(client, 0);

            give(test, client, 10 * EACH);
            assertHas(client, 10);
            // One may take more than there is.
            give(test, client, 1);
            assertHas(client, 11);
            give(test, client, 1);
            assertHas(client, 11);
            give(test, client, 2 * EACH);
            assertHas(client, 13);

            client.pace(6, 7, PaceAction.PAUSE, ReplayRate.UNLIMITED);
            give(test, client, 1_000_000);
            assertHas(client, 13);
            client.pace(8, 7, PaceAction.RESUME, ReplayRate.UNLIMITED);
            test.settle();
            assertHas(client, 1_000);
            publish(test, "t", 1_000, 10);
            assertHas(client, 1_010);
            assertThat(client.errors).isEmpty();
        }
    }

    @Test
    void shouldHaveABoundForWhatIsGiven() {
        try (TestBroker test = start()) {
            publish(test, "t", 0, 10);
            final RawClient client = replay(test, ReplayRequest.topic("t").credit(1));
            for (final long length : new long[] {EACH, Long.MAX_VALUE, Long.MAX_VALUE, 1L << 60}) {
                give(test, client, length);
            }
            publish(test, "t", 10, 10);
            assertHas(client, 20);
        }
    }

    @Test
    void shouldRefuseCreditThatNobodyNeeds() {
        try (TestBroker test = start()) {
            final RawClient plain = replay(test, ReplayRequest.topic("t"));
            plain.credit(3, 7, 100);
            plain.credit(4, 8, 100);
            final RawClient client = replay(test, ReplayRequest.topic("t").credit(1));
            client.credit(3, 7, 0);
            client.credit(4, 7, -1);
            test.settle();

            assertThat(plain.errors).containsExactly(ErrorCode.BAD_QUERY, ErrorCode.UNKNOWN_SUBSCRIPTION);
            assertThat(client.errors).containsExactly(ErrorCode.BAD_QUERY, ErrorCode.BAD_QUERY);
            assertThat(client.errorTexts.get(1)).contains("credit of -1");
        }
    }

    /** Nothing has to be paid for. */
    @Test
    void shouldCompleteWithoutCreditWhenThereIsNothing() {
        try (TestBroker test = start()) {
            publish(test, "t", 0, 10);
            final RawClient client = replay(
                    test, ReplayRequest.topic("t").from(LogPlace.NOW).live().credit(1));
            assertThat(client.events).endsWith("ack 2 COMPLETED");
            assertThat(test.broker.drain(Duration.ofSeconds(20))).isTrue();
        }
    }

    /** One message's credit at a time, and much to be had of each shard: none of them is forgotten. */
    @Test
    void shouldLetAllShardsHaveTheirTurn() {
        try (TestBroker test = start()) {
            final List<String> topics = List.of("a", "b", "c");
            for (final String topic : topics) {
                publish(test, topic, 0, 100);
            }
            final RawClient client =
                    replay(test, ReplayRequest.pattern("[abc]").live().credit(1));
            for (int i = 0; i < 60; i++) {
                give(test, client, EACH);
            }
            assertThat(client.deliveries).hasSize(60);
            for (int shard = 0; shard < SHARD_COUNT; shard++) {
                final int number = shard;
                assertThat(client.deliveries.stream()
                                .filter(each -> each.shard() == number)
                                .count())
                        .as("of shard %d", number)
                        .isGreaterThanOrEqualTo(5);
            }
            give(test, client, 1_000_000);
            assertThat(client.deliveries).hasSize(3 * 100);
        }
    }
}
