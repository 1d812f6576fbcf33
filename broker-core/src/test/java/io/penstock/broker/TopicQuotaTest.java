package io.penstock.broker;

import static io.penstock.broker.RawClient.ACK_PROCESSED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.Principal;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody uses up the topics, or the names of publishers, that there may be. */
@Timeout(60)
class TopicQuotaTest {
    private static final byte[] MESSAGE = "{}".getBytes(UTF_8);
    private static final SecurityConfig BY_USER = new SecurityConfig(
            logon -> logon.user().isEmpty() ? Principal.ANONYMOUS : new Principal(logon.user()), Authorizer.ALL, false);

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldLetAConnectionCreateSoManyTopics(final ThreadingMode threading) {
        try (TestBroker test = new TestBroker(
                builder -> builder.threading(threading).shardCount(3).quotas(new QuotaConfig(1, 4, 100, 100)))) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < 6; i++) {
                client.publish(10 + i, 0, ACK_PROCESSED, "a" + i, MESSAGE);
            }
            // Those that are there are not counted, however often they are used or declared.
            client.publish(20, 0, ACK_PROCESSED, "a0", MESSAGE);
            client.declareTopic(21, "a1", "json");
            client.declareTopic(22, "a9", "json");
            client.flush(23);
            test.awaitAck(client, 23);
            assertThat(client.errors)
                    .containsExactly(ErrorCode.LIMIT_REACHED, ErrorCode.LIMIT_REACHED, ErrorCode.LIMIT_REACHED);
            assertThat(client.errorTexts.get(0))
                    .isEqualTo("topic: no more topics of this connection, which has created 4: a4 (use one that exists,"
                            + " or raise quotas.topicsPerConnectionMax)");
            assertThat(client.acks).containsKeys(20L, 21L).doesNotContainKeys(14L, 15L, 22L);
            assertThat(test.broker.counter("messages")).isEqualTo(5);

            final RawClient other = test.logOn("other");
            other.publish(10, 0, ACK_PROCESSED, "a4", MESSAGE);
            test.awaitAck(other, 10);
            client.publish(24, 0, ACK_PROCESSED, "a4", MESSAGE);
            test.awaitAck(client, 24);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', clients of this machine", "ann, user ann"})
    void shouldLetAnIdentityCreateSoManyTopicsOverAllItsConnections(final String user, final String identity) {
        try (TestBroker test =
                new TestBroker(builder -> builder.security(BY_USER).quotas(new QuotaConfig(1, 100, 5, 100)))) {
            for (int i = 0; i < 7; i++) {
                final RawClient client = test.connect();
                client.logon("client-" + i, user, 0);
                client.publish(10, 0, ACK_PROCESSED, "a" + i, MESSAGE);
                test.settle();
                assertThat(client.acks.containsKey(10L)).as("topic %d", i).isEqualTo(i < 5);
                if (i >= 5) {
                    assertThat(client.errorTexts)
                            .containsExactly("topic: no more topics of " + identity + ", with 5 created: a" + i
                                    + " (use one that exists, or raise quotas.topicsPerIdentityMax)");
                }
                client.disconnect();
                test.settle();
            }
            final RawClient other = test.connect();
            other.logon("client-0", "bob", 0);
            other.publish(10, 0, ACK_PROCESSED, "a6", MESSAGE);
            test.awaitAck(other, 10);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', clients of this machine", "ann, user ann"})
    void shouldLetAnIdentityPublishUnderSoManyNames(final String user, final String identity) {
        try (TestBroker test =
                new TestBroker(builder -> builder.security(BY_USER).quotas(new QuotaConfig(100, 100, 100, 5)))) {
            for (int i = 0; i < 14; i++) {
                final RawClient client = test.connect();
                // Names that are there are let again, however many there are.
                client.logon("client-" + i % 7, user, 0);
                client.publish(10, 1 + i / 7, ACK_PROCESSED, "a", MESSAGE);
                test.settle();
                client.publish(11, 0, ACK_PROCESSED, "a", MESSAGE);
                test.settle();
                assertThat(client.acks.containsKey(10L)).as("name %d", i).isEqualTo(i % 7 < 5);
                assertThat(client.acks).containsKey(11L);
                if (i % 7 >= 5) {
                    assertThat(client.errors).containsExactly(ErrorCode.LIMIT_REACHED);
                    assertThat(client.errorTexts)
                            .containsExactly("publish to a: no more named publishers of " + identity
                                    + ", with 5 made: client-" + i % 7 + " (log on with a name used before, publish"
                                    + " without sequences, or raise quotas.publishersPerIdentityMax)");
                }
                client.disconnect();
                test.settle();
            }
            final RawClient other = test.connect();
            other.logon("client-6", "bob", 0);
            other.publish(10, 1, ACK_PROCESSED, "a", MESSAGE);
            test.awaitAck(other, 10);
        }
    }

    @Test
    void shouldLetANewNameWhileKnownOnesComeBack() {
        try (TestBroker test = new TestBroker(builder -> builder.quotas(new QuotaConfig(100, 100, 100, 4)))) {
            for (int i = 0; i < 3; i++) {
                final RawClient first = test.logOn("known-" + i);
                first.publish(10, 1, ACK_PROCESSED, "a", MESSAGE);
                test.awaitAck(first, 10);
                first.disconnect();
                test.settle();
            }
            final List<RawClient> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                all.add(test.logOn("known-" + i));
            }
            all.add(test.logOn("new"));
            // All of them are read before a shard replies to the first.
            for (final RawClient client : all) {
                client.publish(10, 2, ACK_PROCESSED, "a", MESSAGE);
            }
            test.settle();

            for (final RawClient client : all) {
                assertThat(client.errorTexts).isEmpty();
                assertThat(client.acks).containsKey(10L);
            }
            final RawClient fifth = test.logOn("fifth");
            fifth.publish(10, 1, ACK_PROCESSED, "a", MESSAGE);
            test.settle();
            assertThat(fifth.errors).containsExactly(ErrorCode.LIMIT_REACHED);
        }
    }

    @Test
    void shouldTakeNothingAboveAMessageThatWasOverTheQuota() {
        try (TestBroker test = new TestBroker(builder -> builder.quotas(new QuotaConfig(100, 100, 100, 0)))) {
            final RawClient client = test.logOn("client");
            for (int i = 1; i <= 3; i++) {
                client.publish(9 + i, i, ACK_PROCESSED, "a", MESSAGE);
            }
            client.publish(20, 1, ACK_PROCESSED, "a", MESSAGE);
            client.publish(21, 2, ACK_PROCESSED, "a", MESSAGE);
            client.publish(22, 0, ACK_PROCESSED, "a", MESSAGE);
            test.awaitAck(client, 22);

            assertThat(client.acks).containsOnlyKeys(22L);
            assertThat(client.errors).hasSize(5).containsOnly(ErrorCode.LIMIT_REACHED);
            assertThat(client.errorTexts).allMatch(text -> text.contains("quotas.publishersPerIdentityMax"));
        }
    }

    @Test
    void shouldNotCountTopicsThatAreNotCreated() {
        final SessionConfig few = new SessionConfig(64, 64, 16 * 1024, 2, 64, 1024, 64, 1 << 24, 1_000, 500);
        try (TestBroker test =
                new TestBroker(builder -> builder.sessions(few).shardCount(2).quotas(new QuotaConfig(1, 4, 4, 100)))) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < 40; i++) {
                client.publish(10 + i, 0, ACK_PROCESSED, "a" + i, MESSAGE);
                test.cycle();
            }
            test.settle();
            // Each shard has two, although one of them has refused many before the other had as many.
            assertThat(client.acks).hasSize(4);
            assertThat(client.errors).hasSize(36).containsOnly(ErrorCode.LIMIT_REACHED);
            assertThat(client.errorTexts.get(35)).contains("which has created 4");
        }
    }
}
