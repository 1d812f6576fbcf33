package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients ask about the broker. */
class ListingTest {
    private static final int TOPIC_COUNT = 600;

    /** More entries than an outbox holds, for a client that does not read: they come when it does. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldListAllTopicsWhenTheClientReadsSlowly(final int shardCount) {
        try (TestBroker test = new TestBroker(builder -> manyTopics(builder).shardCount(shardCount))) {
            final RawClient client = test.logOn("client");
            final Map<String, String> expected = new TreeMap<>();
            for (int i = 0; i < TOPIC_COUNT; i++) {
                // Long names fill the medium as well: 600 KiB for the two lists.
                final String name = i + "-" + "n".repeat(200);
                expected.put(name, i % 2 == 0 ? "json" : "binary");
                client.declareTopic(10 + i, name, i % 2 == 0 ? "json" : "binary");
                test.awaitAck(client, 10 + i);
            }
            client.reading = false;
            for (int i = 0; i < 5; i++) {
                client.topics(5_000 + i, "");
            }
            client.publish(6_000, "0-" + "n".repeat(200), "{}");
            test.settle();
            assertThat(client.topicFormats).isEmpty();
            client.reading = true;
            test.settle();

            assertThat(client.topicFormats).isEqualTo(expected);
            for (int i = 0; i < 5; i++) {
                assertThat(client.events).containsOnlyOnce("ack " + (5_000 + i) + " COMPLETED");
            }
            assertThat(client.lastReturned).isZero();
            assertThat(client.events).endsWith("ack 5004 COMPLETED", "ack 6000 PROCESSED");
        }
    }

    @Test
    void shouldListTopicsByPrefixWithTheirMessages() {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(3))) {
            final RawClient client = test.logOn("client");
            for (int topic = 0; topic < 5; topic++) {
                for (int i = 0; i < topic; i++) {
                    test.publish(client, "a" + topic, "{}");
                }
            }
            test.publish(client, "b", "{}");
            test.flush(client);
            client.topics(2, "a");
            test.awaitAck(client, 2);

            assertThat(client.topicMessages).isEqualTo(Map.of("a1", 1L, "a2", 2L, "a3", 3L, "a4", 4L));
            assertThat(client.lastReturned).isEqualTo(4);
            client.topics(3, "no such");
            test.awaitAck(client, 3);
            assertThat(client.lastReturned).isZero();
        }
    }

    @Test
    void shouldListCountersByPrefix() {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(3))) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < 30; i++) {
                test.publish(client, "t" + i, "{\"n\":1}");
            }
            test.flush(client);
            client.stat(2, "shard-");
            test.awaitAck(client, 2);

            assertThat(client.stats).hasSize((int) client.lastReturned);
            assertThat(client.stats.keySet()).allMatch(name -> name.startsWith("shard-"));
            assertThat(client.stats.get("shard-0.messages")
                            + client.stats.get("shard-1.messages")
                            + client.stats.get("shard-2.messages"))
                    .isEqualTo(30);
            client.stats.clear();
            client.stat(3, "");
            test.awaitAck(client, 3);
            assertThat(client.stats)
                    .hasSize((int) client.lastReturned)
                    .containsEntry("io-0.messagesReceived", 30L)
                    .containsEntry("io-0.payloadBytesReceived", 30L * 7)
                    .containsEntry("io-0.sessions", 1L)
                    .containsEntry("broker.errors", 0L);
        }
    }

    @Test
    void shouldForgetAListWhenTheClientLeaves() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.reading = false;
            for (int i = 0; i < 100; i++) {
                client.stat(2 + i, "");
                test.cycle();
            }
            client.disconnect();
            test.settle();

            test.assertNothingLeaked();
        }
    }

    private static BrokerConfig.Builder manyTopics(final BrokerConfig.Builder builder) {
        return builder.sessions(
                new SessionConfig(64, 64, 16 * 1024, TOPIC_COUNT, 64, 1024, 64, 1 << 24, 60_000, 60_000));
    }
}
