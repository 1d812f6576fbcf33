package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.ClientSession.State;
import io.penstock.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClientSessionTest {
    private static final byte[] TOPIC = "orders".getBytes(StandardCharsets.UTF_8);

    private final ManualClock clock = new ManualClock();
    private final RecordingListener listener = new RecordingListener();
    private final ScriptedBroker broker = new ScriptedBroker("inproc:client-session-test");
    private final ClientSession session = ClientSession.open(
            ClientConfig.builder(broker.endpoint())
                    .name("desk")
                    .credentials(() -> new LogonCredentials(LogonMechanism.PLAIN, "ann", "secret"))
                    .nanoClock(clock)
                    .build(),
            listener);

    @AfterEach
    void close() {
        session.close();
        broker.close();
    }

    @Test
    void shouldLogOnInOneThreadWithTheBroker() {
        session.connect();
        assertThat(session.state()).isEqualTo(State.CONNECTING);

        pollBoth();
        assertThat(broker.commands()).containsExactly("logon 1 0 desk/ann/secret");
        assertThat(session.state()).isEqualTo(State.CONNECTING);

        broker.logonAck(1, 42);
        pollBoth();
        assertThat(listener.events()).containsExactly("logon");
        assertThat(session.state()).isEqualTo(State.LOGGED_ON);
        assertThat(session.publisherSequence()).isEqualTo(42);
        assertThat(session.sessionId()).isEqualTo(77);
        assertThat(session.broker()).isEqualTo("scripted 1.0");
    }

    @Test
    void shouldRefuseOffersUntilLoggedOn() {
        assertThat(publish("a")).isEqualTo(ClientSession.CLOSED);
        session.connect();
        assertThat(publish("a")).isEqualTo(ClientSession.BACK_PRESSURED);
        assertThat(session.offerFlush()).isEqualTo(ClientSession.BACK_PRESSURED);
    }

    @Test
    void shouldReportTheReasonWhenLogonIsRefused() {
        session.connect();
        pollBoth();
        broker.fatal(ErrorCode.AUTHENTICATION_FAILED, "user: unknown: ann");
        pollBoth();
        assertThat(listener.events())
                .containsExactly("disconnect AUTHENTICATION_FAILED inproc:client-session-test: logon refused: "
                        + "user: unknown: ann (AUTHENTICATION_FAILED)");
        assertThat(session.state()).isEqualTo(State.DISCONNECTED);
    }

    @Test
    void shouldGiveUpWhenLogonIsNotAnswered() {
        session.connect();
        clock.advanceMillis(4_999);
        pollBoth();
        assertThat(session.state()).isEqualTo(State.CONNECTING);

        clock.advanceMillis(1);
        session.poll();
        assertThat(listener.events())
                .containsExactly("disconnect null inproc:client-session-test: no answer to the logon within 5000 ms"
                        + " (is it a Penstock broker that listens there?)");
    }

    @Test
    void shouldSayWhoDoesNotListenWhenConnectionIsRefused() {
        final ClientSession other = ClientSession.open(ClientConfig.of("inproc:nobody"), listener);
        assertThatThrownBy(other::connect)
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("inproc:nobody: cannot connect");
        other.close();
    }

    @Test
    void shouldDisconnectWhenAnswersComeBeforeTheLogon() {
        session.connect();
        pollBoth();
        broker.ack(AckType.PROCESSED, 1);
        pollBoth();
        assertThat(listener.events()).singleElement().asString().contains("answered out of turn: template 102");
    }

    @Test
    void shouldDisconnectWhenASecondLogonAckComes() {
        logOn();
        broker.logonAck(1);
        pollBoth();
        assertThat(listener.events()).singleElement().asString().contains("answered out of turn: template 101");
    }

    @Test
    void shouldDisconnectWhenLogonAckHasNoHeartbeatInterval() {
        broker.heartbeatIntervalMs(0);
        session.connect();
        pollBoth();
        broker.logonAck(1);
        pollBoth();
        assertThat(listener.events()).singleElement().asString().contains("heartbeatIntervalMs 0");
    }

    @Test
    void shouldSendCommandsInOrderWithRisingIds() {
        logOn();
        assertThat(publish("a")).isEqualTo(2);
        assertThat(session.offerSubscribe(9, SubscribeRequest.pattern("o.*").filter("price > 1")))
                .isEqualTo(3);
        assertThat(session.offerUnsubscribe(9)).isEqualTo(4);
        assertThat(session.offerFlush()).isEqualTo(5);
        assertThat(session.offerStat("tcp")).isEqualTo(6);
        assertThat(session.offerTopics("o")).isEqualTo(7);
        assertThat(session.offerDeclareTopic("orders", "json")).isEqualTo(8);
        pollBoth();
        assertThat(broker.commands())
                .containsExactly(
                        "publish 2 0 0 orders a",
                        "subscribe 3 9 pattern o.* price > 1",
                        "unsubscribe 4 9",
                        "flush 5",
                        "stat 6 tcp",
                        "topics 7 o",
                        "declare 8 orders json");
    }

    @Test
    void shouldSendSequenceAndAckTypesOfPublish() {
        logOn();
        final UnsafeBuffer payload = new UnsafeBuffer("xyz".getBytes(StandardCharsets.UTF_8));
        session.offerPublish(
                new UnsafeBuffer(TOPIC),
                0,
                TOPIC.length,
                payload,
                1,
                2,
                AckType.PROCESSED.mask() | AckType.PERSISTED.mask(),
                8);
        pollBoth();
        assertThat(broker.commands()).containsExactly("publish 2 8 6 orders yz");
    }

    @Test
    void shouldHandOverAnswers() {
        logOn();
        broker.ack(AckType.PERSISTED, 7, 21);
        broker.error(8, 0, ErrorCode.BAD_MESSAGE, "payload: not JSON");
        broker.stat(3, "tcp.bytes", 12);
        broker.topic(4, 1, "orders");
        pollBoth();
        assertThat(listener.events())
                .containsExactly(
                        "ack PERSISTED 7 21",
                        "error 8 0 BAD_MESSAGE payload: not JSON",
                        "stat 3 tcp.bytes=12",
                        "topic 4 orders/json 5");
    }

    @Test
    void shouldDeliverRecordsOfARunWithTheirTopic() {
        logOn();
        broker.topic(0, 3, "orders");
        broker.deliver(9, 3, 100, "a", "bb", "12345678", "");
        pollBoth();
        assertThat(listener.events())
                .containsExactly(
                        "message 9 orders 0:100 1100 a",
                        "message 9 orders 0:101 1101 bb",
                        "message 9 orders 0:102 1102 12345678",
                        "message 9 orders 0:103 1103 ");
    }

    @Test
    void shouldDisconnectWhenTopicWasNotDescribed() {
        logOn();
        broker.deliver(9, 3, 100, "a");
        pollBoth();
        assertThat(listener.events()).singleElement().asString().contains("a topic that it had not described: 3");
    }

    @Test
    void shouldDisconnectWhenPeerSendsGarbage() {
        logOn();
        broker.raw(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
        pollBoth();
        assertThat(listener.events())
                .containsExactly("disconnect null inproc:client-session-test: the broker sent a frame that is not of "
                        + "this protocol: UNSUPPORTED_VERSION, 9 bytes");
    }

    @Test
    void shouldDisconnectWhenPeerDescribesTooManyTopics() {
        final ClientSession limited = ClientSession.open(
                ClientConfig.builder(broker.endpoint())
                        .topicLimit(2)
                        .nanoClock(clock)
                        .build(),
                listener);
        logOn(limited);
        broker.topic(0, 1, "a");
        broker.topic(0, 2, "b");
        broker.topic(0, 2, "b");
        limited.poll();
        assertThat(limited.state()).isEqualTo(State.LOGGED_ON);
        broker.topic(0, 3, "c");
        poll(limited);
        assertThat(listener.events()).singleElement().asString().contains("too many topics");
        limited.close();
    }

    @Test
    void shouldEndTheSessionWhenErrorIsFatal() {
        logOn();
        broker.fatal(ErrorCode.REPLACED, "client: logged on elsewhere: desk");
        pollBoth();
        assertThat(listener.events()).singleElement().asString().startsWith("disconnect REPLACED ");
        assertThat(publish("a")).isEqualTo(ClientSession.CLOSED);
    }

    @Test
    void shouldReportALostConnectionAndConnectAgain() {
        logOn();
        broker.topic(0, 3, "orders");
        pollBoth();
        broker.disconnect();
        pollBoth();
        assertThat(listener.events()).singleElement().asString().contains("connection lost: closed by peer");

        session.connect();
        pollBoth();
        assertThat(broker.commands()).containsExactly("logon 2 0 desk/ann/secret");
        broker.logonAck(2);
        broker.deliver(9, 3, 1, "a");
        pollBoth();
        assertThat(listener.events()).hasSize(2).first().isEqualTo("logon");
        assertThat(session.state()).as("topics are described anew").isEqualTo(State.DISCONNECTED);
    }

    @Test
    void shouldRefuseWhatIsTooLongForTheBroker() {
        broker.messageLengthMax(10);
        logOn();
        assertThatThrownBy(() -> publish("01234567890"))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.MESSAGE_TOO_LONG))
                .hasMessage("publish: payload is too long: 11 bytes (use at most 10, or raise the limits of client and "
                        + "broker)");
    }

    @Test
    void shouldRefuseTopicsAndTextsThatNoFrameTakes() {
        logOn();
        assertThatThrownBy(() -> session.offerPublish(
                        new UnsafeBuffer(new byte[70_000]), 0, 70_000, new UnsafeBuffer(TOPIC), 0, 1, 0, 0))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("topic has a bad length: 70000");
        assertThatThrownBy(() -> session.offerStat("x".repeat(70_000)))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("stat: prefix: too long: 70000 bytes");
        assertThatThrownBy(() -> session.offerDeclareTopic("x".repeat(40_000), "y".repeat(40_000)))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("declare: too long");
    }

    @Test
    void shouldPushBackAndKeepTheOrderWhenBrokerDoesNotRead() {
        logOn();
        broker.isRefusing(true);
        final List<String> expected = new ArrayList<>();
        final String payload = "x".repeat(90);
        int refusedCount = 0;
        long nextId = 2;
        while (nextId < 20_000) {
            final long commandId = publish(payload + nextId);
            if (commandId == ClientSession.BACK_PRESSURED) {
                refusedCount++;
                broker.isRefusing(false);
                pollBoth();
                broker.isRefusing(true);
            } else {
                assertThat(commandId).isEqualTo(nextId);
                expected.add("publish " + nextId + " 0 0 orders " + payload + nextId);
                nextId++;
            }
        }
        broker.isRefusing(false);
        pollBoth();
        assertThat(refusedCount).isPositive();
        assertThat(broker.commands()).isEqualTo(expected);
    }

    @Test
    void shouldSendLongMessagesInPartsAndInOrder() {
        logOn();
        final List<String> expected = new ArrayList<>();
        final List<Integer> lengths = List.of(65_501, 65_502, 65_536, 1_000_000, 10, 3_000_000, 131_072);
        long commandId = 2;
        for (final int length : lengths) {
            final byte[] payload = randomBytes(length);
            long offered = publish(payload);
            while (offered == ClientSession.BACK_PRESSURED) {
                pollBoth();
                offered = publish(payload);
            }
            assertThat(offered).isEqualTo(commandId);
            expected.add("publish " + commandId + " 0 0 orders " + ScriptedBroker.brief(payload));
            commandId++;
        }
        pollBoth();
        assertThat(broker.commands()).isEqualTo(expected);
        assertThat(session.isFlushed()).isTrue();
    }

    @Test
    void shouldLetNoOtherFrameBetweenThePartsOfOne() {
        logOn();
        broker.isRefusing(true);
        assertThat(publish(randomBytes(2_000_000))).isEqualTo(2);
        assertThat(publish("b")).isEqualTo(ClientSession.BACK_PRESSURED);
        clock.advanceMillis(1_500);
        session.poll();
        broker.isRefusing(false);
        pollBoth();
        assertThat(publish("b")).isEqualTo(3);
        pollBoth();
        assertThat(broker.commands()).hasSize(2).noneMatch(command -> command.startsWith("bad"));
    }

    @Test
    void shouldPutReceivedFragmentsTogether() {
        logOn();
        broker.topic(0, 3, "orders");
        final byte[] payload = randomBytes(200_000);
        broker.deliver(9, 3, 1, new byte[][] {payload});
        broker.deliver(9, 3, 2, "b");
        pollBoth();
        assertThat(listener.events())
                .containsExactly(
                        "message 9 orders 0:1 1001 " + ScriptedBroker.brief(payload), "message 9 orders 0:2 1002 b");
    }

    @Test
    void shouldOfferEachMessageAgainUntilItIsTaken() {
        logOn();
        broker.topic(0, 3, "orders");
        broker.deliver(9, 3, 1, "a", "b", "c");
        broker.deliver(9, 3, 4, "d");
        broker.ack(AckType.PROCESSED, 5);
        listener.room(0);
        pollBoth();
        assertThat(listener.events()).isEmpty();

        listener.room(2);
        pollBoth();
        assertThat(listener.events()).containsExactly("message 9 orders 0:1 1001 a", "message 9 orders 0:2 1002 b");

        listener.room(2);
        pollBoth();
        assertThat(listener.events())
                .containsExactly("message 9 orders 0:3 1003 c", "message 9 orders 0:4 1004 d", "ack PROCESSED 5 0");
    }

    @Test
    void shouldOfferALongMessageAgainUntilItIsTaken() {
        logOn();
        broker.topic(0, 3, "orders");
        final byte[] payload = randomBytes(200_000);
        broker.deliver(9, 3, 1, new byte[][] {payload});
        listener.room(0);
        pollBoth();
        pollBoth();
        listener.room(1);
        pollBoth();
        assertThat(listener.events()).containsExactly("message 9 orders 0:1 1001 " + ScriptedBroker.brief(payload));
    }

    @Test
    void shouldSendHeartbeatsWhenItHasNothingElseToSay() {
        logOn();
        clock.advanceMillis(999);
        broker.heartbeat();
        pollBoth();
        assertThat(broker.commands()).isEmpty();

        clock.advanceMillis(1);
        pollBoth();
        assertThat(broker.commands()).containsExactly("heartbeat");

        clock.advanceMillis(500);
        session.poll();
        publish("a");
        clock.advanceMillis(600);
        pollBoth();
        assertThat(broker.commands()).containsExactly("publish 2 0 0 orders a");
    }

    @Test
    void shouldGiveUpTheBrokerWhenItIsSilentForThreeIntervals() {
        logOn();
        clock.advanceMillis(2_999);
        pollBoth();
        assertThat(session.state()).isEqualTo(State.LOGGED_ON);
        clock.advanceMillis(1);
        pollBoth();
        assertThat(listener.events())
                .containsExactly(
                        "disconnect null inproc:client-session-test: nothing was heard from the broker for 3000 ms");
    }

    @Test
    void shouldTakeAnyFrameForASignOfLife() {
        logOn();
        for (int i = 0; i < 5; i++) {
            clock.advanceMillis(2_500);
            broker.heartbeat();
            pollBoth();
        }
        assertThat(session.state()).isEqualTo(State.LOGGED_ON);
    }

    @Test
    void shouldNotBlameTheBrokerForSilenceWhileItDoesNotReadItself() {
        logOn();
        broker.topic(0, 3, "orders");
        broker.deliver(9, 3, 1, "a");
        listener.room(0);
        pollBoth();
        for (int i = 0; i < 10; i++) {
            clock.advanceMillis(2_000);
            pollBoth();
        }
        assertThat(session.state()).isEqualTo(State.LOGGED_ON);
        listener.room(1);
        pollBoth();
        clock.advanceMillis(3_000);
        pollBoth();
        assertThat(session.state()).isEqualTo(State.DISCONNECTED);
    }

    @Test
    void shouldBeClosedForGood() {
        logOn();
        session.close();
        session.close();
        assertThat(session.poll()).isZero();
        assertThat(publish("a")).isEqualTo(ClientSession.CLOSED);
        assertThatThrownBy(session::connect).isInstanceOf(IllegalStateException.class);
        assertThat(listener.events()).isEmpty();
    }

    private void logOn() {
        logOn(session);
    }

    private void logOn(final ClientSession client) {
        client.connect();
        poll(client);
        assertThat(broker.commands()).hasSize(1);
        broker.logonAck(1);
        poll(client);
        assertThat(listener.events()).containsExactly("logon");
    }

    private void pollBoth() {
        poll(session);
    }

    private void poll(final ClientSession client) {
        // A ring that wraps counts as no work once.
        for (int idleCount = 0; idleCount < 2; idleCount++) {
            while (broker.poll() + client.poll() > 0) {
                idleCount = 0;
            }
        }
    }

    private long publish(final String payload) {
        return publish(payload.getBytes(StandardCharsets.UTF_8));
    }

    private long publish(final byte[] payload) {
        return session.offerPublish(
                new UnsafeBuffer(TOPIC), 0, TOPIC.length, new UnsafeBuffer(payload), 0, payload.length, 0, 0);
    }

    private static byte[] randomBytes(final int length) {
        final byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
