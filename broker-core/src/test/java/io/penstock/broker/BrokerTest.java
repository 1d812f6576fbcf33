package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import io.penstock.protocol.ErrorCode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BrokerTest {
    @Test
    void shouldDeliverToSubscriberWhenFilterMatches() {
        try (TestBroker test = new TestBroker()) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 7, "flights", "delay > 60 AND origin IN ('JFK', 'SFO')");
            test.settle();
            final RawClient publisher = test.logOn("publisher");
            publisher.publish(2, "flights", "{\"delay\":61,\"origin\":\"JFK\"}");
            publisher.publish(3, "flights", "{\"delay\":61,\"origin\":\"LAX\"}");
            publisher.publish(4, "flights", "{\"delay\":60,\"origin\":\"JFK\"}");
            publisher.publish(5, "flights", "{\"delay\":99,\"origin\":\"SFO\"}");
            test.settle();

            assertThat(subscriber.deliveries)
                    .extracting(Delivery::text)
                    .containsExactly("{\"delay\":61,\"origin\":\"JFK\"}", "{\"delay\":99,\"origin\":\"SFO\"}");
            assertThat(subscriber.deliveries)
                    .allSatisfy(delivery -> assertThat(delivery.topic()).isEqualTo("flights"));
            assertThat(publisher.acks).containsKey(5L);
        }
    }

    @Test
    void shouldDeliverLongMessagesWhole() {
        try (TestBroker test = new TestBroker(builder -> builder.window(new WindowConfig(4 * 1024 * 1024, 4))
                .formatDefault("binary")
                .sessions(TestBroker.sessions(1024, 2 * 1024 * 1024)))) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, "bytes", "");
            test.settle();
            final int[] lengths = {0, 1, 65_535, 65_536, 65_537, 200_000, 2 * 1024 * 1024, 3};
            for (final int length : lengths) {
                final byte[] payload = new byte[length];
                for (int i = 0; i < length; i++) {
                    payload[i] = (byte) (i * 31 + length);
                }
                while (!client.publish(3, 0, RawClient.ACK_PROCESSED, "bytes", payload)) {
                    test.cycle();
                }
                test.settle();
                final Delivery delivery = client.deliveries.get(client.deliveries.size() - 1);
                assertThat(Arrays.equals(delivery.payload(), payload))
                        .as("length %d, got %d", length, delivery.payload().length)
                        .isTrue();
            }
            assertThat(client.deliveries).hasSize(lengths.length);
        }
    }

    @Test
    void shouldRefuseMessageWhenMalformed() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.publish(2, "flights", "{\"delay\":");
            client.publish(3, "flights", "{}");
            test.settle();

            assertThat(client.errors).containsExactly(ErrorCode.BAD_MESSAGE);
            assertThat(client.errorTexts.get(0)).startsWith("publish to flights: json: ");
            assertThat(client.events).containsSubsequence("error 2 0 BAD_MESSAGE", "ack 3 PROCESSED");
        }
    }

    @Test
    void shouldApplyPublisherSequenceOnceWhenSentAgain() {
        try (TestBroker test = new TestBroker()) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 7, "t", "");
            test.settle();
            final RawClient first = test.logOn("publisher");
            first.publish(2, 41, 2, "t", "1".getBytes(UTF_8));
            first.publish(3, 42, 2, "t", "2".getBytes(UTF_8));
            test.settle();
            final RawClient again = test.logOn("publisher");
            again.publish(2, 42, 2, "t", "2".getBytes(UTF_8));
            again.publish(3, 43, 2, "t", "3".getBytes(UTF_8));
            test.settle();

            assertThat(subscriber.deliveries).extracting(Delivery::text).containsExactly("1", "2", "3");
            assertThat(again.lastPublisherSequence).isEqualTo(42);
            assertThat(again.acks).containsKey(3L);
            assertThat(first.errors).containsExactly(ErrorCode.REPLACED);
            assertThat(first.disconnected).isTrue();
        }
    }
}
