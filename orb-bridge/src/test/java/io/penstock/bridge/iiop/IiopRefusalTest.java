package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.client.Topic;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What CORBA clients cannot do. */
@Timeout(120)
class IiopRefusalTest {
    private static final String GUEST = "PenstockBroker";
    private static final int QUIET_MS = 300;

    private static Ior place(final Harness harness) {
        return Ior.parse(harness.bridge().ior());
    }

    private static void assertFails(
            final String name, final int minor, final int completion, final ThrowingCallable call) {
        final SystemException failure = catchThrowableOfType(SystemException.class, call::call);
        assertThat(failure).isNotNull();
        assertThat(failure.name()).isEqualTo(name);
        assertThat(failure.minor()).as("minor code").isEqualTo(minor);
        assertThat(failure.completion()).as("completion").isEqualTo(completion);
    }

    private static int ours(final int minor) {
        return SystemException.MINOR_BASE + minor;
    }

    @ParameterizedTest
    @CsvSource({
        "nothing, 2, BAD_OPERATION",
        "_get_nothing, 2, BAD_OPERATION",
        "_interface, 5, NO_IMPLEMENT",
        "_domain_managers, 5, NO_IMPLEMENT"
    })
    void shouldRefuseAnOperationWhenThereIsNone(final String operation, final int minor, final String name)
            throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            assertFails(
                    name,
                    name.equals("BAD_OPERATION") ? 0x4F4D0000 + minor : ours(minor),
                    SystemException.COMPLETED_NO,
                    () -> peer.call(GUEST, operation, out -> {}, in -> 0));
            assertThat(peer.call(GUEST, "echo", out -> out.octets(new byte[3]), CdrReader::octets))
                    .hasSize(3);
        }
    }

    @Test
    void shouldAnswerTheOperationsOfEveryObject() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            for (final String type : List.of("IDL:Penstock/PenstockBroker:1.0", "IDL:omg.org/CORBA/Object:1.0")) {
                assertThat(peer.call(GUEST, "_is_a", out -> out.string(type), CdrReader::readBoolean))
                        .isTrue();
            }
            assertThat(peer.call(GUEST, "_is_a", out -> out.string("IDL:Other:1.0"), CdrReader::readBoolean))
                    .isFalse();
            assertThat(peer.call(GUEST, "_non_existent", out -> {}, CdrReader::readBoolean))
                    .isFalse();
            assertThat(peer.call("other", "_non_existent", out -> {}, CdrReader::readBoolean))
                    .isTrue();
            assertThat(peer.call(GUEST, "_repository_id", out -> {}, CdrReader::string))
                    .isEqualTo("IDL:Penstock/PenstockBroker:1.0");
            assertThat(GiopPeer.await(peer.locate(GUEST))).isEqualTo(1);
            assertThat(GiopPeer.await(peer.locate("other"))).isZero();
        }
    }

    @Test
    void shouldRefuseWhenThereIsNoSuchObject() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            for (final String operation : List.of("echo", "nothing", "_is_a")) {
                assertFails(
                        "OBJECT_NOT_EXIST",
                        ours(2),
                        SystemException.COMPLETED_NO,
                        () -> peer.call("other", operation, out -> out.octets(new byte[3]), CdrReader::octets));
            }
        }
    }

    @Test
    void shouldRefuseAndCountWhenArgumentsCannotBeRead() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            for (final String operation : List.of(
                    "echo",
                    "publish",
                    "publishBatch",
                    "publishBatchWithHeaders",
                    "subscribe",
                    "next",
                    "logon",
                    "forget",
                    "query")) {
                assertFails(
                        "MARSHAL",
                        ours(1),
                        SystemException.COMPLETED_NO,
                        () -> peer.call(GUEST, operation, out -> out.writeInt(0x7FFFFFFF), in -> 0));
            }
            assertThat(harness.counter(BridgeCounter.ARGUMENTS_REFUSED)).isEqualTo(9);
            assertThat(peer.call(GUEST, "echo", out -> out.octets(new byte[3]), CdrReader::octets))
                    .hasSize(3);
        }
    }

    @ParameterizedTest
    @CsvSource({"65, 0, header: 65 of them", "1, 3, header: unknown type: 3"})
    void shouldNameTheMessageWhenOneOfABatchHasHeadersThatNoMessageHas(
            final int count, final int type, final String text) throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final BrokerException refusal = catchThrowableOfType(
                    BrokerException.class,
                    () -> peer.call(
                            GUEST,
                            "publishBatchWithHeaders",
                            out -> {
                                out.writeInt(2);
                                writeWithHeaders(out, 0, type);
                                writeWithHeaders(out, count, type);
                                out.writeBoolean(false);
                            },
                            in -> 0));

            assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_HEADER.code());
            assertThat(refusal.text()).startsWith("publishBatchWithHeaders: message 1: " + text);
            assertThat(harness.counter(BridgeCounter.PUBLISHED)).isZero();
        }
    }

    @Test
    void shouldSendNoneWhenTheRestOfABatchIsMissing() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            for (final int written : new int[] {1, 2}) {
                assertFails(
                        "MARSHAL",
                        ours(1),
                        SystemException.COMPLETED_NO,
                        () -> peer.call(
                                GUEST,
                                "publishBatchWithHeaders",
                                out -> {
                                    out.writeInt(2);
                                    for (int i = 0; i < written; i++) {
                                        writeWithHeaders(out, 1, 0);
                                    }
                                },
                                in -> 0));
            }
            assertThat(harness.counter(BridgeCounter.PUBLISHED)).isZero();
            assertThat(harness.counter(BridgeCounter.ARGUMENTS_REFUSED)).isEqualTo(2);
        }
    }

    private static void writeWithHeaders(final io.penstock.bridge.giop.CdrWriter out, final int count, final int type)
            throws SystemException {
        IiopBroker.write(out, BridgeTck.publication("t", "{}"));
        out.writeInt(count);
        for (int i = 0; i < count; i++) {
            out.string("h" + i);
            out.writeInt(type);
            out.string("");
            out.writeLong(0);
            out.octets(new byte[0]);
        }
    }

    @Test
    void shouldRefuseAMessageWhenItIsTooLongForABroker() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.messageLengthMax = 1024;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final BrokerException refusal = catchThrowableOfType(
                    BrokerException.class,
                    () -> peer.call(GUEST, "echo", out -> out.octets(new byte[1025]), CdrReader::octets));
            assertThat(refusal.code()).isEqualTo(ErrorCode.MESSAGE_TOO_LONG.code());
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 65536", "1, 65536", "2, 65536", "2, 1048576"})
    void shouldReadPastAndRefuseWhenARequestIsTooLong(final int minor, final int fragmentLength) throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.messageLengthMax = 1024;
        setup.batchLengthMax = 1024;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = new GiopPeer(place(harness), minor, true, fragmentLength)) {
            // Longer than 1024, 4 KiB for each message of a batch, and 64 KiB.
            final byte[] data = new byte[6 * 1024 * 1024];
            assertFails(
                    "IMP_LIMIT",
                    ours(3),
                    SystemException.COMPLETED_NO,
                    () -> peer.call(GUEST, "echo", out -> out.octets(data), CdrReader::octets));
            assertThat(peer.call(GUEST, "echo", out -> out.octets(new byte[3]), CdrReader::octets))
                    .as("on the same connection")
                    .hasSize(3);
        }
    }

    @Test
    void shouldRefuseWhenTooMuchHasComeInPart() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.receivedLengthMax = 100_000;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(place(harness))) {
            assertFails(
                    "NO_RESOURCES",
                    ours(4),
                    SystemException.COMPLETED_NO,
                    () -> peer.call(GUEST, "echo", out -> out.octets(new byte[1_000_000]), CdrReader::octets));
            assertThat(peer.call(GUEST, "echo", out -> out.octets(new byte[30_000]), CdrReader::octets))
                    .hasSize(30_000);
        }
    }

    @Test
    void shouldRefuseACodeSetWhenItIsNotKnown() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            peer.codeSet(0x00010109);
            assertFails(
                    "CODESET_INCOMPATIBLE",
                    0x4F4D0001,
                    SystemException.COMPLETED_NO,
                    () -> peer.call(GUEST, "forget", out -> out.string("x"), in -> 0));
        }
    }

    /** It may be named once. */
    @Test
    void shouldKnowTheCodeSetOfARequestThatWasTooLong() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.messageLengthMax = 1024;
        setup.batchLengthMax = 1024;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final byte[] data = new byte[6 * 1024 * 1024];
            assertFails(
                    "IMP_LIMIT",
                    ours(3),
                    SystemException.COMPLETED_NO,
                    () -> peer.call(GUEST, "echo", out -> out.octets(data), CdrReader::octets));
            peer.codeSet(0);
            final PenstockBroker broker = new IiopBroker(peer, GUEST);
            final long subscription = broker.subscribe(SubscribeRequest.topic("€"));
            harness.client().publish("€", "{}");

            assertThat(broker.next(subscription, 1, 20_000)).hasSize(1);
        }
    }

    @Test
    void shouldRefuseAnAnswerWhenItDoesNotFitTheClientsCodeSet() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness));
                GiopPeer other = GiopPeer.to(place(harness))) {
            final PenstockBroker broker = new IiopBroker(peer, GUEST);
            final long subscription = broker.subscribe(SubscribeRequest.topic("€"));
            broker.publish(BridgeTck.publication("€", "{}"), false);
            other.codeSet(0x00010001);
            final BrokerException refusal = catchThrowableOfType(
                    BrokerException.class,
                    () -> other.call(GUEST, "next", out -> next(out, subscription), IiopBroker::deliveries));

            assertThat(refusal.name()).isEqualTo("BAD_TEXT");
            assertThat(refusal.text())
                    .startsWith(
                            "next: DATA_CONVERSION: a string is not ISO-8859-1, so the subscription is ended before shard 0, sequence ");
            assertThat(harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN)).isZero();
            BridgeTck.assertRefused(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> broker.next(subscription, 1, 0));
            assertThat(Harness.await(() -> harness.bridge().isIdle())).isTrue();
        }
    }

    @Test
    void shouldEndAQueryWhenARecordDoesNotFitTheClientsCodeSet() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness));
                GiopPeer other = GiopPeer.to(place(harness))) {
            final PenstockBroker broker = new IiopBroker(peer, GUEST);
            harness.client().declareTopic(Topic.json("€").key("id"));
            harness.client().publish("€", "{\"id\":1}");
            final long query = broker.query(QueryRequest.topic("€"));
            other.codeSet(0x00010001);
            final BrokerException refusal = catchThrowableOfType(
                    BrokerException.class,
                    () -> other.call(GUEST, "fetch", out -> next(out, query), IiopBroker::deliveries));

            assertThat(refusal.text())
                    .startsWith("fetch: DATA_CONVERSION: a string is not ISO-8859-1, so the query is ended");
            assertThat(harness.counter(BridgeCounter.QUERIES_OPEN)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GIOX\1\2\0\0\0\0\0\0", "GIOP\1\2\0\7\0\0\0\4\0\0\0\1", "GIOP\1\2\0\1\0\0\0\0"})
    void shouldSayMessageErrorAndCloseWhenItIsNoGiop(final String bytes) throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            peer.sendRaw(bytes.getBytes(StandardCharsets.ISO_8859_1));

            assertThat(peer.awaitEnd()).isEqualTo(MessageType.MESSAGE_ERROR);
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 0))
                    .isTrue();
            assertThat(harness.counter(BridgeCounter.ARGUMENTS_REFUSED)).isOne();
        }
    }

    @Test
    void shouldSendNothingThereWhenACallbackIsElsewhere() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness));
                ServerSocket elsewhere = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            final IiopBroker broker = new IiopBroker(peer, GUEST);
            for (final String host : List.of("127.1", "example.org", "192.0.2.1", "")) {
                final Ior listener =
                        new Ior(ListenerServer.TYPE, 2, host, elsewhere.getLocalPort(), ListenerServer.KEY, true);
                assertThatThrownBy(() -> broker.subscribeWithCallback(SubscribeRequest.topic("t"), listener))
                        .hasStackTraceContaining("NO_PERMISSION");
            }
            elsewhere.setSoTimeout(QUIET_MS);
            assertThatThrownBy(elsewhere::accept).isInstanceOf(SocketTimeoutException.class);
            assertThat(harness.counter(BridgeCounter.CALLBACKS_REFUSED)).isEqualTo(4);
            assertThat(harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN)).isZero();
        }
    }

    @Test
    void shouldKeepNoReferenceThatIsLongerThanItHasToBe() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final IiopBroker broker = new IiopBroker(peer, GUEST);
            final String tooLong = "x".repeat(4097);
            for (final Ior listener : List.of(
                    new Ior(tooLong, 2, "127.0.0.1", 1, ListenerServer.KEY, true),
                    new Ior(ListenerServer.TYPE, 2, tooLong, 1, ListenerServer.KEY, true),
                    new Ior(ListenerServer.TYPE, 2, "127.0.0.1", 1, tooLong, true))) {
                assertThatThrownBy(() -> broker.subscribeWithCallback(SubscribeRequest.topic("t"), listener))
                        .hasStackTraceContaining("MARSHAL");
            }
            assertThat(harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN)).isZero();
        }
    }

    /** Called for the first message, so the test above can fail. */
    @Test
    void shouldCallThereWhenTheAddressIsConfigured() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.callbackHosts = List.of("127.1");
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(place(harness));
                ServerSocket elsewhere = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            final IiopBroker broker = new IiopBroker(peer, GUEST);
            broker.subscribeWithCallback(
                    SubscribeRequest.topic("t"),
                    new Ior(ListenerServer.TYPE, 2, "127.1", elsewhere.getLocalPort(), ListenerServer.KEY, true));
            broker.publish(BridgeTck.publication("t", "{}"), false);

            elsewhere.setSoTimeout(20_000);
            elsewhere.accept().close();
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS_FAILED) == 1
                            && harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 0))
                    .isTrue();
        }
    }

    @Test
    void shouldEndASessionWhenItsConnectionIsGoneForItsLeases() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.leaseMs = 50;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer other = GiopPeer.to(place(harness))) {
            final String key;
            try (GiopPeer peer = GiopPeer.to(place(harness))) {
                final Ior session = peer.call(
                        GUEST,
                        "logon",
                        out -> {
                            out.string("gone");
                            out.string("");
                            out.string("");
                        },
                        in -> Objects.requireNonNull(Ior.read(in)));
                key = session.key();
                assertThat(key).startsWith("PenstockSession/").hasSize(48);
                final IiopBroker own = new IiopBroker(peer, key);
                // As long as it is connected it stays, whatever its lease.
                assertThat(Harness.await(new Elapsed(4 * 3 * 50))).isTrue();
                assertThat(own.echo(new byte[1])).hasSize(1);
            }
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.SESSIONS_OPEN) == 0))
                    .isTrue();
            assertFails(
                    "OBJECT_NOT_EXIST",
                    ours(2),
                    SystemException.COMPLETED_NO,
                    () -> other.call(key, "echo", out -> out.octets(new byte[3]), CdrReader::octets));
        }
    }

    @Test
    void shouldNotTakeMessagesForAClientThatIsGone() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final PenstockBroker broker = new IiopBroker(peer, GUEST);
            final long subscription = broker.subscribe(SubscribeRequest.topic("t"));
            try (GiopPeer gone = GiopPeer.to(place(harness))) {
                final CompletableFuture<Integer> waiting =
                        gone.send(GUEST, "next", out -> next(out, subscription), in -> 0);
                assertThat(gone.call(GUEST, "echo", out -> out.octets(new byte[1]), CdrReader::octets))
                        .hasSize(1);
                assertThat(waiting).isNotDone();
            }
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 1))
                    .isTrue();
            broker.publish(BridgeTck.publication("t", "{}"), false);

            assertThat(broker.next(subscription, 1, 20_000)).hasSize(1);
            assertThat(Harness.await(() -> harness.bridge().isIdle())).isTrue();
        }
    }

    @Test
    void shouldNotTakeMessagesWhenTheCallWasGivenUp() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final PenstockBroker broker = new IiopBroker(peer, GUEST);
            final long subscription = broker.subscribe(SubscribeRequest.topic("t"));
            final CompletableFuture<Integer> waiting =
                    peer.send(GUEST, "next", out -> next(out, subscription), in -> 0);
            peer.cancelLast();
            broker.publish(BridgeTck.publication("t", "{}"), false);

            assertThat(broker.next(subscription, 1, 20_000)).hasSize(1);
            assertThat(waiting).isNotDone();
        }
    }

    private static void next(final io.penstock.bridge.giop.CdrWriter out, final long subscription) {
        out.writeLong(subscription);
        out.writeInt(10);
        out.writeInt(20_000);
    }

    @Test
    void shouldReportTheBrokersReasonWhenALogonIsRefused() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final IiopBroker broker = new IiopBroker(peer, GUEST);
            BridgeTck.assertRefused(ErrorCode.NOT_SUPPORTED, broker::logoff);
            final PenstockBroker own = broker.logon(new Credentials("own", "", ""));
            own.logoff();
            assertThatThrownBy(() -> own.echo(new byte[1])).hasStackTraceContaining("OBJECT_NOT_EXIST");
        }
    }

    /** A call that may fail. */
    private interface ThrowingCallable {
        void call() throws Exception;
    }

    /** A time that has to pass, as what is tested is that nothing happens. */
    private static final class Elapsed implements java.util.function.BooleanSupplier {
        private final long endNs;

        Elapsed(final long ms) {
            endNs = System.nanoTime() + ms * 1_000_000;
        }

        @Override
        public boolean getAsBoolean() {
            return System.nanoTime() - endNs > 0;
        }
    }
}
