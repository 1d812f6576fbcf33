package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;
import io.penstock.bridge.giop.RequestHeader;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.SubscribeRequest;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of connections. */
@Timeout(120)
class IiopLimitTest {
    private static final String GUEST = "PenstockBroker";

    /** Long enough for a client that is to ask in time, however slow the machine is. */
    private static final int IDLE_TIMEOUT_MS = 4000;

    private static final int LEASE_MS = 4000;

    private static Ior place(final Harness harness) {
        return Ior.parse(harness.bridge().ior());
    }

    private static byte[] echo(final GiopPeer peer, final int length) throws Exception {
        return peer.call(GUEST, "echo", out -> out.octets(new byte[length]), CdrReader::octets);
    }

    @Test
    void shouldCloseFurtherConnectionsWhenThereAreTooMany() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.connectionCountMax = 2;
        try (Harness harness = Harness.of(setup.config())) {
            try (GiopPeer first = GiopPeer.to(place(harness));
                    GiopPeer second = GiopPeer.to(place(harness))) {
                assertThat(echo(first, 1)).hasSize(1);
                assertThat(echo(second, 1)).hasSize(1);
                try (GiopPeer third = GiopPeer.to(place(harness))) {
                    assertThat(third.awaitEnd()).isEqualTo(-1);
                }
                assertThat(harness.counter(BridgeCounter.CONNECTIONS_REFUSED)).isOne();
                assertThat(echo(first, 1)).hasSize(1);
            }
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 0))
                    .isTrue();
            try (GiopPeer another = GiopPeer.to(place(harness))) {
                assertThat(echo(another, 1)).hasSize(1);
            }
        }
    }

    @Test
    void shouldCloseInOrderWhenNothingComes() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.idleTimeoutMs = IDLE_TIMEOUT_MS;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer silent = GiopPeer.to(place(harness));
                GiopPeer half = GiopPeer.to(place(harness));
                GiopPeer waiting = GiopPeer.to(place(harness))) {
            final PenstockBroker broker = new IiopBroker(waiting, GUEST);
            final long subscription = broker.subscribe(SubscribeRequest.topic("t"));
            final CompletableFuture<Integer> next = waiting.send(
                    GUEST,
                    "next",
                    out -> {
                        out.writeLong(subscription);
                        out.writeInt(1);
                        out.writeInt(IDLE_TIMEOUT_MS + 1000);
                    },
                    in -> in.count(32));
            half.sendRaw(new byte[] {'G', 'I', 'O', 'P', 1, 2, 0, 0, 0, 0, 1, 0, 7});

            assertThat(silent.awaitEnd()).isEqualTo(MessageType.CLOSE_CONNECTION);
            assertThat(half.awaitEnd()).isEqualTo(MessageType.CLOSE_CONNECTION);
            assertThat(next.get(20, TimeUnit.SECONDS))
                    .as("a connection that waits is not idle")
                    .isZero();
            assertThat(waiting.awaitEnd()).isEqualTo(MessageType.CLOSE_CONNECTION);
        }
    }

    /** Whatever else is under way, a message in part has to go on. */
    @Test
    void shouldCloseWhenTheRestOfAMessageDoesNotCome() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.idleTimeoutMs = IDLE_TIMEOUT_MS;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final long subscription = new IiopBroker(peer, GUEST).subscribe(SubscribeRequest.topic("t"));
            final CompletableFuture<Integer> waiting = peer.send(
                    GUEST,
                    "next",
                    out -> {
                        out.writeLong(subscription);
                        out.writeInt(1);
                        out.writeInt(60_000);
                    },
                    in -> in.count(32));
            peer.sendRaw(new byte[] {'G', 'I', 'O', 'P', 1, 2, 0, 0, 0, 0, 1, 0, 7});

            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 0))
                    .isTrue();
            assertThat(peer.awaitEnd()).isEqualTo(-1);
            // Its thread reports the end first, and then the answers that do not come.
            assertThat(Harness.await(waiting::isCompletedExceptionally)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldStopReadingAndCloseWhenAClientDoesNotTakeItsAnswers(final int minor) throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.idleTimeoutMs = 1000;
        setup.messageLengthMax = 1024 * 1024;
        setup.batchLengthMax = 1024 * 1024;
        try (Harness harness = Harness.of(setup.config());
                Socket deaf = new Socket()) {
            deaf.setReceiveBufferSize(4096);
            deaf.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), place(harness).port()));
            final AtomicLong taken = new AtomicLong();
            final Thread sender = new Thread(() -> sendForever(deaf, minor, taken), "deaf");
            sender.start();

            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CONNECTIONS) == 1
                            && harness.counter(BridgeCounter.CONNECTIONS_OPEN) == 0))
                    .as("it is closed")
                    .isTrue();
            sender.join(20_000);
            assertThat(sender.isAlive()).isFalse();
            // What waits is 2 x 5.25 MiB in the bridge, and what the system keeps on four ways.
            assertThat(taken.get()).isLessThan(40L * 1024 * 1024);
            try (GiopPeer other = GiopPeer.to(place(harness))) {
                assertThat(echo(other, 1)).hasSize(1);
            }
        }
    }

    private static void sendForever(final Socket socket, final int minor, final AtomicLong taken) {
        final byte[] data = new byte[512 * 1024];
        try {
            final OutputStream out = socket.getOutputStream();
            for (int id = 0; taken.get() < 1L << 30; id++) {
                final CdrWriter request = CdrWriter.message(false);
                new RequestHeader(id, true, GUEST, "echo", 0).write(request, minor, true);
                request.octets(data);
                final byte[] bytes =
                        RawGiop.bytes(new OutgoingMessage(minor, MessageType.REQUEST, id, request, 1 << 24));
                out.write(bytes);
                taken.addAndGet(bytes.length);
            }
        } catch (final java.io.IOException e) {
            // Closed, as it should be.
            return;
        }
    }

    @Test
    void shouldAnswerAllInTurnWhenThereAreMoreRequestsThanMayBeUnderWay() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.requestCountMax = 4;
        setup.threadCountMax = 2;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final List<CompletableFuture<Long>> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                all.add(peer.send(
                        GUEST,
                        "subscribe",
                        out -> {
                            out.string("t");
                            out.writeBoolean(false);
                            out.string("");
                            out.string("");
                            out.string("");
                            out.writeBoolean(false);
                            out.writeBoolean(false);
                            out.writeBoolean(false);
                            out.writeInt(0);
                        },
                        CdrReader::readLong));
            }
            for (final CompletableFuture<Long> each : all) {
                assertThat(GiopPeer.await(each)).isPositive();
            }
        }
    }

    /** However they come: at once, or one by one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBeginNoMoreRequestsThanMayBeUnderWay(final boolean isAtOnce) throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.requestCountMax = 2;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(place(harness));
                GiopPeer other = GiopPeer.to(place(harness))) {
            final PenstockBroker broker = new IiopBroker(other, GUEST);
            final ByteBuf all = Unpooled.buffer();
            final List<Long> subscriptions = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                subscriptions.add(broker.subscribe(SubscribeRequest.topic("t" + i)));
            }
            for (final long each : subscriptions) {
                all.writeBytes(RawGiop.next(1 << 20, each));
            }
            // Published when it is begun, so callers that wait get the result.
            all.writeBytes(RawGiop.publish(2 << 20, "t2"));
            final long third = broker.subscribe(SubscribeRequest.topic("t2"));
            if (isAtOnce) {
                peer.sendRaw(ByteBufUtil.getBytes(all));
            } else {
                for (int i = 0; i < all.readableBytes(); i++) {
                    peer.sendRaw(new byte[] {all.getByte(i)});
                }
            }
            assertThat(broker.next(third, 1, 500))
                    .as("what is beyond the bound")
                    .isEmpty();

            broker.publish(BridgeTck.publication("t0", "{}"), false);

            assertThat(broker.next(third, 1, 20_000)).hasSize(1);
        }
    }

    /** With two threads: whoever waits for messages holds none. */
    @Test
    void shouldServeOthersWhenManyWaitForMessages() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.threadCountMax = 2;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final PenstockBroker broker = new IiopBroker(peer, GUEST);
            final List<CompletableFuture<Integer>> waiting = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                final long subscription = broker.subscribe(SubscribeRequest.topic("t"));
                waiting.add(peer.send(
                        GUEST,
                        "next",
                        out -> {
                            out.writeLong(subscription);
                            out.writeInt(1);
                            out.writeInt(30_000);
                        },
                        in -> in.count(32)));
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            assertThat(harness.bridge().iiopThreadCount())
                    .isBetween(3, setup.iiop().ioThreadCount() + 2);

            broker.publish(io.penstock.bridge.BridgeTck.publication("t", "{}"), false);

            for (final CompletableFuture<Integer> each : waiting) {
                assertThat(GiopPeer.await(each)).isEqualTo(1);
            }
            assertThat(Harness.await(() -> harness.bridge().isIdle())).isTrue();
        }
    }

    /** Its lease is held while it waits, and no longer. */
    @Test
    void shouldEndASubscriptionWhenItsClientIsGoneWhileItWaits() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0))) {
            try (GiopPeer gone = GiopPeer.to(place(harness))) {
                final PenstockBroker broker = new IiopBroker(gone, GUEST);
                final long subscription =
                        broker.subscribe(SubscribeRequest.topic("t").leaseMs(LEASE_MS));
                final CompletableFuture<Integer> waiting = gone.send(
                        GUEST,
                        "next",
                        out -> {
                            out.writeLong(subscription);
                            out.writeInt(1);
                            out.writeInt(30_000);
                        },
                        in -> in.count(32));
                final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEASE_MS + 1000);
                assertThat(Harness.await(() -> System.nanoTime() - endNs > 0)).isTrue();
                assertThat(harness.counter(BridgeCounter.LEASES_EXPIRED)).isZero();
                assertThat(waiting).isNotDone();
            }
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.LEASES_EXPIRED) == 1))
                    .isTrue();
        }
    }

    @Test
    void shouldWaitForMessagesNoLongerThanAsked() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final PenstockBroker broker = new IiopBroker(peer, GUEST);
            final long subscription = broker.subscribe(SubscribeRequest.topic("t"));
            final long startNs = System.nanoTime();
            assertThat(broker.next(subscription, 1, 200)).isEmpty();
            assertThat(System.nanoTime() - startNs)
                    .isBetween(TimeUnit.MILLISECONDS.toNanos(200), TimeUnit.SECONDS.toNanos(20));
            assertThat(broker.next(subscription, 1, 0)).isEmpty();
            assertThat(broker.next(subscription, 1, -1)).isEmpty();
        }
    }

    /** Whoever has a request under way is not read while all have too much, and is read again when others are done. */
    @Test
    void shouldGoOnReadingWhenOthersHaveMadeRoom() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.receivedLengthMax = 1_000_000;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer much = GiopPeer.to(place(harness));
                GiopPeer little = GiopPeer.to(place(harness))) {
            final PenstockBroker broker = new IiopBroker(much, GUEST);
            final long subscription = broker.subscribe(SubscribeRequest.topic("t"));
            final CompletableFuture<Integer> waiting = next(little, subscription, 60_000, 0);
            assertThat(echo(little, 1)).hasSize(1);
            final CompletableFuture<Integer> first = next(much, subscription, 5000, 600_000);
            final CompletableFuture<Integer> second = next(much, subscription, 5000, 600_000);
            // Time for the bridge to read them; from then on there is too much.
            final long readNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
            assertThat(Harness.await(() -> System.nanoTime() - readNs > 0)).isTrue();
            final CompletableFuture<byte[]> later =
                    little.send(GUEST, "echo", out -> out.octets(new byte[1]), CdrReader::octets);

            assertThat(first).isNotDone();
            assertThat(GiopPeer.await(first)).isZero();
            assertThat(GiopPeer.await(second)).isZero();
            assertThat(later.get(20, TimeUnit.SECONDS)).hasSize(1);
            assertThat(waiting).isNotDone();
        }
    }

    private static CompletableFuture<Integer> next(
            final GiopPeer peer, final long subscription, final int timeoutMs, final int moreLength) throws Exception {
        return peer.send(
                GUEST,
                "next",
                out -> {
                    out.writeLong(subscription);
                    out.writeInt(1);
                    out.writeInt(timeoutMs);
                    // Nobody reads it.
                    out.octets(new byte[moreLength]);
                },
                in -> in.count(32));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void shouldRefuseToListenWhenOthersCouldCome(final String address) {
        final IiopSetup setup = new IiopSetup();
        setup.address = address;

        assertThatThrownBy(() -> Harness.of(setup.config()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("bridge.iiop.address: other machines can reach it: " + address);
    }

    @Test
    void shouldRefuseToListenWhenNobodyWouldKnowWhere() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.address = "0.0.0.0";
        setup.allowInsecureListen = true;

        assertThatThrownBy(() -> Harness.of(setup.config()))
                .hasMessageStartingWith("bridge.iiop.host: missing, and the address is a wildcard: 0.0.0.0");
        setup.host = "127.0.0.1";
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(place(harness))) {
            assertThat(echo(peer, 1)).hasSize(1);
        }
    }
}
