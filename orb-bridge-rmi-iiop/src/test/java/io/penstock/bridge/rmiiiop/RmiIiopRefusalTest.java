package io.penstock.bridge.rmiiiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.Header;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.orb.QueryRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.omg.CORBA.SystemException;
import org.omg.CORBA.portable.ObjectImpl;

/** What a hostile client tries, and what becomes of the others. */
@Timeout(60)
class RmiIiopRefusalTest {
    private static final int VALUE = 0x7fffff02;

    private static Harness harness;

    @BeforeAll
    static void start() throws Exception {
        harness = new Harness(RmiIiopConfig.onPort(0));
    }

    @AfterAll
    static void stop() {
        harness.close();
    }

    static Stream<Arguments> unwanted() {
        return Stream.of(
                        new HashMap<>(Map.of("a", "b")),
                        new ArrayList<>(List.of(1)),
                        new Publication[] {Publication.of("t", new byte[1])},
                        QueryRequest.topic("t"),
                        new IllegalStateException("x"),
                        Integer.valueOf(5),
                        Thread.State.NEW,
                        new byte[1])
                .map(each -> Arguments.of((Object) each));
    }

    @ParameterizedTest
    @MethodSource("unwanted")
    void shouldRefuseAValueWhenNotOfTheDeclaredClass(final Serializable value) throws Exception {
        final long before = harness.server().counter(BridgeCounter.ARGUMENTS_REFUSED);

        assertThatThrownBy(() -> publish(out -> out.write_value(value))).isInstanceOf(SystemException.class);

        assertThat(harness.server().counter(BridgeCounter.ARGUMENTS_REFUSED)).isEqualTo(before + 1);
        assertServed();
    }

    /** It is read as text, and may not say that it is something else. */
    @Test
    void shouldRefuseAValueWhenInTheFieldOfAnother() throws Exception {
        final long before = harness.server().counter(BridgeCounter.ARGUMENTS_REFUSED);

        assertThatThrownBy(() -> publish(out -> {
                    begin(out, id(Publication.class));
                    out.write_longlong(0);
                    out.write_boolean(false);
                    out.write_value(new byte[1]);
                    out.write_value("key");
                    out.write_value(new HashMap<>());
                }))
                .isInstanceOf(SystemException.class);

        assertThat(harness.server().counter(BridgeCounter.ARGUMENTS_REFUSED)).isEqualTo(before + 1);
        assertServed();
    }

    /** The runtime would ask the client how its class looks. */
    @Test
    void shouldRefuseAValueWhenItsClassLooksDifferent() throws Exception {
        assertThatThrownBy(() ->
                        publish(out -> begin(out, "RMI:io.penstock.orb.Publication:0000000000000001:0000000000000001")))
                .isInstanceOf(SystemException.class);

        assertThat(harness.server().counter(BridgeCounter.CALLBACKS_REFUSED)).isZero();
        assertServed();
    }

    @Test
    void shouldRefuseABatchWhenItIsOfAnotherClass() throws Exception {
        assertThatThrownBy(() -> call("publishBatchWithHeaders", out -> {
                    out.write_value(new Publication[] {Publication.of("t", new byte[1])});
                    out.write_boolean(false);
                }))
                .isInstanceOf(SystemException.class);

        assertServed();
    }

    @Test
    void shouldRefuseArgumentsThatAreMissing() throws Exception {
        assertThatThrownBy(() -> harness.guest().echo(null)).hasMessageContaining("echo: is not whole");
        assertThatThrownBy(() -> harness.guest().acknowledge(1, null))
                .hasMessageContaining("acknowledge: is not whole");
        assertThatThrownBy(() -> harness.guest().forget(null)).hasMessageContaining("forget: is not whole");
        assertServed();
    }

    @Test
    void shouldNameTheMessageWhenOneOfABatchIsNotWhole() throws Exception {
        final Publication whole = Publication.of("t", new byte[] {'1'});
        final PublicationWithHeaders good = new PublicationWithHeaders(whole, new Header[0]);
        final PublicationWithHeaders[] others = {
            null,
            new PublicationWithHeaders(null, new Header[0]),
            new PublicationWithHeaders(Publication.of("t", null), new Header[0])
        };
        for (final PublicationWithHeaders each : others) {
            assertThatThrownBy(() ->
                            harness.guest().publishBatchWithHeaders(new PublicationWithHeaders[] {good, each}, false))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining("BAD_TEXT")
                    .hasMessageContaining("publishBatchWithHeaders: message 1: message: is not whole");
        }
        assertThatThrownBy(() -> harness.guest()
                        .publishBatchWithHeaders(
                                new PublicationWithHeaders[] {new PublicationWithHeaders(whole, null)}, false))
                .hasMessageContaining("BAD_HEADER");
        assertThatThrownBy(() -> harness.guest().publishBatchWithHeaders(null, false))
                .hasMessageContaining("publishBatchWithHeaders: is not whole");
        assertThatThrownBy(() -> harness.guest().publishBatch(new Publication[] {whole, null}, false))
                .hasMessageContaining("publishBatch: message 1: message: is not whole");
        assertThat(harness.server().counter(BridgeCounter.PUBLISHED)).isZero();
        assertServed();
    }

    @Test
    void shouldRefuseAClassWhenSentAsAValue() throws Exception {
        assertThatThrownBy(() -> publish(out -> out.write_value(BlockingQueue.class)))
                .isInstanceOf(SystemException.class);

        assertServed();
    }

    /** The array is made before its bytes are read: it is refused at the latest when they are missing. */
    @Test
    void shouldGoOnWhenAnArraySaysThatItIsLong() throws Exception {
        for (final int length : new int[] {1 << 20, 1 << 29, Integer.MAX_VALUE, -1}) {
            assertThatThrownBy(() -> call("echo", out -> {
                        begin(out, "RMI:[B:0000000000000000");
                        out.write_long(length);
                    }))
                    .as("length %d", length)
                    .isInstanceOf(SystemException.class);
        }
        assertServed();
    }

    @Test
    void shouldServeOthersWhenBytesAreNoMessages() throws Exception {
        final long seed = 20_261_122;
        final Random random = new Random(seed);
        for (int n = 0; n < 200; n++) {
            final byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (n % 2 == 0 && bytes.length > 12) {
                final byte[] header = {'G', 'I', 'O', 'P', 1, (byte) random.nextInt(4), 0, (byte) random.nextInt(9)};
                System.arraycopy(header, 0, bytes, 0, header.length);
                bytes[8] = 0;
                bytes[9] = 0;
            }
            try (Socket socket = new Socket(
                            InetAddress.getLoopbackAddress(), harness.server().port());
                    OutputStream out = socket.getOutputStream()) {
                out.write(bytes);
            }
        }
        assertServed();
    }

    @Test
    void shouldRefuseToListenWhenOthersCouldReachIt() {
        assertThatThrownBy(() -> RmiIiopServer.launch(
                        RmiIiopConfig.onPort(0).address("0.0.0.0"), BridgeConfig.defaults(), "inproc:none"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allowInsecureListen");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void shouldRefuseAnAddressWhenBlank(final String address) {
        assertThatThrownBy(() -> RmiIiopConfig.onPort(0).address(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("address: is blank");
    }

    @Test
    void shouldNotListenWhenTheAddressIsEveryone() {
        final InetSocketAddress all = new InetSocketAddress(0);

        final RmiIiopConfig config = RmiIiopConfig.onPort(0);
        final BridgeCounters counters = new BridgeCounters();

        assertThatThrownBy(() -> new ClientServerSocket(config, counters, new CallRoom(config, counters), all).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("allowInsecureListen");
    }

    @Test
    void shouldSayWhyWhenItCannotListen() {
        assertThatThrownBy(() -> RmiIiopServer.launch(
                        RmiIiopConfig.onPort(harness.server().port()), BridgeConfig.defaults(), "inproc:none"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "cannot listen on 127.0.0.1:" + harness.server().port());
    }

    @Test
    void shouldEndAConnectionWhenACallIsTooLong() throws Exception {
        final RmiIiopConfig config = RmiIiopConfig.onPort(0).limits(8, 64 * 1024, 60_000);
        try (Harness small = new Harness(config)) {
            assertThat(small.guest().echo(new byte[60_000])).hasSize(60_000);
            assertThatThrownBy(() -> small.guest().echo(new byte[70_000])).isInstanceOf(Exception.class);
            assertThat(small.guest().echo(new byte[60_000])).hasSize(60_000);
        }
    }

    @Test
    void shouldCloseAConnectionWhenThereAreTooMany() throws Exception {
        final RmiIiopConfig config = RmiIiopConfig.onPort(0).limits(1, 1 << 20, 60_000);
        try (Harness small = new Harness(config)) {
            assertThat(small.guest().echo(new byte[1])).hasSize(1);
            try (Socket second =
                    new Socket(InetAddress.getLoopbackAddress(), small.server().port())) {
                assertThat(second.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(small.server().counter(BridgeCounter.CONNECTIONS_REFUSED))
                    .isOne();
            assertThat(small.guest().echo(new byte[1])).hasSize(1);
        }
    }

    @Test
    void shouldEndASessionWhenNothingOfItIsCalled() throws Exception {
        final RmiIiopConfig config = RmiIiopConfig.onPort(0).limits(8, 1 << 20, 5000);
        try (Harness small = new Harness(config)) {
            final PenstockBroker session = small.guest().logon(new Credentials("idle", "", ""));
            assertThat(small.server().counter(BridgeCounter.SESSIONS_OPEN)).isOne();

            assertThat(Harness.await(() -> small.server().counter(BridgeCounter.SESSIONS_OPEN) == 0))
                    .isTrue();

            assertThatThrownBy(() -> session.echo(new byte[1])).isInstanceOf(java.rmi.RemoteException.class);
            assertThat(small.guest().echo(new byte[1])).hasSize(1);
        }
    }

    private static void assertServed() throws Exception {
        assertThat(harness.guest().echo(new byte[1000])).hasSize(1000);
        assertThat(harness.server().counter(BridgeCounter.CALLBACKS_REFUSED)).isZero();
    }

    private static String id(final Class<?> type) {
        return javax.rmi.CORBA.Util.createValueHandler().getRMIRepositoryID(type);
    }

    private static void begin(final org.omg.CORBA_2_3.portable.OutputStream out, final String id) {
        out.write_long(VALUE);
        out.write_string(id);
    }

    private static void publish(final Body body) throws Exception {
        call("publish", body);
    }

    /** A call with arguments that no stub would send. */
    private static void call(final String operation, final Body body) throws Exception {
        final ObjectImpl object = harness.guestObject();
        final org.omg.CORBA_2_3.portable.OutputStream out =
                (org.omg.CORBA_2_3.portable.OutputStream) object._request(operation, true);
        body.write(out);
        object._releaseReply(object._invoke(out));
    }

    /** What is sent as arguments. */
    private interface Body {
        void write(org.omg.CORBA_2_3.portable.OutputStream out);
    }
}
