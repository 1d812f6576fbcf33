package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.Harness;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.Callback;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.SubscribeRequest;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The runtime calls the address in every stub that it has read, so nobody may get one past the bridge. */
@Timeout(60)
class ForgedStubTest {
    private static final int QUIET_MS = 300;

    private Harness harness;
    private PenstockBroker broker;
    private ServerSocket elsewhere;

    @BeforeEach
    void start() throws Exception {
        harness = Harness.start();
        broker = harness.lookup();
        elsewhere = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws Exception {
        elsewhere.close();
        harness.close();
    }

    @Test
    void shouldCallNobodyWhenAStubComesBesideTheClassOfCallbacks() throws Exception {
        assertNobodyIsCalled(RawCall.of(broker, "subscribeWithCallback", Callback.class, evil()));
    }

    @Test
    void shouldCallNobodyWhenAStubIsInAFieldThatACallbackDoesNotHave() throws Exception {
        final byte[] call = RawCall.of(
                broker, "subscribeWithCallback", SubscribeRequest.topic("t"), new ForgedCallback(evil(), "x"));
        assertNobodyIsCalled(RawCall.renamed(call, ForgedCallback.class, Callback.class));
    }

    /** Its classes are named before it, so nobody is asked about them again. */
    @Test
    void shouldCallNobodyWhenAStubFollowsACallback() throws Exception {
        final MessageListener own = ForgedRef.stub("127.0.0.1", harness.port());
        assertNobodyIsCalled(RawCall.of(broker, "subscribeWithCallback", Callback.of(own), evil()));
    }

    private MessageListener evil() {
        return ForgedRef.stub("127.1", elsewhere.getLocalPort());
    }

    private void assertNobodyIsCalled(final byte[] call) throws Exception {
        elsewhere.setSoTimeout(QUIET_MS);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), harness.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(call);

            // The runtime would call there before it answers.
            assertThatThrownBy(elsewhere::accept).isInstanceOf(SocketTimeoutException.class);
            assertThat(RawCall.answer(socket, new byte[0]))
                    .isInstanceOf(Exception.class)
                    .asString()
                    .contains("error unmarshalling arguments");
        }
        assertThat(harness.counter(BridgeCounter.ARGUMENTS_REFUSED)).isOne();
        assertThat(harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN)).isZero();
        assertThat(broker.echo(new byte[3])).hasSize(3);
    }

    /** Is taken for a callback, whose fields it does not have. */
    @SuppressWarnings({"serial", "UnusedVariable"})
    private static final class ForgedCallback implements Serializable {
        private static final long serialVersionUID = 1L;

        private final Object extra;
        private final Object listener;
        private final Object reference;

        ForgedCallback(final MessageListener extra, final String other) {
            this.extra = extra;
            listener = other;
            reference = other;
        }
    }
}
