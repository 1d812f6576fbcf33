package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.ErrorCode;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client with two servers, the second of which is not always there. */
class ServersTest {
    private static final String SECOND = "inproc:servers-test-two";

    private final List<String> events = new ArrayList<>();
    private final ClientFixture fixture = new ClientFixture(
            "servers-test",
            config -> config.servers(SECOND)
                    .reconnectDelay(Duration.ofMillis(100), Duration.ofMillis(400))
                    .reconnect(Duration.ofSeconds(2))
                    .connectionListener(new Noting()));
    private ScriptedBroker second = fixture.broker;

    @AfterEach
    void close() {
        second.close();
        fixture.close();
    }

    @Test
    void shouldGoToTheNextServerWhenConnectionIsLost() {
        fixture.loggedOn();
        second = new ScriptedBroker(SECOND);
        fixture.broker.close();
        fixture.poll();
        fixture.clock.advanceMillis(100);
        poll();
        assertThat(second.commands()).containsExactly("logon 2 0 desk//");
        second.logonAck(2);
        poll();
        assertThat(events)
                .containsExactly(
                        "connected inproc:servers-test 0",
                        "disconnected 0",
                        "reconnecting inproc:servers-test-two 1",
                        "connected inproc:servers-test-two 1");
    }

    @Test
    void shouldTryServersInTurnAndWaitLongerWithEachRound() {
        fixture.loggedOn();
        events.clear();
        fixture.broker.close();
        fixture.poll();
        for (int i = 0; i < 4; i++) {
            fixture.clock.advanceMillis(i < 2 ? 100 : 200);
            fixture.poll();
        }
        assertThat(events)
                .containsExactly(
                        "disconnected 0",
                        "reconnecting inproc:servers-test-two 1",
                        "disconnected 1",
                        "reconnecting inproc:servers-test 2",
                        "disconnected 2",
                        "reconnecting inproc:servers-test-two 3",
                        "disconnected 3",
                        "reconnecting inproc:servers-test 4",
                        "disconnected 4",
                        "reconnecting inproc:servers-test-two 5");
    }

    @Test
    void shouldGiveUpWhenItsTimeIsUp() {
        fixture.loggedOn();
        fixture.broker.close();
        fixture.poll();
        long waitedMs = 0;
        while (!fixture.client.isClosed()) {
            assertThat(waitedMs).isLessThan(TimeUnit.SECONDS.toMillis(2) + 10);
            fixture.clock.advanceMillis(10);
            waitedMs += 10;
            fixture.poll();
        }
        assertThat(waitedMs).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toMillis(2));
        assertThat(events).last().asString().startsWith("gave up inproc:servers-test");
    }

    @Test
    void shouldTakeTheFirstServerThatIsThereAtFirst() {
        fixture.broker.close();
        second = new ScriptedBroker(SECOND);
        fixture.agent.connect();
        poll();
        assertThat(second.commands()).containsExactly("logon 1 0 desk//");
    }

    @Test
    void shouldGoToTheNextServerWhenTheFirstRefusesTheFirstLogon() {
        second = new ScriptedBroker(SECOND);
        fixture.agent.connect();
        poll();
        fixture.broker.fatal(ErrorCode.SHUTTING_DOWN, "broker is shutting down");
        poll();
        assertThat(second.commands()).containsExactly("logon 2 0 desk//");
    }

    @Test
    void shouldNotWaitForServersAtFirst() {
        fixture.broker.close();
        fixture.agent.connect();
        fixture.poll();
        assertThat(fixture.client.isClosed()).isTrue();
    }

    @Test
    void shouldStayAwayWhenReplaced() {
        fixture.loggedOn();
        fixture.broker.fatal(ErrorCode.REPLACED, "another client has the name");
        fixture.poll();
        assertThat(fixture.client.isClosed()).isTrue();
        assertThat(events).last().asString().startsWith("gave up").contains("another client has the name");
    }

    @Test
    void shouldRefuseServersOfDifferentTransports() {
        assertThatThrownBy(() -> ClientConfig.builder("inproc:x")
                        .servers("tcp://127.0.0.1:9100")
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of different schemes");
    }

    private void poll() {
        for (int i = 0; i < 20; i++) {
            if (second != fixture.broker) {
                second.poll();
            }
            fixture.poll();
        }
    }

    private final class Noting implements ConnectionListener {
        @Override
        public void onConnected(final URI server, final int attempt) {
            events.add("connected " + server + " " + attempt);
        }

        @Override
        public void onDisconnected(final Disconnect disconnect) {
            events.add("disconnected " + disconnect.attempt());
        }

        @Override
        public void onReconnecting(final URI server, final int attempt, final long delayNs) {
            assertThat(delayNs).isBetween(0L, TimeUnit.MILLISECONDS.toNanos(400));
            events.add("reconnecting " + server + " " + attempt);
        }

        @Override
        public void onGaveUp(final ConnectionException reason) {
            events.add("gave up " + reason.getMessage());
        }
    }
}
