package io.penstock.standalone.cluster;

import io.penstock.client.AckType;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.PublishStore;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/** Runs the demonstration over nodes, and prints what clients see. Used once, by one thread. */
final class ClusterDemoRun implements AutoCloseable {
    private static final String TOPIC = "orders";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LINE_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<DemoNode> nodes;
    private final PrintWriter out;
    private final @Nullable DemoReader[] readers;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private @Nullable PenstockClient publisher;
    private int published;
    private long startNs;
    private long lineNs;

    ClusterDemoRun(final List<DemoNode> nodes, final PrintWriter out) {
        this.nodes = nodes;
        this.out = out;
        readers = new DemoReader[nodes.size()];
    }

    /** Starts all nodes, and waits until one leads. */
    void start() throws IOException {
        for (final DemoNode node : nodes) {
            node.start();
        }
        for (final DemoNode node : nodes) {
            await("node " + node.member(), node::isListening);
            say("node %d, process %d, serves clients at %s".formatted(node.member(), node.pid(), node.endpoint()));
        }
        await("a node that leads", () -> leader() != null);
        say("node %d leads".formatted(required(leader()).member()));
        publisher = PenstockClient.connect(ClientConfig.builder(nodes.get(0).endpoint())
                .servers(nodes.stream().skip(1).map(DemoNode::endpoint).toArray(String[]::new))
                .name("demo")
                .reconnect()
                .publishStore(PublishStore.inMemory())
                .publishTimeout(TIMEOUT)
                .requestTimeout(TIMEOUT)
                .build());
        publish();
        await("the first acknowledgement", () -> acknowledged.get() == published);
        for (final DemoNode node : nodes) {
            readers[node.member()] = new DemoReader(node.endpoint(), TOPIC);
        }
        startNs = System.nanoTime();
        lineNs = startNs;
    }

    /** Publishes for some time, 200 messages a second. */
    void publishFor(final long durationNs) {
        final long endNs = System.nanoTime() + durationNs;
        publishUntil("the time", () -> System.nanoTime() - endNs >= 0);
    }

    /** Kills the node that leads, goes on publishing, and says what clients see of it. */
    DemoNode killLeader() {
        final DemoNode killed = required(leader());
        CloseHelper.quietClose(readers[killed.member()]);
        readers[killed.member()] = null;
        say("killing node %d, which leads (kill -9)".formatted(killed.member()));
        final long killNs = System.nanoTime();
        killed.kill();
        final int before = published;
        publishUntil("another node that leads", () -> leader() != null && leader() != killed);
        say("node %d leads, %.1f s after that".formatted(required(leader()).member(), seconds(killNs)));
        publishUntil("an acknowledgement of what was published since", () -> acknowledged.get() > before);
        say("what was published since is acknowledged, %.1f s after that".formatted(seconds(killNs)));
        return killed;
    }

    /** Starts a node again, goes on publishing, and waits until it has what it missed. */
    void restart(final DemoNode node) throws IOException {
        say("starting node %d again".formatted(node.member()));
        final long restartNs = System.nanoTime();
        node.start();
        publishUntil("node " + node.member(), node::isListening);
        final DemoReader reader = new DemoReader(node.endpoint(), TOPIC);
        readers[node.member()] = reader;
        final int missed = published;
        publishUntil("what it missed", () -> reader.count() >= missed);
        say("node %d has what it missed, %.1f s after its start".formatted(node.member(), seconds(restartNs)));
    }

    /** Waits for what is on its way, and compares the nodes. */
    void check() {
        await("all acknowledgements", () -> acknowledged.get() + failed.get() == published);
        for (final DemoReader reader : readers) {
            await("all messages", () -> required(reader).count() >= published);
        }
        final List<String> first = required(readers[0]).seen();
        for (final DemoReader reader : readers) {
            if (!required(reader).seen().equals(first)) {
                throw CommandFailure.failed("cluster demo: the nodes do not have the same");
            }
        }
        for (int i = 0; i < first.size(); i++) {
            if (!first.get(i).endsWith(" " + text(i + 1))) {
                throw CommandFailure.failed("cluster demo: not what was published: " + first.get(i));
            }
        }
        if (failed.get() > 0 || first.size() != published) {
            throw CommandFailure.failed("cluster demo: " + failed.get() + " publishes failed, " + first.size() + " of "
                    + published + " messages are there");
        }
        out.printf(
                "%nChecked: %,d messages were acknowledged. Each is on all %d nodes, once, in the order of its publisher,"
                        + " with the same sequence.%n",
                published, nodes.size());
        out.flush();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Both outcomes are counted.
    private void publish() {
        required(publisher).publish(TOPIC, text(++published), AckType.PERSISTED).whenComplete((ack, e) -> {
            if (e == null) {
                acknowledged.incrementAndGet();
            } else {
                failed.incrementAndGet();
            }
        });
    }

    private static String text(final int number) {
        return "{\"id\":" + number + "}";
    }

    private void publishUntil(final String what, final BooleanSupplier condition) {
        final long limitNs = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            publish();
            if (System.nanoTime() - lineNs >= LINE_NS) {
                lineNs = System.nanoTime();
                line();
            }
            pause(what, limitNs);
        }
    }

    private void line() {
        out.printf(
                "%5.1f s: %,6d published, %,6d acknowledged, seen at nodes: %s%n",
                seconds(startNs),
                published,
                acknowledged.get(),
                Arrays.stream(readers)
                        .map(reader -> reader == null ? "-" : String.format("%,d", reader.count()))
                        .collect(Collectors.joining(" ")));
        out.flush();
    }

    private void await(final String what, final BooleanSupplier condition) {
        final long limitNs = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            pause(what, limitNs);
        }
    }

    private static void pause(final String what, final long limitNs) {
        if (System.nanoTime() - limitNs > 0) {
            throw CommandFailure.failed("cluster demo: waited " + TIMEOUT.toSeconds() + " s for " + what);
        }
        LockSupport.parkNanos(INTERVAL_NS);
    }

    private @Nullable DemoNode leader() {
        for (final DemoNode node : nodes) {
            if (node.leads()) {
                return node;
            }
        }
        return null;
    }

    private void say(final String text) {
        out.println("  * " + text);
        out.flush();
    }

    private static double seconds(final long sinceNs) {
        return (System.nanoTime() - sinceNs) / 1e9;
    }

    private static <T> T required(final @Nullable T value) {
        if (value == null) {
            throw CommandFailure.failed("cluster demo: a node is missing that was there a moment ago");
        }
        return value;
    }

    @Override
    public void close() {
        final List<AutoCloseable> all = new ArrayList<>(Arrays.asList(readers));
        all.add(publisher);
        CloseHelper.quietCloseAll(all);
    }
}
