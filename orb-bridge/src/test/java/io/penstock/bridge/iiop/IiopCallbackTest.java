package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.BridgeTck;
import io.penstock.bridge.Harness;
import io.penstock.bridge.RecordingListener;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.MessageHeader;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;
import io.penstock.bridge.giop.ReplyHeader;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.client.Topic;
import io.penstock.orb.Delivery;
import io.penstock.orb.MessageListener;
import io.penstock.orb.SubscribeRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that are called, and what they do to others. */
@Timeout(120)
class IiopCallbackTest {
    private static final String GUEST = "PenstockBroker";
    private static final int QUIET_MS = 300;

    private static Ior place(final Harness harness) {
        return Ior.parse(harness.bridge().ior());
    }

    @Test
    void shouldNotDelayOthersWhenAListenerDoesNotReturn() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.callbackTimeoutMs = 4000;
        setup.callbackThreadCountMax = 1;
        final CountDownLatch called = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
        final RecordingListener quick = new RecordingListener();
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(place(harness));
                ListenerServer stuck = new ListenerServer(new Stuck(called, released), 2);
                ListenerServer other = new ListenerServer(quick, 2)) {
            final IiopBroker broker = new IiopBroker(peer, GUEST);
            broker.subscribeWithCallback(SubscribeRequest.topic("t"), stuck.reference());
            broker.publish(BridgeTck.publication("t", "{}"), false);
            assertThat(called.await(20, TimeUnit.SECONDS)).isTrue();

            broker.subscribeWithCallback(SubscribeRequest.topic("u"), other.reference());
            broker.publish(BridgeTck.publication("u", "{\"a\":1}"), false);
            assertThat(quick.awaitText()).isEqualTo("{\"a\":1}");
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS_TIMED_OUT) == 1
                            && harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 1))
                    .isTrue();
        } finally {
            released.countDown();
        }
    }

    @Test
    void shouldEndASubscriptionWhenItsListenerFailsOrIsGone() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness));
                ListenerServer failing = new ListenerServer(new Failing(), 2);
                Socket gone = new Socket()) {
            // Bound and not listening: nobody is there, and no other program gets the port.
            gone.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            final Ior nobody =
                    new Ior(ListenerServer.TYPE, 2, "127.0.0.1", gone.getLocalPort(), ListenerServer.KEY, true);
            final IiopBroker broker = new IiopBroker(peer, GUEST);
            broker.subscribeWithCallback(SubscribeRequest.topic("t"), failing.reference());
            broker.subscribeWithCallback(SubscribeRequest.topic("t"), nobody);
            broker.publish(BridgeTck.publication("t", "{}"), false);

            assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS_FAILED) == 2
                            && harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 0))
                    .isTrue();
        }
    }

    @Test
    void shouldReportTheReasonWhenASubscriptionEnds() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.queueCountMax = 4;
        final CountDownLatch called = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
        final RecordingListener listener = new RecordingListener() {
            @Override
            public void onMessages(final long subscription, final Delivery[] received) {
                called.countDown();
                try {
                    released.await();
                } catch (final InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = GiopPeer.to(place(harness));
                ListenerServer server = new ListenerServer(listener, 2)) {
            final IiopBroker broker = new IiopBroker(peer, GUEST);
            harness.client().declareTopic(Topic.json("state").key("id"));
            // One that follows state is sent all changes, whatever waits.
            broker.subscribeWithCallback(SubscribeRequest.topic("state").sow(), server.reference());
            harness.client().publish("state", "{\"id\":0}");
            assertThat(called.await(20, TimeUnit.SECONDS)).isTrue();
            for (int id = 1; id < 20; id++) {
                harness.client().publish("state", "{\"id\":" + id + "}");
            }
            assertThat(Harness.await(() -> harness.counter(BridgeCounter.FELL_BEHIND) == 1))
                    .isTrue();
            released.countDown();

            assertThat(listener.awaitEnd()).isEqualTo("FELL_BEHIND");
        } finally {
            released.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1"})
    void shouldFollowAListenerOnlyToWhereItMayBe(final String host) throws Exception {
        final RecordingListener listener = new RecordingListener();
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness));
                ListenerServer there = new ListenerServer(listener, 2);
                Forwarding here = new Forwarding(
                        () -> new Ior(ListenerServer.TYPE, 2, host, there.port(), ListenerServer.KEY, true))) {
            final IiopBroker broker = new IiopBroker(peer, GUEST);
            broker.subscribeWithCallback(SubscribeRequest.topic("t"), here.reference());
            broker.publish(BridgeTck.publication("t", "{\"a\":1}"), false);

            if (host.equals("127.0.0.1")) {
                assertThat(listener.awaitText()).isEqualTo("{\"a\":1}");
            } else {
                assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS_FAILED) == 1))
                        .isTrue();
            }
        }
    }

    @Test
    void shouldGiveUpWhenAListenerIsSentInCircles() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness))) {
            final Ior[] place = new Ior[1];
            try (Forwarding circle = new Forwarding(() -> place[0])) {
                place[0] = circle.reference();
                final IiopBroker broker = new IiopBroker(peer, GUEST);
                broker.subscribeWithCallback(SubscribeRequest.topic("t"), circle.reference());
                broker.publish(BridgeTck.publication("t", "{}"), false);

                assertThat(Harness.await(() -> harness.counter(BridgeCounter.CALLBACKS_FAILED) == 1))
                        .isTrue();
            }
        }
    }

    @Test
    void shouldConnectToNobodyBeforeThereIsAMessage() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(place(harness));
                ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            final IiopBroker broker = new IiopBroker(peer, GUEST);
            broker.subscribeWithCallback(
                    SubscribeRequest.topic("t"),
                    new Ior(ListenerServer.TYPE, 2, "127.0.0.1", listener.getLocalPort(), "k", true));
            listener.setSoTimeout(QUIET_MS);
            SocketTimeoutException quiet = null;
            try {
                listener.accept();
            } catch (final SocketTimeoutException e) {
                quiet = e;
            }
            assertThat(quiet).isNotNull();
        }
    }

    /** Does not return until it is released. */
    private record Stuck(CountDownLatch called, CountDownLatch released) implements MessageListener {
        @Override
        public void onMessages(final long subscription, final Delivery[] deliveries) {
            called.countDown();
            try {
                released.await();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void onEnd(final long subscription, final int code, final String name, final String text) {}
    }

    private static final class Failing implements MessageListener {
        @Override
        public void onMessages(final long subscription, final Delivery[] deliveries) {
            throw new IllegalStateException("as tested");
        }

        @Override
        public void onEnd(final long subscription, final int code, final String name, final String text) {}
    }

    /** Sends its callers elsewhere. */
    private static final class Forwarding extends ListenerServer {
        private final Supplier<Ior> place;

        Forwarding(final Supplier<Ior> place) {
            super(new RecordingListener(), 2);
            this.place = place;
        }

        @Override
        OutgoingMessage answer(final MessageHeader header, final int id, final @Nullable SystemException failure) {
            final CdrWriter out = CdrWriter.message(header.isLittleEndian());
            new ReplyHeader(id, ReplyHeader.LOCATION_FORWARD).write(out, header.minor(), true);
            place.get().write(out);
            return new OutgoingMessage(header.minor(), MessageType.REPLY, id, out, 64 * 1024);
        }
    }
}
