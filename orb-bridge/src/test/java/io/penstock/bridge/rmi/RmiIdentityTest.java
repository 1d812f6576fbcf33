package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.Principal;
import io.penstock.client.Topic;
import io.penstock.orb.Credentials;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RmiIdentityTest {
    private static final SecurityConfig SECURITY = new SecurityConfig(
            logon -> switch (logon.user() + "/" + logon.password()) {
                case "ann/a" -> new Principal("ann");
                case "bob/b" -> new Principal("bob");
                case "/harness" -> Principal.ANONYMOUS;
                default -> null;
            },
            (principal, action, topic) ->
                    action == Action.CONNECT || !principal.name().equals("bob") || !topic.equals("secret"),
            false);

    @Test
    void shouldAskTheBrokersOneGateWhenACallerPublishesSubscribesOrQueries() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onRmiPort(0), SECURITY, "harness")) {
            final PenstockBroker guest = harness.lookup();
            final Publication message = BridgeTck.publication("secret", "{\"id\":1}");
            BridgeTck.assertRefused(ErrorCode.AUTHENTICATION_FAILED, () -> guest.publish(message, false));
            BridgeTck.assertRefused(
                    ErrorCode.AUTHENTICATION_FAILED, () -> guest.logon(new Credentials("x", "ann", "b")));
            assertThat(harness.counter(BridgeCounter.SESSIONS_OPEN)).isZero();

            final PenstockBroker ann = guest.logon(new Credentials("x", "ann", "a"));
            final PenstockBroker bob = guest.logon(new Credentials("y", "bob", "b"));
            harness.client().declareTopic(Topic.json("secret").key("id"));
            ann.publish(message, false);
            assertThat(ann.fetch(ann.query(QueryRequest.topic("secret")), 1, 10_000)
                            .records())
                    .hasSize(1);

            BridgeTck.assertRefused(ErrorCode.NOT_AUTHORIZED, () -> bob.publish(message, false));
            BridgeTck.assertRefused(ErrorCode.NOT_AUTHORIZED, () -> bob.subscribe(SubscribeRequest.topic("secret")));
            BridgeTck.assertRefused(
                    ErrorCode.NOT_AUTHORIZED, () -> bob.fetch(bob.query(QueryRequest.topic("secret")), 1, 10_000));
            assertThat(harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN)).isZero();
            ann.logoff();
            bob.logoff();
        }
    }

    @Test
    void shouldEndASessionWhenNoClientKnowsItAnyMore() throws Exception {
        try (Harness harness = Harness.start()) {
            begin(harness);
            assertThat(harness.counter(BridgeCounter.SESSIONS)).isOne();

            assertThat(Harness.await(() -> {
                        System.gc();
                        return harness.counter(BridgeCounter.SESSIONS_OPEN) == 0;
                    }))
                    .isTrue();
            assertThat(harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN)).isZero();
            assertThat(harness.lookup().echo(new byte[2])).hasSize(2);
        }
    }

    /**
     * The runtime reports when the last client has gone that had reported the stub, and this client never reports it.
     */
    @Test
    void shouldEndASessionWhenItsClientNeverSaysThatItHasIt() throws Exception {
        try (Harness harness = Harness.start()) {
            final PenstockBroker held = harness.lookup().logon(new Credentials("held", "", ""));
            final byte[] call = RawCall.of(harness.lookup(), "logon", new Credentials("raw", "", ""));
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), harness.port())) {
                RawCall.acknowledge(socket, call);
            }
            assertThat(harness.counter(BridgeCounter.SESSIONS)).isEqualTo(2);

            assertThat(Harness.await(() -> {
                        System.gc();
                        return harness.counter(BridgeCounter.SESSIONS_OPEN) == 1;
                    }))
                    .isTrue();
            assertThat(held.echo(new byte[2])).hasSize(2);
            held.logoff();
        }
    }

    private static void begin(final Harness harness) throws Exception {
        final PenstockBroker session = harness.lookup().logon(new Credentials("gone", "", ""));
        session.subscribe(SubscribeRequest.topic("t"));
    }
}
