package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client with its own thread. */
@Timeout(60)
class PenstockClientTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void shouldSayThatNobodyListens() throws IOException {
        final int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThatThrownBy(() -> PenstockClient.connect("tcp://127.0.0.1:" + port))
                .isInstanceOf(ConnectionException.class)
                .hasMessage("tcp://127.0.0.1:" + port
                        + ": cannot connect: connection refused (is a broker running there? start one with"
                        + " 'penstock serve')");
    }

    @Test
    void shouldRefuseEndpointsThatNoTransportServes() {
        assertThatThrownBy(() -> PenstockClient.connect("carrier-pigeon://coop"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no transport for its scheme: carrier-pigeon://coop");
        assertThatThrownBy(() -> PenstockClient.connect("tcp://a b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("client.endpoint: not a URI: tcp://a b");
    }

    @Test
    void shouldGiveUpAPeerThatIsNoBroker() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            final ClientConfig config = ClientConfig.builder("tcp://127.0.0.1:" + socket.getLocalPort())
                    .connectTimeout(Duration.ofSeconds(3))
                    .build();
            assertThatThrownBy(() -> PenstockClient.connect(config))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("no answer to the logon within 3000 ms");
        }
    }

    @Test
    void shouldThrowWhatTheBrokerAnswersToTheLogon() {
        try (BrokerThread broker = new BrokerThread("tcp://127.0.0.1:0")) {
            broker.refuseLogons();
            assertThatThrownBy(() -> PenstockClient.connect(broker.endpoint()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED))
                    .hasMessageContaining("logon refused: go away");
        }
    }

    @Test
    void shouldThrowOnTheCallersStackWhenARequestIsRefused() {
        try (BrokerThread broker = new BrokerThread("inproc:penstock-client-test");
                PenstockClient client = PenstockClient.connect(broker.endpoint())) {
            broker.refuse("declare", ErrorCode.BAD_FORMAT, "topic orders: no such format: xml");
            assertThatThrownBy(() -> client.declareTopic("orders", "xml"))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.BAD_FORMAT))
                    .hasMessage("topic orders: no such format: xml")
                    .hasStackTraceContaining("shouldThrowOnTheCallersStackWhenARequestIsRefused");
        }
    }

    @Test
    void shouldThrowWhenARequestIsNotAnswered() {
        try (BrokerThread broker = new BrokerThread("inproc:penstock-client-test")) {
            broker.ignore("flush");
            try (PenstockClient client = PenstockClient.connect(ClientConfig.builder(broker.endpoint())
                    .closeTimeout(Duration.ofMillis(50))
                    .build())) {
                assertThatThrownBy(() -> client.flush(Duration.ofMillis(50)))
                        .isInstanceOf(NoReplyException.class)
                        .hasMessage("flush: no answer from inproc:penstock-client-test within 50 ms");
            }
        }
    }

    @Test
    void shouldUnsubscribeWhenNobodyWaitsForTheSubscriptionAnyMore() throws InterruptedException {
        try (BrokerThread broker = new BrokerThread("inproc:penstock-client-test");
                PenstockClient client = PenstockClient.connect(ClientConfig.builder(broker.endpoint())
                        .requestTimeout(Duration.ofMillis(50))
                        .build())) {
            broker.hold("subscribe");
            assertThatThrownBy(() -> client.subscribe("orders", message -> {})).isInstanceOf(NoReplyException.class);
            broker.releaseHeld();
            assertThat(broker.awaitCommand("unsubscribe")).endsWith(" 1");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWriteBookmarksWhenAClientThatSpinsHasNothingToDo(final boolean backsOff) throws InterruptedException {
        // More than there is other work: what other threads note wakes nobody.
        final CountDownLatch flushed = new CountDownLatch(50);
        final BookmarkStore store = (BookmarkStore) Proxy.newProxyInstance(
                BookmarkStore.class.getClassLoader(), new Class<?>[] {BookmarkStore.class}, (proxy, method, args) -> {
                    if (method.getName().equals("flush")) {
                        flushed.countDown();
                    }
                    return null;
                });
        try (BrokerThread broker = new BrokerThread("inproc:penstock-client-test")) {
            final ClientConfig.Builder builder =
                    ClientConfig.builder(broker.endpoint()).name("spinner").bookmarkStore(store);
            final ClientConfig config = backsOff
                    ? builder.backOff(Duration.ofMillis(1)).build()
                    : builder.idlePollLimit(Integer.MAX_VALUE).build();
            try (PenstockClient client = PenstockClient.connect(config)) {
                assertThat(flushed.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
                assertThat(client.isClosed()).isFalse();
            }
        }
    }

    @Test
    void shouldEndASubscriptionAtOnceWhenThereIsNoConnection() throws InterruptedException {
        final CountDownLatch lost = new CountDownLatch(1);
        try (BrokerThread broker = new BrokerThread("inproc:penstock-client-test");
                PenstockClient client = PenstockClient.connect(ClientConfig.builder(broker.endpoint())
                        .requestTimeout(LONG)
                        .reconnectDelay(Duration.ofHours(1), Duration.ofHours(1))
                        .onDisconnect(disconnect -> {
                            lost.countDown();
                            return true;
                        })
                        .build())) {
            final Subscription subscription = client.subscribe("orders", message -> {});
            final MessageStream stream = client.stream("orders");
            broker.disconnect();
            assertThat(lost.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            final CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> {
                subscription.close();
                stream.close();
            });
            assertThat(closed).succeedsWithin(LONG.dividedBy(2));
            assertThat(subscription.isActive()).isFalse();
            assertThat(stream.poll(LONG)).isNull();
        }
    }

    @Test
    void shouldSubscribeWhenTheConnectionIsLostMeanwhile() throws InterruptedException {
        try (BrokerThread broker = new BrokerThread("inproc:penstock-client-test")) {
            broker.hold("subscribe");
            try (PenstockClient client = PenstockClient.connect(ClientConfig.builder(broker.endpoint())
                    .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(1))
                    .reconnect()
                    .build())) {
                final CompletableFuture<Subscription> subscription =
                        CompletableFuture.supplyAsync(() -> client.subscribe("orders", message -> {}));
                broker.awaitCommand("subscribe");
                broker.dropHeld();
                assertThat(subscription.join().isActive()).isTrue();
                assertThat(broker.awaitCommand("subscribe")).endsWith(" 1 orders ");
            }
        }
    }

    @Test
    void shouldThrowWhenThereIsNoRoomInTime() {
        try (BrokerThread broker = new BrokerThread("inproc:penstock-client-test")) {
            broker.stopReading();
            final PenstockClient client = PenstockClient.connect(ClientConfig.builder(broker.endpoint())
                    .ringLength(ClientConfig.RING_LENGTH_MIN)
                    .publishTimeout(Duration.ofMillis(50))
                    .closeTimeout(Duration.ofMillis(1))
                    .build());
            final UnsafeBuffer payload = new UnsafeBuffer(new byte[60_000]);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            client.publish("orders", payload, 0, payload.capacity());
                        }
                    })
                    .isInstanceOf(BackPressureException.class)
                    .hasMessageContaining("publish: no room to hand it over within 50 ms");
            client.close();
        }
    }

    @Test
    void shouldKeepTheOrderOfEachOfManyThreads() throws InterruptedException {
        try (BrokerThread broker = new BrokerThread("tcp://127.0.0.1:0")) {
            final PenstockClient client = PenstockClient.connect(ClientConfig.builder(broker.endpoint())
                    .ringLength(ClientConfig.RING_LENGTH_MIN)
                    .inFlightLimit(100)
                    .build());
            final List<Thread> threads = new ArrayList<>();
            final AtomicInteger ackCount = new AtomicInteger();
            for (int i = 0; i < 4; i++) {
                final String topic = "t" + i;
                final Thread thread = new Thread(() -> publishMany(client, topic, ackCount));
                threads.add(thread);
                thread.start();
            }
            for (final Thread thread : threads) {
                thread.join();
            }
            client.close();
            assertThat(ackCount).hasValue(4 * 1_000);
            final int[] next = new int[4];
            for (final String command : broker.allCommands()) {
                if (command.startsWith("publish")) {
                    final String[] words = command.split(" ", -1);
                    final int thread = Integer.parseInt(words[4].substring(1));
                    assertThat(words[5]).isEqualTo(String.valueOf(next[thread]++));
                }
            }
            assertThat(next).containsOnly(2_000);
        }
    }

    private static void publishMany(final PenstockClient client, final String topic, final AtomicInteger ackCount) {
        final AckFutureCounter counter = new AckFutureCounter(ackCount);
        for (int i = 0; i < 2_000; i++) {
            if (i % 2 == 0) {
                counter.count(client.publish(topic, String.valueOf(i), AckType.PROCESSED));
            } else {
                client.publish(topic, String.valueOf(i));
            }
        }
    }

    @Test
    void shouldEitherAnswerOrRefuseEveryPublishWhenClosedMeanwhile() throws InterruptedException {
        try (BrokerThread broker = new BrokerThread("inproc:penstock-client-test")) {
            for (int round = 0; round < 20; round++) {
                final PenstockClient client = PenstockClient.connect(broker.endpoint());
                final BlockingQueue<CompletableFuture<Ack>> futures = new LinkedBlockingQueue<>();
                final List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    final Thread thread = new Thread(() -> publishUntilClosed(client, futures));
                    threads.add(thread);
                    thread.start();
                }
                broker.awaitCommand("publish");
                client.close();
                for (final Thread thread : threads) {
                    thread.join();
                }
                for (final CompletableFuture<Ack> future : futures) {
                    assertThat(future).isDone();
                }
            }
        }
    }

    private static void publishUntilClosed(
            final PenstockClient client, final BlockingQueue<CompletableFuture<Ack>> futures) {
        try {
            while (true) {
                futures.add(client.publish("orders", "a", AckType.PROCESSED));
            }
        } catch (final ConnectionException e) {
            assertThat(e).hasMessageContaining("closed");
        }
    }

    @Test
    void shouldLetAWaitingReaderGoWhenTheStreamIsClosed() throws InterruptedException {
        try (BrokerThread broker = new BrokerThread("inproc:penstock-client-test");
                PenstockClient client = PenstockClient.connect(broker.endpoint())) {
            final MessageStream stream = client.stream("orders");
            final AtomicBoolean hasEnded = new AtomicBoolean();
            final Thread reader = new Thread(() -> {
                for (final Message message : stream) {
                    throw new AssertionError(message);
                }
                hasEnded.set(true);
            });
            reader.start();
            stream.close();
            reader.join(LONG.toMillis());
            assertThat(hasEnded).isTrue();
        }
    }

    @Test
    void shouldThrowWhenInterruptedAndStayInterrupted() throws InterruptedException {
        try (BrokerThread broker = new BrokerThread("inproc:penstock-client-test");
                PenstockClient client = PenstockClient.connect(broker.endpoint())) {
            broker.ignore("stat");
            final AtomicBoolean wasInterrupted = new AtomicBoolean();
            final BlockingQueue<PenstockException> thrown = new LinkedBlockingQueue<>();
            final Thread thread = new Thread(() -> {
                try {
                    client.stats("");
                } catch (final PenstockException e) {
                    wasInterrupted.set(Thread.currentThread().isInterrupted());
                    thrown.add(e);
                }
            });
            thread.start();
            broker.awaitCommand("stat");
            thread.interrupt();
            thread.join(LONG.toMillis());
            assertThat(thrown).singleElement().asString().contains("stat: interrupted while waiting");
            assertThat(wasInterrupted).isTrue();
        }
    }

    @Test
    void shouldFreeAllMemoryWhenClosed() {
        try (BrokerThread broker = new BrokerThread("tcp://127.0.0.1:0")) {
            connectAndClose(broker);
            final long before = directMemory();
            for (int i = 0; i < 30; i++) {
                connectAndClose(broker);
            }
            // The other side frees its own when it has seen the end.
            final long deadlineNs = System.nanoTime() + LONG.toNanos();
            while (directMemory() - before >= ClientConfig.RING_LENGTH_DEFAULT && System.nanoTime() - deadlineNs < 0) {
                Thread.onSpinWait();
            }
            assertThat(directMemory() - before).isLessThan(ClientConfig.RING_LENGTH_DEFAULT);
        }
    }

    private static void connectAndClose(final BrokerThread broker) {
        try (PenstockClient client = PenstockClient.connect(broker.endpoint())) {
            client.publish("orders", "a");
            client.publish("orders", new byte[100_000]);
            client.flush(LONG);
        }
    }

    private static long directMemory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    @Test
    void shouldFailTheClientAndNotTheProgramWhenAHandlerThrowsAnError() throws InterruptedException {
        try (BrokerThread broker = new BrokerThread("inproc:penstock-client-test")) {
            final PenstockClient client = PenstockClient.connect(broker.endpoint());
            final BlockingQueue<PenstockException> ends = new LinkedBlockingQueue<>();
            client.subscribe(SubscribeRequest.topic("orders"), new MessageHandler() {
                @Override
                public void onMessage(final MessageView message) {
                    throw new AssertionError("thrown by a test");
                }

                @Override
                public void onEnd(final Subscription subscription, final PenstockException reason) {
                    ends.add(reason);
                }
            });
            broker.deliver("a");
            final PenstockException reason = ends.poll(LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(reason).isInstanceOf(ConnectionException.class).hasRootCauseMessage("thrown by a test");
            assertThat(client.isClosed()).isTrue();
            client.close();
        }
    }

    /** Counts futures that were completed by an acknowledgement. */
    private record AckFutureCounter(AtomicInteger count) {
        void count(final CompletableFuture<Ack> future) {
            future.whenComplete((ack, failure) -> {
                        if (ack != null) {
                            count.incrementAndGet();
                        }
                    })
                    .exceptionally(failure -> null);
        }
    }
}
