package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.penstock.bridge.Bridge;
import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.StallingProxy;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Delivery;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Publishing by way of a broker that stands still. */
@Timeout(120)
class IiopPublishTest {
    private static final String GUEST = "PenstockBroker";
    private static final String TOPIC = "bytes";

    /** More than the bridge's client and all sockets on the way hold. */
    private static final int MUCH_COUNT = 600;

    private static final int MUCH_LENGTH = 60_000;

    /** Long enough for all that is answered, however slow the machine is. */
    private static final int CALL_TIMEOUT_MS = 4000;

    private final IiopSetup setup = new IiopSetup();

    /** A bridge that is connected to its broker, and a client with a connection of its own. */
    private static final class Running implements AutoCloseable {
        final Broker broker = Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .topic(TopicConfig.topic(TOPIC, "binary"))
                .build());
        final StallingProxy proxy = new StallingProxy(broker.endpoints().get(0).getPort());
        final Bridge bridge;
        final GiopPeer peer;
        final IiopBroker client;

        Running(final IiopSetup setup) throws Exception {
            bridge = Bridge.launch(setup.config(), proxy.endpoint());
            peer = connect();
            client = new IiopBroker(peer, GUEST);
            client.publish(BridgeTck.publication("t", "{}"), false);
        }

        GiopPeer connect() throws IOException {
            return GiopPeer.to(Ior.parse(bridge.ior()));
        }

        boolean isAThreadWaiting() {
            return bridge.iiopThreadCount() > IiopConfig.IO_THREAD_COUNT_DEFAULT;
        }

        @Override
        public void close() throws IOException {
            peer.close();
            bridge.close();
            proxy.close();
            broker.close();
        }
    }

    private static CompletableFuture<byte[]> echo(final GiopPeer asking) throws Exception {
        return asking.send(GUEST, "echo", out -> out.octets(new byte[1]), CdrReader::octets);
    }

    /** Each has one byte more that is set than the one before. */
    private static List<CompletableFuture<Boolean>> publishMuch(final GiopPeer publisher) throws Exception {
        final byte[] data = new byte[MUCH_LENGTH];
        final List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < MUCH_COUNT; i++) {
            data[i] = 1;
            all.add(publisher.send(GUEST, "publish", out -> RawGiop.writePublish(out, TOPIC, data), in -> true));
        }
        return all;
    }

    /** A publisher that gives up and asks again does not get around what may be under way. */
    @Test
    void shouldCountACallThatWasGivenUpAsLongAsItIsMade() throws Exception {
        setup.requestCountMax = 2;
        setup.callTimeoutMs = CALL_TIMEOUT_MS;
        try (Running at = new Running(setup)) {
            at.proxy.stall();
            final ByteBuf all = Unpooled.buffer();
            all.writeBytes(RawGiop.publish(1 << 20, "t"));
            all.writeBytes(RawGiop.cancel(1 << 20));
            all.writeBytes(RawGiop.publish(2 << 20, "t"));
            final long beginNs = System.nanoTime();
            at.peer.sendRaw(ByteBufUtil.getBytes(all));

            // They end when the broker does not answer for so long; what follows is not read before.
            assertThat(GiopPeer.await(echo(at.peer))).hasSize(1);
            assertThat(System.nanoTime() - beginNs)
                    .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(setup.callTimeoutMs));
        }
    }

    @Test
    void shouldRefuseInTimeWhenTheBrokerDoesNotAcknowledge() throws Exception {
        setup.callTimeoutMs = CALL_TIMEOUT_MS;
        try (Running at = new Running(setup)) {
            at.proxy.stall();
            final long beginNs = System.nanoTime();

            BridgeTck.assertRefused(
                    ErrorCode.TIMED_OUT, () -> at.client.publish(BridgeTck.publication("t", "{}"), false));

            assertThat(System.nanoTime() - beginNs)
                    .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(setup.callTimeoutMs));
            assertThat(at.bridge.counter(BridgeCounter.PUBLISHED)).isOne();
        }
    }

    /** With one thread, for which hundreds wait. */
    @Test
    void shouldRefuseInTimeWhatWaitsForRoom() throws Exception {
        setup.callTimeoutMs = CALL_TIMEOUT_MS;
        setup.threadCountMax = 1;
        setup.requestCountMax = MUCH_COUNT;
        try (Running at = new Running(setup)) {
            at.proxy.stall();
            final List<CompletableFuture<Boolean>> all = publishMuch(at.peer);
            final long sentNs = System.nanoTime();
            assertThat(Harness.await(at::isAThreadWaiting)).isTrue();

            for (final CompletableFuture<Boolean> each : all) {
                assertThatThrownBy(() -> GiopPeer.await(each))
                        .isInstanceOfSatisfying(
                                BrokerException.class,
                                refusal -> assertThat(refusal.name()).isEqualTo("TIMED_OUT"));
            }

            // One after the other they would have taken many times as long.
            assertThat(System.nanoTime() - sentNs).isLessThan(TimeUnit.MILLISECONDS.toNanos(10L * setup.callTimeoutMs));
            at.proxy.resume();
            at.client.publish(BridgeTck.publication("t", "{}"), false);
            assertNothingCounts(at);
        }
    }

    /** As many requests as there may be have room. */
    private void assertNothingCounts(final Running at) throws Exception {
        final long subscription = at.client.subscribe(SubscribeRequest.topic("none"));
        for (int i = 1; i < setup.requestCountMax; i++) {
            at.peer.sendRaw(RawGiop.next(1 << 20, subscription));
        }
        assertThat(GiopPeer.await(echo(at.peer))).hasSize(1);
    }

    /** Their clients have disconnected, and the broker never answers: others get their room in the end. */
    @Test
    void shouldCountNoLongerThanItMayTakeWhenItsConnectionIsClosed() throws Exception {
        setup.callTimeoutMs = CALL_TIMEOUT_MS;
        setup.receivedLengthMax = 3000;
        try (Running at = new Running(setup)) {
            final long subscription = at.client.subscribe(SubscribeRequest.topic("t"));
            at.proxy.stall();
            for (int i = 0; i < 2; i++) {
                try (GiopPeer gone = at.connect()) {
                    gone.sendRaw(RawGiop.publish(1 << 20, "t".repeat(1200)));
                    assertThat(GiopPeer.await(echo(gone))).hasSize(1);
                }
            }
            assertOthersHaveRoom(at, subscription);
        }
    }

    @Test
    void shouldForgetWhatWaitsForRoomWhenItsConnectionIsClosed() throws Exception {
        setup.callTimeoutMs = CALL_TIMEOUT_MS;
        setup.threadCountMax = 1;
        setup.receivedLengthMax = (long) (MUCH_COUNT - 50) * MUCH_LENGTH;
        try (Running at = new Running(setup)) {
            final long subscription = at.client.subscribe(SubscribeRequest.topic("t"));
            at.proxy.stall();
            try (GiopPeer gone = at.connect()) {
                final var unused = publishMuch(gone);
                assertThat(Harness.await(at::isAThreadWaiting)).isTrue();
            }
            assertOthersHaveRoom(at, subscription);
        }
    }

    private static void assertOthersHaveRoom(final Running at, final long subscription) throws Exception {
        assertThat(Harness.await(() -> at.bridge.counter(BridgeCounter.CONNECTIONS_OPEN) == 1))
                .isTrue();
        for (int i = 0; i < 10; i++) {
            at.peer.sendRaw(RawGiop.next(2 << 20, subscription));
        }
        // Long before the bridge takes the connection to the broker for lost.
        assertThat(echo(at.peer).get(15, TimeUnit.SECONDS)).hasSize(1);
    }

    /** What the broker takes no more of for the moment waits by threads of the pool. */
    @Test
    void shouldPublishAllWhenTheBrokerStandsStillForAWhile() throws Exception {
        setup.callTimeoutMs = 60_000;
        try (Running at = new Running(setup)) {
            final long subscription = at.client.subscribe(SubscribeRequest.topic(TOPIC));
            at.proxy.stall();
            final List<CompletableFuture<Boolean>> all = publishMuch(at.peer);
            assertThat(Harness.await(() -> at.bridge.iiopThreadCount() > IiopConfig.IO_THREAD_COUNT_DEFAULT + 1))
                    .as("some wait")
                    .isTrue();
            at.proxy.resume();
            for (final CompletableFuture<Boolean> each : all) {
                assertThat(GiopPeer.await(each)).isTrue();
            }
            assertThat(at.bridge.counter(BridgeCounter.PUBLISHED)).isEqualTo(1 + MUCH_COUNT);
            final Set<Integer> seen = new HashSet<>();
            while (seen.size() < MUCH_COUNT) {
                for (final Delivery each : at.client.next(subscription, 100, 20_000)) {
                    int length = 0;
                    while (each.data()[length] == 1) {
                        length++;
                    }
                    assertThat(seen.add(length)).isTrue();
                }
            }
            assertThat(seen).hasSize(MUCH_COUNT).doesNotContain(0);
        }
    }
}
