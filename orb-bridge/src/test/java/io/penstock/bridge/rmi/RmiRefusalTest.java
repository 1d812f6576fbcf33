package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.config.RmiConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.rmi.AccessException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RmiRefusalTest {
    private static final int QUIET_MS = 300;

    /** The shortest calls. */
    private static final BridgeConfig SMALL = new BridgeConfig(
            RmiConfig.none().port(0),
            IiopConfig.none(),
            4,
            4,
            4,
            1024,
            1,
            1024,
            4,
            1024,
            1024,
            60_000,
            10_000,
            30_000,
            10_000,
            4,
            "");

    @Test
    void shouldOnlyBeReadWhenARegistry() throws Exception {
        try (Harness harness = Harness.start()) {
            final Registry registry = LocateRegistry.getRegistry("127.0.0.1", harness.port());
            final PenstockBroker broker = harness.lookup();

            assertThatThrownBy(() -> registry.bind("other", broker)).hasCauseInstanceOf(AccessException.class);
            assertThatThrownBy(() -> registry.rebind(PenstockBroker.NAME, broker))
                    .hasCauseInstanceOf(AccessException.class);
            assertThatThrownBy(() -> registry.unbind(PenstockBroker.NAME)).hasCauseInstanceOf(AccessException.class);

            assertThat(registry.list()).containsExactly(PenstockBroker.NAME);
            assertThat(harness.lookup().echo(new byte[3])).hasSize(3);
        }
    }

    @Test
    void shouldRefuseAndCountWhenAnArgumentIsOfAnotherClass() throws Exception {
        try (Harness harness = Harness.start()) {
            final PenstockBroker broker = harness.lookup();
            final Serializable[] others = {
                new HashMap<>(Map.of("a", 1)),
                new ArrayList<>(List.of("x")),
                new Object[] {new Object[] {"deep"}},
                new byte[2][2],
                new Other()
            };
            for (final Serializable other : others) {
                assertThatThrownBy(() -> call(
                                broker, "publish", new Class<?>[] {Publication.class, boolean.class}, other, false))
                        .hasRootCauseInstanceOf(InvalidClassException.class);
            }

            assertThat(harness.counter(BridgeCounter.ARGUMENTS_REFUSED)).isEqualTo(others.length);
            assertThat(broker.echo(new byte[3])).hasSize(3);
        }
    }

    @Test
    void shouldRefuseBeforeItIsReadWhenAnArrayIsTooLong() throws Exception {
        try (Harness harness = Harness.start()) {
            final PenstockBroker broker = harness.lookup();

            // The connection is closed while the rest is on its way.
            assertThatThrownBy(() -> broker.echo(new byte[harness.config().messageLengthMax() + 1]))
                    .isInstanceOf(RemoteException.class);

            assertThat(harness.counter(BridgeCounter.ARGUMENTS_REFUSED)).isPositive();
            assertThat(broker.echo(new byte[3])).hasSize(3);
        }
    }

    @Test
    void shouldSendNothingThereWhenACallbackIsElsewhere() throws Exception {
        try (Harness harness = Harness.start();
                ServerSocket elsewhere = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            final PenstockBroker broker = harness.lookup();
            final Callback callback = Callback.of(ForgedRef.stub("127.1", elsewhere.getLocalPort()));

            assertThatThrownBy(() -> broker.subscribeWithCallback(SubscribeRequest.topic("t"), callback))
                    .hasRootCauseInstanceOf(InvalidObjectException.class)
                    .hasStackTraceContaining("callback: not the caller's address: 127.1 (");

            elsewhere.setSoTimeout(QUIET_MS);
            assertThatThrownBy(elsewhere::accept).isInstanceOf(SocketTimeoutException.class);
            assertThat(harness.counter(BridgeCounter.CALLBACKS_REFUSED)).isOne();
            assertThat(harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN)).isZero();
        }
    }

    /** Called for the first message, so the test above can fail. */
    @Test
    void shouldCallThereWhenTheAddressIsConfigured() throws Exception {
        final RmiConfig rmi =
                new RmiConfig(0, "127.0.0.1", "", 64, 1024, 16, 60_000, List.of("127.1"), false, false);
        try (Harness harness = Harness.of(BridgeConfig.defaults().rmi(rmi));
                ServerSocket elsewhere = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            final PenstockBroker broker = harness.lookup();
            final Callback callback = Callback.of(ForgedRef.stub("127.1", elsewhere.getLocalPort()));

            assertThat(broker.subscribeWithCallback(SubscribeRequest.topic("t"), callback))
                    .isPositive();
            broker.publish(BridgeTck.publication("t", "{}"), false);

            elsewhere.setSoTimeout(20_000);
            elsewhere.accept().close();
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS_FAILED) == 1
                            && harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 0))
                    .isTrue();
        }
    }

    @Test
    void shouldRefuseAListenerWhenItIsNoStub() throws Exception {
        try (Harness harness = Harness.start()) {
            final PenstockBroker broker = harness.lookup();
            final MessageListener local = (MessageListener) Proxy.newProxyInstance(
                    MessageListener.class.getClassLoader(), new Class<?>[] {MessageListener.class}, new LocalHandler());

            assertThatThrownBy(() -> broker.subscribeWithCallback(SubscribeRequest.topic("t"), Callback.of(local)))
                    .hasRootCauseInstanceOf(NotSerializableException.class)
                    .hasStackTraceContaining("callback: the listener is not exported: ");
            final MessageListener stub = ForgedRef.stub("127.0.0.1", harness.port());
            for (final MessageListener each : new MessageListener[] {local, stub}) {
                assertThatThrownBy(() -> call(broker, "logon", new Class<?>[] {Credentials.class}, each))
                        .hasRootCauseInstanceOf(InvalidClassException.class);
            }
        }
    }

    @Test
    @SuppressWarnings("try") // Closed early, to make room.
    void shouldCloseFurtherConnectionsWhenThereAreTooMany() throws Exception {
        final RmiConfig rmi =
                new RmiConfig(0, "127.0.0.1", "", 2, 1024, 16, 60_000, List.of(), false, false);
        try (Harness harness = Harness.of(BridgeConfig.defaults().rmi(rmi));
                Socket first = new Socket(InetAddress.getLoopbackAddress(), harness.port());
                Socket second = new Socket(InetAddress.getLoopbackAddress(), harness.port())) {
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 2))
                    .isTrue();

            try (Socket third = new Socket(InetAddress.getLoopbackAddress(), harness.port())) {
                assertThat(readsEnd(third)).isTrue();
            }

            assertThat(harness.counter(BridgeCounter.CONNECTIONS_REFUSED)).isOne();
            first.close();
            second.close();
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 0))
                    .isTrue();
            assertThat(harness.lookup().echo(new byte[1])).hasSize(1);
        }
    }

    @Test
    void shouldCloseAConnectionWhenNothingComesFromIt() throws Exception {
        final RmiConfig rmi = new RmiConfig(0, "127.0.0.1", "", 8, 1024, 16, 100, List.of(), false, false);
        try (Harness harness = Harness.of(BridgeConfig.defaults().rmi(rmi));
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), harness.port())) {
            assertThat(readsEnd(silent)).isTrue();
        }
    }

    @Test
    void shouldCloseAConnectionWhenItsClientDoesNotTakeTheAnswer() throws Exception {
        final RmiConfig rmi = new RmiConfig(0, "127.0.0.1", "", 8, 1024, 16, 4000, List.of(), false, false);
        try (Harness harness = Harness.of(BridgeConfig.defaults().rmi(rmi));
                Socket deaf = new Socket()) {
            // Longer than what the system keeps of it.
            final byte[] call = RawCall.of(harness.lookup(), "echo", new byte[16 * 1024 * 1024]);
            deaf.setReceiveBufferSize(4096);
            deaf.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), harness.port()));
            deaf.getOutputStream().write(call);

            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS) > 1
                            && harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 0))
                    .isTrue();
            assertThat(harness.lookup().echo(new byte[3])).hasSize(3);
        }
    }

    @Test
    void shouldRefuseAndUndoWhenARequestIsNotWhole() throws Exception {
        try (Harness harness = Harness.start()) {
            final PenstockBroker broker = harness.lookup();
            final byte[] subscribe = RawCall.of(broker, "subscribe", new NotWhole());
            final byte[] query = RawCall.of(broker, "query", new NotWhole());

            assertNotWhole(harness, RawCall.renamed(subscribe, NotWhole.class, SubscribeRequest.class));
            assertNotWhole(harness, RawCall.renamed(query, NotWhole.class, QueryRequest.class));

            assertThat(harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN)).isZero();
            assertThat(harness.counter(BridgeCounter.QUERIES_OPEN)).isZero();
        }
    }

    /** The next call of the same connection may be as long as the first. */
    @Test
    void shouldAnswerEachWhenCallsOfOneConnectionAreTogetherLongerThanOneMayBe() throws Exception {
        try (Harness harness = Harness.of(SMALL)) {
            final PenstockBroker broker = harness.lookup();
            for (int i = 0; i < 400; i++) {
                assertThat(broker.echo(new byte[1024])).hasSize(1024);
            }

            assertThat(harness.counter(BridgeCounter.CONNECTIONS)).isLessThan(20);
        }
    }

    @Test
    void shouldCloseTheConnectionWhenAStringDoesNotEnd() throws Exception {
        try (Harness harness = Harness.of(SMALL)) {
            final byte[] name = RawCall.of(harness.lookup(), "forget", "n");
            final byte[] lookup = RawCall.lookup("n");
            for (final byte[] call : List.of(name, lookup)) {
                assertThat(longest(harness, call)).isLessThan(32L * 1024 * 1024);
            }

            assertThat(harness.counter(BridgeCounter.ARGUMENTS_REFUSED)).isEqualTo(2);
            assertThat(harness.lookup().echo(new byte[3])).hasSize(3);
        }
    }

    /** Sends a call whose last argument, a string of a character, is a long one; returns how much of it was taken. */
    private static long longest(final Harness harness, final byte[] call) throws Exception {
        final byte[] piece = new byte[64 * 1024];
        Arrays.fill(piece, (byte) 'a');
        long length = 0;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), harness.port())) {
            final DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            // Without its type, its length and its character.
            out.write(call, 0, call.length - 4);
            out.writeByte(ObjectStreamConstants.TC_LONGSTRING);
            out.writeLong(Integer.MAX_VALUE);
            while (length < 128L * 1024 * 1024) {
                out.write(piece);
                length += piece.length;
            }
        } catch (final SocketException e) {
            // Closed, as it should be.
            return length;
        }
        return length;
    }

    private static void assertNotWhole(final Harness harness, final byte[] call) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), harness.port())) {
            socket.setSoTimeout(20_000);
            final Object answer = RawCall.answer(socket, call);
            assertThat(answer).isInstanceOf(BrokerException.class);
            assertThat(((BrokerException) answer).name()).isEqualTo("BAD_TEXT");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void shouldRefuseToListenWhenOthersCouldCome(final String address) {
        final RmiConfig rmi = new RmiConfig(0, address, "", 8, 1024, 16, 100, List.of(), false, false);

        assertThatThrownBy(() -> Harness.of(BridgeConfig.defaults().rmi(rmi)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("bridge.rmi.address: other machines can reach it: " + address);
    }

    private static boolean readsEnd(final Socket socket) throws IOException {
        socket.setSoTimeout(20_000);
        try {
            return socket.getInputStream().read() < 0;
        } catch (final SocketTimeoutException e) {
            return false;
        } catch (final IOException e) {
            // Reset: it is closed as well.
            return true;
        }
    }

    /** Calls a method with arguments that are not of its types. */
    private static Object call(
            final PenstockBroker broker, final String name, final Class<?>[] types, final Object... arguments)
            throws Exception {
        final Method method = PenstockBroker.class.getMethod(name, types);
        final RemoteObjectInvocationHandler handler =
                (RemoteObjectInvocationHandler) Proxy.getInvocationHandler(broker);
        return handler.getRef().invoke(broker, method, arguments, MethodHash.of(method));
    }

    /** A request without most of its fields. */
    @SuppressWarnings("UnusedVariable")
    private static final class NotWhole implements Serializable {
        private static final long serialVersionUID = 1L;

        private final String name = "";
        private final String start = "";
    }

    /** A class that the bridge does not know. */
    private static final class Other implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** Does nothing, and would be called in the bridge. */
    private static final class LocalHandler implements InvocationHandler, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public Object invoke(final Object proxy, final Method method, final Object[] arguments) throws RemoteException {
            throw new RemoteException("called");
        }
    }
}
