package io.penstock.broker;

import static io.penstock.broker.RawClient.ACK_COMPLETED;
import static io.penstock.broker.RawClient.ACK_PROCESSED;
import static io.penstock.broker.RawClient.ACK_RECEIVED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcknowledgementTest {
    private static final byte[] MESSAGE = "{}".getBytes(UTF_8);
    private static final byte[] BAD_MESSAGE = "{".getBytes(UTF_8);

    @Test
    void shouldAcknowledgeABatchByItsNewest() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < 10; i++) {
                client.publish(10 + i, 100 + i, ACK_PROCESSED, "t", MESSAGE);
            }
            test.settle();

            assertThat(client.events).endsWith("ack 19 PROCESSED");
            assertThat(client.acks.size()).isLessThan(10);
            assertThat(client.lastAckSequence).isEqualTo(109);
        }
    }

    @Test
    void shouldAcknowledgeEachKindThatIsAskedForInOrder() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.publish(2, 0, ACK_RECEIVED | ACK_PROCESSED | ACK_COMPLETED, "t", MESSAGE);
            client.publish(3, 0, ACK_COMPLETED, "t", MESSAGE);
            client.publish(4, 0, 0, "t", MESSAGE);
            client.publish(5, 0, ACK_RECEIVED, "t", MESSAGE);
            client.subscribe(6, 7, "t", "", false, ACK_RECEIVED | ACK_PROCESSED);
            client.subscribe(7, 8, "t", "", false, 0);
            test.settle();

            assertThat(client.events)
                    .containsExactly(
                            "logonAck",
                            "ack 2 RECEIVED",
                            "ack 2 PROCESSED",
                            "ack 2 COMPLETED",
                            "ack 3 COMPLETED",
                            "ack 5 RECEIVED",
                            "ack 6 RECEIVED",
                            "ack 6 PROCESSED");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldSendAnErrorBeforeTheAcknowledgementThatCoversIt(final int shardCount) {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(shardCount))) {
            final RawClient client = test.logOn("client");
            final int count = 300;
            for (int i = 0; i < count; i++) {
                final byte[] message = i % 7 == 3 ? BAD_MESSAGE : MESSAGE;
                while (!client.publish(10 + i, 1 + i, ACK_PROCESSED, "t" + i % 5, message)) {
                    test.cycle();
                }
                if (i % 11 == 0) {
                    test.cycle();
                }
            }
            test.settle();
            long covered = 9;
            for (final String event : client.events.subList(1, client.events.size())) {
                final long commandId = Long.parseLong(
                        event.substring(event.indexOf(' ') + 1, event.indexOf(' ', event.indexOf(' ') + 1)));
                if (event.startsWith("ack")) {
                    assertThat(commandId).isGreaterThan(covered);
                    covered = commandId;
                } else {
                    assertThat(commandId)
                            .as("error of a command that was acknowledged")
                            .isGreaterThan(covered);
                }
            }

            assertThat(covered).isEqualTo(10 + count - 1);
            assertThat(client.errors).hasSize(43);
            assertThat(client.acks.keySet()).noneMatch(id -> (id - 10) % 7 == 3);
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    @Timeout(60)
    void shouldLoseNothingWhenFewMayWait(final ThreadingMode threading) {
        try (TestBroker test = new TestBroker(builder -> builder.threading(threading)
                .shardCount(3)
                .sessions(new SessionConfig(64, 64, 16 * 1024, 64, 64, 4096, 1, 1 << 24, 60_000, 60_000)))) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, "t0", "");
            test.awaitAck(client, 2);
            final int count = 300;
            for (int i = 0; i < count; i++) {
                while (!client.publish(
                        10 + i, 1 + i, ACK_PROCESSED, "t" + i % 3, ("{\"i\":" + i + "}").getBytes(UTF_8))) {
                    test.cycle();
                }
            }
            client.flush(5_000);
            test.awaitAck(client, 5_000);
            test.await(() -> client.deliveries.size() == count / 3);

            // With room for one there is nothing to acknowledge together.
            assertThat(client.acks.keySet())
                    .containsAll(LongStream.range(10, 10 + count).boxed().collect(Collectors.toList()));
            assertThat(client.deliveries)
                    .extracting(Delivery::text)
                    .containsExactlyElementsOf(LongStream.range(0, count / 3)
                            .mapToObj(i -> "{\"i\":" + i * 3 + "}")
                            .collect(Collectors.toList()));
            assertThat(client.errors).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldCompleteAFlushWhenAllBeforeItIsWithTheSenders(final int shardCount) {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(shardCount))) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 7, ".*", "", true);
            test.awaitAck(subscriber, 2);
            final RawClient publisher = test.logOn("publisher");
            for (long round = 1; round <= 20; round++) {
                final long commandId = 10 + round;
                for (int i = 0; i < 10; i++) {
                    publisher.publish(3, 0, 0, "t" + i, MESSAGE);
                }
                publisher.flush(commandId);
                while (!publisher.acks.containsKey(commandId)) {
                    test.broker.invoke();
                    publisher.poll();
                }
                assertThat(test.broker.counter("matches")).isEqualTo(round * 10);
                assertThat(publisher.events).endsWith("ack " + commandId + " COMPLETED");
            }
        }
    }

    @Test
    void shouldAcknowledgeAMessageThatWasAppliedBefore() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.publish(2, 5, ACK_PROCESSED, "t", MESSAGE);
            test.settle();
            client.publish(3, 5, ACK_PROCESSED, "t", MESSAGE);
            client.publish(4, 4, ACK_PROCESSED, "t", MESSAGE);
            test.settle();

            assertThat(client.events).contains("ack 2 PROCESSED", "ack 4 PROCESSED");
            assertThat(test.broker.counter("messages")).isEqualTo(1);
            assertThat(test.broker.counter("duplicates")).isEqualTo(2);
        }
    }

    @Test
    void shouldRememberTheHighestSequenceOverAllShards() {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(3))) {
            final RawClient client = test.logOn("client");
            for (int i = 1; i <= 30; i++) {
                client.publish(1 + i, i, ACK_PROCESSED, "t" + i, MESSAGE);
            }
            test.settle();
            client.disconnect();
            test.settle();
            final RawClient again = test.logOn("client");

            assertThat(again.lastPublisherSequence).isEqualTo(30);
            assertThat(test.logOn("other").lastPublisherSequence).isZero();
            assertThat(test.logOn("").lastPublisherSequence).isZero();
        }
    }

    @Test
    void shouldForgetAcknowledgementsWhenTheClientLeaves() {
        try (TestBroker test = new TestBroker()) {
            for (int i = 0; i < 20; i++) {
                final RawClient client = test.logOn("client");
                client.subscribe(2, 7, "t", "");
                for (int k = 0; k < 30; k++) {
                    client.publish(10 + k, "t", "{}");
                }
                client.flush(50);
                test.broker.invoke();
                client.disconnect();
                test.settle();
            }

            assertThat(test.broker.counter("messages")).isEqualTo(20 * 30);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldRefuseTopicsThatMakeNoSense() {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(1))) {
            final RawClient client = test.logOn("client");
            client.declareTopic(2, "a", "json", "id", -5);
            client.declareTopic(3, "b", "json", "", -5);
            client.declareTopic(4, "c", "json", "id,id");
            client.declareTopic(5, "d", "json", "id, part ,id");
            client.declareTopic(6, "e", "json", "id,part", 1000);
            test.settle();

            assertThat(client.errorTexts)
                    .containsExactly(
                            "topic a: expiration: negative: -5 (use 0 for none)",
                            "topic b: expiration: negative: -5 (use 0 for none)",
                            "topic c: key: names a field twice: id,id (name each once)",
                            "topic d: key: names a field twice: id, part ,id (name each once)");
            assertThat(client.events).contains("ack 6 PROCESSED");
        }
    }

    @Test
    void shouldAnswerEveryCommandInTheOrderItWasGiven() {
        try (TestBroker test = new TestBroker(builder -> builder.shardCount(3))) {
            final RawClient client = test.logOn("client");
            client.publish(2, "a", "{}");
            client.subscribe(3, 7, "a", "");
            client.publish(4, "a", "{\"n\":1}");
            client.unsubscribe(5, 7);
            client.publish(6, "a", "{\"n\":2}");
            client.declareTopic(7, "d", "binary");
            client.flush(8);
            test.settle();

            assertThat(client.events)
                    .isEqualTo(List.of(
                            "logonAck",
                            "ack 2 PROCESSED",
                            "ack 3 PROCESSED",
                            "ack 4 PROCESSED",
                            "deliver 7",
                            "ack 5 PROCESSED",
                            "ack 6 PROCESSED",
                            "ack 7 PROCESSED",
                            "ack 8 COMPLETED"));
            assertThat(client.deliveries).extracting(Delivery::text).containsExactly("{\"n\":1}");
        }
    }
}
