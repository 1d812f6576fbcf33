package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.ErrorCode;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    void shouldReconnectUnlessToldOtherwiseWhenThereAreSeveralServers() {
        assertThat(ClientConfig.of("tcp://a:9100").disconnectHandler()).isSameAs(DisconnectHandler.CLOSE);
        assertThat(ClientConfig.of("tcp://a:9100,b:9100").disconnectHandler()).isSameAs(DisconnectHandler.RECONNECT);
        assertThat(ClientConfig.builder("tcp://a:9100,b:9100")
                        .onDisconnect(DisconnectHandler.CLOSE)
                        .build()
                        .disconnectHandler())
                .isSameAs(DisconnectHandler.CLOSE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp://a:9100                     | tcp://a:9100",
                "tcp://a:9100,b:9100              | tcp://a:9100 tcp://b:9100",
                "tcp://a:9100, tcp://b:9101       | tcp://a:9100 tcp://b:9101",
                "tcp://[::1]:1,[fe80::2]:2,c_d:3  | tcp://[::1]:1 tcp://[fe80::2]:2 tcp://c_d:3",
                "sdp://a:1?unit=4096,b:2          | sdp://a:1?unit=4096 sdp://b:2",
                "ipc:a,ipc:/dir/b                 | ipc:a ipc:/dir/b",
                "ipc:/dir/a,b                     | ipc:/dir/a,b",
                "inproc:a,inproc:b,inproc:c       | inproc:a inproc:b inproc:c",
            })
    void shouldReadServers(final String text, final String servers) {
        final ClientConfig config = ClientConfig.of(text);
        assertThat(config.servers())
                .extracting(URI::toString)
                .containsExactly(servers.strip().split(" "));
        assertThat(config.endpoint()).isEqualTo(config.servers().get(0));
        assertThat(ClientConfig.builder(text).servers(text).build().servers())
                .hasSize(2 * config.servers().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp://a:9100,             | a server is missing between commas: tcp://a:9100, (use a list such as",
                "tcp://,b:9100             | a server is missing",
                "tcp://a:9100,,b:9100      | a server is missing",
                "tcp://a:9100,b            | not a host and a port: tcp://b (use tcp://host:port, with brackets around",
                "tcp://a:9100,b:65536      | not a host and a port: tcp://b:65536",
                "tcp://a:9100,b:0          | not a host and a port: tcp://b:0",
                "tcp://a,b:9100            | not a host and a port: tcp://a ",
                "tcp://a:9100,::1:9100     | not a host and a port: tcp://::1:9100",
                "tcp://a:9100,inproc:b     | not a host and a port: tcp://inproc:b",
                "tcp://a:9100,u@b:1        | not a host and a port: tcp://u@b:1",
                "tcp://a:1,rdma://b:2      | of different schemes: tcp://a:1, rdma://b:2",
                "tcp://a:9100,b c:9100     | not a URI: tcp://b c:9100",
                "tcp://a:9100,[::1:9100    | not a URI: tcp://[::1:9100",
                "localhost                 | has no scheme: localhost (use one such as",
                "localhost,b               | ",
            })
    void shouldNameWhatIsWrongWithServers(final String text, final @Nullable String reason) {
        assertThatThrownBy(() -> ClientConfig.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("client.")
                .hasMessageContaining(reason == null ? "has no scheme" : reason);
    }

    @Test
    void shouldBoundTheNumberOfServers() {
        final String most = "tcp://h:1" + ",h:1".repeat(63);
        assertThat(ClientConfig.of(most).servers()).hasSize(64);
        assertThatThrownBy(() -> ClientConfig.of(most + ",h:1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("client.servers: too many: 65 (use 64 at most)");
        assertThatThrownBy(() -> ClientConfig.builder(most).servers("tcp://h:2").build())
                .hasMessage("client.servers: too many: 65 (use 64 at most)");
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
