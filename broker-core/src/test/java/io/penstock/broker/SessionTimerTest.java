package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.ErrorCode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What happens when nothing happens, on a clock that the test moves. */
class SessionTimerTest {
    private static final int LOGON_TIMEOUT_MS = 500;
    private static final int HEARTBEAT_MS = 1_000;

    @Test
    void shouldCloseConnectionWhenNobodyLogsOn() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.connect();
            test.advance(LOGON_TIMEOUT_MS);
            assertThat(client.events).isEmpty();
            test.advance(LOGON_TIMEOUT_MS);

            assertThat(client.events).containsExactly("error 0 0 TIMED_OUT", "disconnected");
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldCloseSessionWhenClientIsSilent() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, "t", "");
            test.advance(3 * HEARTBEAT_MS);
            assertThat(client.fatalErrors).isEmpty();
            test.advance(HEARTBEAT_MS);

            assertThat(client.fatalErrors).containsExactly(ErrorCode.TIMED_OUT);
            assertThat(client.disconnected).isTrue();
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldKeepSessionWhenClientSendsHeartbeats() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < 10; i++) {
                test.advance(HEARTBEAT_MS);
                client.heartbeat();
            }

            assertThat(client.errors).isEmpty();
        }
    }

    @Test
    void shouldKeepSessionsWhenTheBrokerWasPaused() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            test.settle();
            test.clock.advance(TimeUnit.MINUTES.toNanos(10));
            test.settle();
            client.heartbeat();
            test.advance(2 * HEARTBEAT_MS);
            assertThat(client.fatalErrors).isEmpty();
            test.advance(2 * HEARTBEAT_MS);

            assertThat(client.fatalErrors).containsExactly(ErrorCode.TIMED_OUT);
        }
    }

    @Test
    void shouldSendHeartbeatsWhenThereIsNothingElse() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            for (int i = 0; i < 20; i++) {
                client.heartbeat();
                client.events.clear();
                test.advance(HEARTBEAT_MS);

                assertThat(client.events).contains("heartbeat").doesNotContain("error 0 0 TIMED_OUT");
            }
        }
    }

    @Test
    void shouldSendNoHeartbeatWhenMessagesAreDelivered() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.logOn("client");
            client.subscribe(2, 7, "t", "");
            for (int i = 0; i < 50; i++) {
                client.publish(3, "t", "{}");
                test.advance(HEARTBEAT_MS / 10);
            }

            assertThat(client.deliveries).hasSize(50);
            assertThat(client.events).doesNotContain("heartbeat");
        }
    }

    @Test
    void shouldKeepTheIntervalWhenClientAsksForAShortOne() {
        try (TestBroker test = new TestBroker(SessionTimerTest::longTimeouts)) {
            // A client that came before, so that the broker's own pace is slow already.
            test.logOn("other");
            final RawClient client = test.connect();
            client.logon("client", "", 100);
            test.settle();
            assertThat(client.heartbeatIntervalMs).isEqualTo(100);
            for (int i = 0; i < 20; i++) {
                client.heartbeat();
                client.events.clear();
                test.advance(100);
                assertThat(client.events).contains("heartbeat");
            }
            test.advance(400);

            assertThat(client.fatalErrors).containsExactly(ErrorCode.TIMED_OUT);
        }
    }

    @Test
    void shouldSayWhichIntervalHoldsWhenClientAsksForOneOutOfRange() {
        try (TestBroker test = new TestBroker()) {
            final int[] asked = {Integer.MIN_VALUE, -1, 0, 1, 99, 100, 3_600_000, Integer.MAX_VALUE};
            final int[] granted = {HEARTBEAT_MS, HEARTBEAT_MS, HEARTBEAT_MS, 100, 100, 100, 3_600_000, 3_600_000};
            for (int i = 0; i < asked.length; i++) {
                final RawClient client = test.connect();
                client.logon("", "", asked[i]);
                test.settle();

                assertThat(client.heartbeatIntervalMs).isEqualTo(granted[i]);
            }
        }
    }

    @Test
    void shouldCloseAnywayWhenClientDoesNotTakeItsLastError() {
        try (TestBroker test = new TestBroker()) {
            final RawClient slow = test.logOn("slow");
            slow.subscribe(2, 7, "t", "");
            test.settle();
            slow.reading = false;
            final RawClient publisher = test.logOn("publisher");
            final String pad = "x".repeat(10_000);
            for (int i = 0; i < 100; i++) {
                test.publish(publisher, "t", "{\"pad\":\"" + pad + "\"}");
                test.settle();
            }
            test.logOn("slow");
            publisher.heartbeat();
            test.advance(LOGON_TIMEOUT_MS / 2);
            publisher.heartbeat();
            test.advance(LOGON_TIMEOUT_MS);

            assertThat(test.broker.counter("connections")).isEqualTo(2);
            slow.reading = true;
            test.settle();
            assertThat(slow.disconnected).isTrue();
        }
    }

    private static BrokerConfig.Builder longTimeouts(final BrokerConfig.Builder builder) {
        return builder.sessions(new SessionConfig(64, 64, 16 * 1024, 64, 64, 1024, 64, 1 << 24, 3_600_000, 3_600_000));
    }
}
