package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.shard.replica.OrderedLogs;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.agrona.concurrent.CachedNanoClock;

/** A broker and its clients, all driven by the test's own thread on a clock that the test moves. */
final class TestBroker implements AutoCloseable {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final int CYCLES_MAX = 1_000_000;

    /** Whether all brokers of a run are the only one of their nodes; most tests pass then, too. */
    private static final boolean REPLICATED = Boolean.getBoolean("penstock.replicated");

    final CachedNanoClock clock = new CachedNanoClock();
    final Broker broker;
    final LoopConsensus consensus;
    final List<RawClient> clients = new ArrayList<>();
    final List<StateClient> stateClients = new ArrayList<>();
    private final boolean driven;
    private long lastFlush;
    private long errorsTaken;

    TestBroker() {
        this(builder -> builder);
    }

    TestBroker(final UnaryOperator<BrokerConfig.Builder> configure) {
        this("inproc", configure);
    }

    TestBroker(final String scheme, final UnaryOperator<BrokerConfig.Builder> configure) {
        this(scheme, configure, RecoveryListener.NONE);
    }

    TestBroker(
            final String scheme, final UnaryOperator<BrokerConfig.Builder> configure, final RecoveryListener listener) {
        this(scheme, configure, listener, REPLICATED);
    }

    TestBroker(
            final String scheme,
            final UnaryOperator<BrokerConfig.Builder> configure,
            final RecoveryListener listener,
            final boolean isReplicated) {
        consensus = new LoopConsensus(clock::nanoTime);
        clock.update(TimeUnit.HOURS.toNanos(1));
        broker = Broker.launch(
                configure
                        .apply(BrokerConfig.builder()
                                .listen(scheme + ":test-" + NAMES.incrementAndGet())
                                .threading(ThreadingMode.INVOKER)
                                .window(new WindowConfig(64 * 1024, 4))
                                .sessions(sessions(1024, 16 * 1024))
                                .nanoClock(clock)
                                .epochClock(clock::nanoTime))
                        .build(),
                listener,
                isReplicated ? consensus : OrderedLogs.ALONE);
        driven = broker.config().threading() == ThreadingMode.INVOKER;
    }

    static SessionConfig sessions(final int ringLength, final int messageLengthMax) {
        return new SessionConfig(64, 64, messageLengthMax, 64, 64, ringLength, 64, 1 << 24, 1_000, 500);
    }

    RawClient connect() {
        final RawClient client = new RawClient(broker.endpoints().get(0));
        client.onBackPressure = this::cycle;
        clients.add(client);
        return client;
    }

    /** Publishes, however long the broker takes to accept it. */
    void publish(final RawClient client, final String topic, final String text) {
        publish(client, topic, text.getBytes(UTF_8));
    }

    void publish(final RawClient client, final String topic, final byte[] payload) {
        while (!client.publish(0, 0, 0, topic, payload)) {
            cycle();
        }
    }

    /** Lets the broker do what was asked so far by a client. */
    void flush(final RawClient client) {
        final long commandId = --lastFlush;
        while (!client.flush(commandId)) {
            cycle();
        }
        awaitAck(client, commandId);
    }

    RawClient logOn(final String name) {
        final RawClient client = connect();
        client.logon(name);
        await(() -> client.events.contains("logonAck"));
        return client;
    }

    int cycle() {
        int workCount = driven ? broker.invoke() : 0;
        if (!driven) {
            Thread.onSpinWait();
        }
        for (final RawClient client : clients) {
            workCount += client.poll();
        }
        for (final StateClient client : stateClients) {
            workCount += client.poll();
        }
        return workCount;
    }

    /** Runs everybody until nobody has anything to do. */
    void settle() {
        int idle = 0;
        for (int i = 0; idle < 3; i++) {
            idle = cycle() == 0 ? idle + 1 : 0;
            if (i > CYCLES_MAX) {
                throw new AssertionError("never settles");
            }
        }
    }

    void await(final BooleanSupplier condition) {
        for (long i = 0; !condition.getAsBoolean(); i++) {
            cycle();
            if (i > (driven ? CYCLES_MAX : 1000L * CYCLES_MAX)) {
                throw new AssertionError("never happens");
            }
        }
    }

    void awaitAck(final RawClient client, final long commandId) {
        await(() -> client.acks.containsKey(commandId));
    }

    /** Lets a client catch up until it lacks no more than some messages. */
    void awaitFewerBehind(final RawClient client, final Map<Long, List<String>> expected, final int count) {
        final int total = expected.values().stream().mapToInt(List::size).sum();
        await(() -> total - client.deliveries.size() <= count || !client.errors.isEmpty());
    }

    void advance(final long ms) {
        for (long i = 0; i < ms; i += 5) {
            clock.advance(TimeUnit.MILLISECONDS.toNanos(5));
            cycle();
        }
    }

    /** The broker is as it was before the first client came. */
    void assertNothingLeaked() {
        for (final RawClient client : clients) {
            client.close();
        }
        settle();
        for (final String name : List.of("connections", "sessions", "subscriptions", "cursors")) {
            assertThat(broker.counter(name)).as(name).isZero();
        }
        assertNoErrors();
    }

    /** What the broker has reported so far, each different error once; none of it fails the test any more. */
    List<String> takeErrors() {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        broker.printErrors(new PrintStream(out, true, UTF_8));
        errorsTaken = broker.counter("errors");
        return Pattern.compile("\\d+ times, first ")
                .splitAsStream(out.toString(UTF_8))
                .filter(text -> !text.isBlank())
                .collect(Collectors.toList());
    }

    private void assertNoErrors() {
        if (broker.counter("errors") > errorsTaken) {
            throw new AssertionError("the broker failed: " + takeErrors());
        }
    }

    @Override
    public void close() {
        for (final StateClient client : List.copyOf(stateClients)) {
            client.close();
        }
        for (final RawClient client : clients) {
            client.close();
        }
        broker.close();
        assertNoErrors();
    }
}
