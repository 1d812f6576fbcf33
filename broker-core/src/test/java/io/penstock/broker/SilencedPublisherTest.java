package io.penstock.broker;

import static io.penstock.broker.RawClient.ACK_PERSISTED;
import static io.penstock.broker.RawClient.ACK_PROCESSED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.Authorizer;
import io.penstock.protocol.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to a publisher whose sequences somebody else has used up, and how it is helped. */
@Timeout(60)
class SilencedPublisherTest {
    private static final byte[] MESSAGE = "{}".getBytes(UTF_8);
    private static final long GAP_MAX = QuotaConfig.PUBLISHER_SEQUENCE_GAP_MAX_DEFAULT;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldRefuseASequenceFarAboveThoseBefore(final int shardCount) {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(shardCount))) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 7, ".*", "", true);
            test.awaitAck(subscriber, 2);
            final RawClient victim = test.logOn("victim");
            victim.publish(10, 1, ACK_PROCESSED, "a", MESSAGE);
            victim.publish(11, 2, ACK_PROCESSED, "b", MESSAGE);
            test.awaitAck(victim, 11);

            final RawClient other = test.logOn("victim");
            other.publish(10, Long.MAX_VALUE, ACK_PROCESSED, "a", MESSAGE);
            other.publish(11, Long.MAX_VALUE, ACK_PROCESSED, "c", MESSAGE);
            other.publish(12, 2 + GAP_MAX + 1, ACK_PROCESSED, "a", MESSAGE);
            test.settle();
            assertThat(other.errors)
                    .containsExactly(ErrorCode.BAD_SEQUENCE, ErrorCode.BAD_SEQUENCE, ErrorCode.BAD_SEQUENCE);
            assertThat(other.errorTexts.get(0))
                    .isEqualTo(
                            "publish to a: publisher sequence too far above those before it: 9223372036854775807 after"
                                    + " 2 (number messages consecutively, at most 1000000000002 now; raise"
                                    + " quotas.publisherSequenceGapMax, or have an administrator reset the publisher)");

            final RawClient again = test.logOn("victim");
            assertThat(again.lastPublisherSequence).isEqualTo(2);
            again.publish(10, 3, ACK_PROCESSED, "a", "{\"n\":3}".getBytes(UTF_8));
            test.awaitAck(again, 10);
            test.settle();
            assertThat(again.duplicateAcks).isEmpty();
            assertThat(subscriber.deliveries).hasSize(3);
            assertThat(subscriber.deliveries.get(2).text()).isEqualTo("{\"n\":3}");
        }
    }

    @ParameterizedTest
    @CsvSource({"4611686018427387904, true", "4611686018427387905, false", "1795000000000000000, true"})
    void shouldLetAPublisherBeginWhereItWantsWithHalfOfTheNumbersLeft(final long first, final boolean isTaken) {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("publisher");
            client.publish(10, first, ACK_PROCESSED, "a", MESSAGE);
            test.settle();
            assertThat(client.errors.isEmpty()).isEqualTo(isTaken);
            // Over all shards and topics, the highest that is taken.
            client.publish(11, first - 1 + GAP_MAX, ACK_PROCESSED, "a", MESSAGE);
            test.settle();
            assertThat(client.acks.containsKey(11L)).isEqualTo(isTaken);
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldSayWhichMessagesWereDropped(final ThreadingMode threading) {
        try (TestBroker test = new TestBroker(
                builder -> journaled(builder.threading(threading)).shardCount(2))) {
            final RawClient client = test.logOn("client");
            final int count = 40;
            for (int round = 0; round < 2; round++) {
                // Half of the last round comes again, a few in a row, among others without a sequence.
                for (int i = 0; i < count; i++) {
                    final long id = 100 + (long) round * count + i;
                    final long sequence = round == 0 ? 1 + i : 1 + count + (i % 10 < 5 ? -count + i : i);
                    final String topic = "t" + i % 2;
                    final int acks = i % 3 == 0 ? ACK_PROCESSED | ACK_PERSISTED : ACK_PROCESSED;
                    while (!client.publish(id, sequence, acks, topic, MESSAGE)) {
                        test.cycle();
                    }
                }
            }
            client.flush(1_000);
            test.awaitAck(client, 1_000);
            final long last = 100 + 2 * count - 1;
            test.await(() -> client.events.contains("ack " + last + " PERSISTED")
                    || client.events.contains("ack " + last + " PROCESSED"));

            assertThat(client.errors).isEmpty();
            // What an acknowledgement covers are those after the one before it, so the newest of each run is enough.
            assertThat(client.duplicateAcks)
                    .allMatch(id -> id >= 100 + count && (id - 100) % 10 < 5)
                    .contains(LongStream.iterate(100 + count + 4, id -> id < last, id -> id + 10)
                            .boxed()
                            .toArray(Long[]::new));
            assertThat(client.acks.keySet())
                    .contains(LongStream.iterate(100 + count + 9, id -> id <= last, id -> id + 10)
                            .boxed()
                            .toArray(Long[]::new));
            assertThat(test.broker.counter("duplicates")).isEqualTo(count / 2);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "3, false", "3, true"})
    void shouldTakeSequencesAgainAfterAReset(final int shardCount, final boolean withSnapshot) {
        try (TestBroker test = start(shardCount)) {
            final RawClient other = test.logOn("victim");
            for (int i = 0; i < 6; i++) {
                other.publish(10 + i, 1_000 + i, ACK_PERSISTED, "t" + i, MESSAGE);
            }
            test.await(() -> other.acks.containsKey(15L));

            final RawClient admin = test.logOn("admin");
            admin.resetPublisher(2, "victim", "", 1_002);
            test.awaitAck(admin, 2);
            admin.resetPublisher(3, "victim", "", 1_004);
            test.awaitAck(admin, 3);
            assertThat(admin.errors).isEmpty();
            if (withSnapshot) {
                test.broker.snapshot();
                test.advance(200);
            }
        }
        try (TestBroker test = start(shardCount)) {
            final RawClient victim = test.logOn("victim");
            assertThat(victim.lastPublisherSequence).isEqualTo(1_002);
            victim.publish(10, 1_002, ACK_PROCESSED, "t2", MESSAGE);
            victim.publish(11, 1_003, ACK_PROCESSED, "t2", MESSAGE);
            test.settle();
            assertThat(victim.duplicateAcks).containsExactly(10L);
            assertThat(victim.acks).containsOnlyKeys(10L, 11L);
        }
    }

    @Test
    void shouldLetNobodyResetPublishersWhoMayNot() {
        for (final var policy : AnonymousAdministration.values()) {
            final var security = new SecurityConfig(Authenticator.NONE, Authorizer.ALL, false, policy);
            try (TestBroker test = new TestBroker(builder -> builder.security(security))) {
                final RawClient client = test.logOn("client");
                client.publish(10, 1, ACK_PROCESSED, "a", MESSAGE);
                client.resetPublisher(11, "client", "", 0);
                client.resetPublisher(12, "nobody", "", 0);
                test.settle();
                assertThat(client.errors)
                        .isEqualTo(
                                policy == AnonymousAdministration.NONE
                                        ? List.of(ErrorCode.NOT_AUTHORIZED, ErrorCode.NOT_AUTHORIZED)
                                        : List.of(ErrorCode.NOT_FOUND));
                assertThat(client.acks.containsKey(11L)).isEqualTo(policy != AnonymousAdministration.NONE);
            }
        }
        final var never = new SecurityConfig(
                Authenticator.NONE,
                (principal, action, about) -> !action.name().equals("RESET_PUBLISHER"),
                false,
                AnonymousAdministration.ALL);
        try (TestBroker test = new TestBroker(builder -> builder.security(never))) {
            final RawClient client = test.logOn("client");
            client.resetPublisher(11, "client", "", 0);
            test.settle();
            assertThat(client.errors).containsExactly(ErrorCode.NOT_AUTHORIZED);
        }
    }

    @Test
    void shouldRefuseAcknowledgementsThatAResetHasNot() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.publish(10, 1, ACK_PROCESSED, "a", MESSAGE);
            client.resetPublisher(11, "client", "", 0, ACK_PROCESSED | 8);
            test.settle();
            assertThat(client.errors).containsExactly(ErrorCode.NOT_SUPPORTED);
            assertThat(client.errorTexts.get(0))
                    .isEqualTo("reset publisher: unknown acknowledgement: 0x8 (ask for processed)");
            assertThat(client.acks).doesNotContainKey(11L);
        }
    }

    private TestBroker start(final int shardCount) {
        final UnaryOperator<BrokerConfig.Builder> configure = builder -> journaled(builder.shardCount(shardCount));
        return new TestBroker(configure);
    }

    private BrokerConfig.Builder journaled(final BrokerConfig.Builder builder) {
        return builder.journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024));
    }
}
