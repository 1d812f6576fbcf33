package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that are refused: one error each, that says why, and the session goes on. */
class RefusalTest {
    @Test
    void shouldNameThePositionWhenAFilterIsBad() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, "t", "price > AND");
            test.settle();

            assertThat(client.events).endsWith("error 2 7 BAD_FILTER");
            assertThat(client.errorTexts.get(0)).contains("at 9").contains("price > AND");
            assertGoesOn(test, client);
        }
    }

    @Test
    void shouldNameWhatIsUnknownWhenAnAcknowledgementIs() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.publishRaw(2, 0x43, "t", "{}".getBytes(UTF_8));
            client.publishRaw(3, 0x14, "t", "{}".getBytes(UTF_8));
            client.publishRaw(4, 0x04, "t", "{}".getBytes(UTF_8));
            client.subscribe(5, 7, "t", "", false, 0x04);
            test.settle();

            assertThat(client.errors).containsOnly(ErrorCode.NOT_SUPPORTED).hasSize(4);
            assertThat(client.errorTexts.get(0)).contains("publish to t: no such acknowledgement: 0x40 (ask for ");
            assertThat(client.errorTexts.get(1)).contains("publish to t: no such acknowledgement: 0x10 (ask for ");
            assertThat(client.errorTexts.get(2)).contains("publish to t: the topic is in memory only: no persisted ");
            assertThat(client.errorTexts.get(3)).contains("subscribe: unknown acknowledgement: 0x4 (ask for received,");
            assertGoesOn(test, client);
        }
    }

    @Test
    void shouldRefusePatternWhenItIsNoExpression() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, "t(", "", true);
            client.subscribe(3, 8, "", "", true);
            client.subscribe(4, 9, "x".repeat(1025), "", true);
            test.settle();

            assertThat(client.events)
                    .endsWith("error 2 7 BAD_PATTERN", "error 3 8 BAD_PATTERN", "error 4 9 BAD_PATTERN");
            assertThat(client.errorTexts.get(0)).contains("t(");
            assertGoesOn(test, client);
        }
    }

    @Test
    void shouldRefuseSubscriptionIdWhenItIsInUseOrZero() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, "t", "");
            client.subscribe(3, 7, "u", "");
            client.subscribe(4, 0, "u", "");
            client.subscribe(5, -1, "u", "");
            client.subscribe(6, Long.MIN_VALUE, "u", "");
            test.settle();

            assertThat(client.events)
                    .containsExactly(
                            "logonAck",
                            "ack 2 PROCESSED",
                            "error 3 7 DUPLICATE_SUBSCRIPTION",
                            "error 4 0 DUPLICATE_SUBSCRIPTION",
                            "ack 5 PROCESSED",
                            "ack 6 PROCESSED");
            assertGoesOn(test, client);
        }
    }

    @Test
    void shouldAllowSubscriptionIdAgainWhenItsSubscriptionWasRefusedOrRemoved() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, "t", "bad bad");
            client.subscribe(3, 7, "t", "");
            client.unsubscribe(4, 7);
            client.subscribe(5, 7, "t", "");
            test.settle();

            assertThat(client.errors).containsExactly(ErrorCode.BAD_FILTER);
            assertThat(client.acks).containsOnlyKeys(3L, 4L, 5L);
            assertGoesOn(test, client);
        }
    }

    @Test
    void shouldRefuseUnsubscribeWhenThereIsNoSuchSubscription() {
        try (TestBroker test = new TestBroker()) {
            final RawClient other = test.logOn("other");
            other.subscribe(2, 7, "t", "");
            final RawClient client = test.logOn("client");
            client.unsubscribe(2, 7);
            client.unsubscribe(3, 0);
            test.settle();

            assertThat(client.events).endsWith("error 2 7 UNKNOWN_SUBSCRIPTION", "error 3 0 UNKNOWN_SUBSCRIPTION");
            assertGoesOn(test, client);
        }
    }

    @Test
    void shouldRefuseTopicWhenDeclaredWithAnotherFormat() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.declareTopic(2, "d", "binary");
            client.declareTopic(3, "d", "binary");
            client.declareTopic(4, "d", "json");
            client.declareTopic(5, "e", "no-such");
            client.declareTopic(6, "", "json");
            client.publish(7, "d", "not json");
            test.settle();

            assertThat(client.events)
                    .endsWith(
                            "ack 2 PROCESSED",
                            "ack 3 PROCESSED",
                            "error 4 0 BAD_FORMAT",
                            "error 5 0 BAD_FORMAT",
                            "error 6 0 BAD_TOPIC",
                            "ack 7 PROCESSED");
            assertThat(client.errorTexts.get(0)).contains("binary").contains("json");
            assertGoesOn(test, client);
        }
    }

    @Test
    void shouldRefuseMessageWhenItIsTooLong() {
        try (TestBroker test = new TestBroker(builder -> builder.formatDefault("binary"))) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, "t", "");
            client.publish(3, 0, RawClient.ACK_PROCESSED, "t", new byte[16 * 1024]);
            client.publish(4, 0, RawClient.ACK_PROCESSED, "t", new byte[16 * 1024 + 1]);
            client.publish(5, 0, RawClient.ACK_PROCESSED, "t", new byte[79 * 1024]);
            test.settle();

            assertThat(client.errors).containsExactly(ErrorCode.MESSAGE_TOO_LONG, ErrorCode.MESSAGE_TOO_LONG);
            assertThat(client.events).contains("error 4 0 MESSAGE_TOO_LONG", "error 5 0 MESSAGE_TOO_LONG");
            assertThat(client.deliveries).hasSize(1);
            assertThat(client.errorTexts.get(0)).contains("16385").contains("16384");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {RawClient.ACK_PERSISTED, RawClient.ACK_PERSISTED | RawClient.ACK_PROCESSED, 16, 32, 64, 128})
    void shouldRefuseAcknowledgementWhenTheTopicIsVolatile(final int ackTypes) {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, "t", "");
            client.publishRaw(3, ackTypes, "t", "{}".getBytes(UTF_8));
            client.subscribe(4, 8, "t", "", false, RawClient.ACK_PERSISTED);
            test.settle();

            assertThat(client.events)
                    .containsExactly(
                            "logonAck", "ack 2 PROCESSED", "error 3 0 NOT_SUPPORTED", "error 4 8 NOT_SUPPORTED");
            assertThat(client.deliveries).isEmpty();
            assertGoesOn(test, client);
        }
    }

    @Test
    void shouldRefuseTopicWhenThereAreTooMany() {
        try (TestBroker test = new TestBroker(builder -> limits(builder, 3, 64, 64, 64))) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < 4; i++) {
                client.publish(2 + i, "t" + i, "{}");
            }
            client.declareTopic(6, "t4", "json");
            client.publish(7, "t0", "{}");
            test.settle();

            assertThat(client.events)
                    .containsSubsequence("error 5 0 LIMIT_REACHED", "error 6 0 LIMIT_REACHED", "ack 7 PROCESSED");
            assertThat(client.errors).hasSize(2);
            assertThat(test.broker.counter("messages")).isEqualTo(4);
        }
    }

    @Test
    void shouldRefuseNamedPublisherWhenThereAreTooMany() {
        try (TestBroker test = new TestBroker(builder -> limits(builder, 64, 2, 64, 64))) {
            final List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                final RawClient client = test.logOn("p" + i);
                clients.add(client);
                client.publish(2, 1, RawClient.ACK_PROCESSED, "t", "{}".getBytes(UTF_8));
                client.publish(3, 2, RawClient.ACK_PROCESSED, "t", "{}".getBytes(UTF_8));
                client.publish(4, 0, RawClient.ACK_PROCESSED, "t", "{}".getBytes(UTF_8));
                test.settle();
            }

            assertThat(clients.get(1).errors).isEmpty();
            assertThat(clients.get(2).errors).containsExactly(ErrorCode.LIMIT_REACHED, ErrorCode.LIMIT_REACHED);
            // Without a sequence it may publish on.
            assertThat(clients.get(2).acks).containsOnlyKeys(4L);
            assertThat(test.broker.counter("messages")).isEqualTo(7);
        }
    }

    @Test
    void shouldRefuseSubscriptionWhenThereAreTooMany() {
        try (TestBroker test = new TestBroker(builder -> limits(builder, 64, 64, 2, 64))) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 1, "t", "");
            client.subscribe(3, 2, ".*", "", true);
            client.subscribe(4, 3, "t", "");
            client.unsubscribe(5, 1);
            client.subscribe(6, 3, "t", "");
            test.settle();

            assertThat(client.errors).containsExactly(ErrorCode.LIMIT_REACHED);
            assertThat(client.acks).containsOnlyKeys(2L, 3L, 5L, 6L);
        }
    }

    @Test
    void shouldCloseConnectionWhenThereAreTooManySessions() {
        try (TestBroker test = new TestBroker(builder -> limits(builder, 64, 64, 64, 3))) {
            final List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                clients.add(test.connect());
                clients.get(i).logon("c" + i);
                test.settle();
            }
            assertThat(clients)
                    .extracting(client -> client.disconnected)
                    .containsExactly(false, false, false, true, true);
            clients.get(0).disconnect();
            test.settle();

            assertGoesOn(test, test.logOn("again"));
            assertThat(test.broker.counter("sessions")).isEqualTo(3);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldKeepPublishersOfOneNameApartWhenTheirUsersDiffer() {
        try (TestBroker test = new TestBroker(builder -> builder.security(new SecurityConfig(
                logon -> new io.penstock.broker.security.Principal(logon.user()),
                (who, action, topic) -> true,
                false)))) {
            final RawClient first = test.connect();
            first.logon("c", "a/b", 0);
            test.settle();
            first.publish(2, 5, RawClient.ACK_PROCESSED, "t", "{}".getBytes(UTF_8));
            test.settle();
            // Written one after the other the two names look the same.
            final RawClient second = test.connect();
            second.logon("b/c", "a", 0);
            test.settle();

            assertThat(second.lastPublisherSequence).isZero();
            assertThat(first.disconnected).isFalse();
        }
    }

    private static void assertGoesOn(final TestBroker test, final RawClient client) {
        client.deliveries.clear();
        client.subscribe(901, 901, "goes-on", "");
        client.publish(902, "goes-on", "{\"a\":1}");
        test.settle();
        assertThat(client.acks).containsKeys(901L, 902L);
        assertThat(client.deliveries).extracting(Delivery::text).containsExactly("{\"a\":1}");
        assertThat(client.fatalErrors).isEmpty();
        client.unsubscribe(903, 901);
        test.awaitAck(client, 903);
    }

    private static BrokerConfig.Builder limits(
            final BrokerConfig.Builder builder,
            final int topicCountMax,
            final int publisherCountMax,
            final int subscriptionCountMax,
            final int sessionCountMax) {
        return builder.sessions(new SessionConfig(
                sessionCountMax,
                subscriptionCountMax,
                16 * 1024,
                topicCountMax,
                publisherCountMax,
                1024,
                64,
                1 << 24,
                1_000,
                500));
    }
}
