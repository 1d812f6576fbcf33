package io.penstock.bench.fanout;

import io.penstock.bench.embedded.Background;
import io.penstock.bench.embedded.BenchSession;
import io.penstock.bench.embedded.BrokerThreads;
import io.penstock.bench.figure.Digits;
import io.penstock.bench.figure.Pace;
import io.penstock.bench.figure.SourcedFigure;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.event.EventHandler;
import io.penstock.client.ClientConfig;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/** One broker, whose work is all on one thread, with so many connections and subscriptions. Owned by the main thread, which publishes. */
final class FanoutRun implements AutoCloseable {
    private static final String TOPIC = "shared";
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final double WARM_UP_PART = 0.5;

    private final FanoutPlan plan;
    private final ProgressLine progress;
    private final Broker broker;
    private final BrokerThreads threads;
    private final Receivers receivers;
    private final Background receiving;
    private final BenchSession publisher;
    private final UnsafeBuffer message;
    private final SourcedFigure figure = new SourcedFigure("", "deliveries");
    private final List<Pace> paces = new ArrayList<>();
    private final List<Pace> plainPaces = new ArrayList<>();
    private long published;

    FanoutRun(final FanoutPlan plan, final ProgressLine progress) {
        this.plan = plan;
        this.progress = progress;
        final BrokerThreads.Before before = BrokerThreads.before();
        broker = Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .threading(ThreadingMode.SHARED)
                .events(EventHandler.NONE)
                .topic(TopicConfig.topic(TOPIC, "binary"))
                .build());
        threads = before.started();
        receivers = Receivers.ofBroker(broker.endpoints().get(0), plan, TOPIC);
        receiving = Background.start("bench-receivers", receivers, receivers::stop);
        publisher = BenchSession.connect(
                ClientConfig.of(broker.endpoints().get(0).toString()), TOPIC, (id, buffer, offset, length) -> {});
        message = new UnsafeBuffer(new byte[plan.length()]);
    }

    /** Measures in turn with the plain loop. */
    Json run() throws IOException, InterruptedException {
        awaitReceivers(receiving, receivers);
        final long roundNs = (long) (plan.seconds() * TimeUnit.SECONDS.toNanos(1));
        try (PlainWriter plain = PlainWriter.connect(plan)) {
            progress.draw(plan.title() + ": warming up");
            publish((long) (roundNs * WARM_UP_PART) + 1);
            plain.write((long) (roundNs * WARM_UP_PART) + 1);
            for (int round = 1; round <= plan.rounds(); round++) {
                progress.draw(plan.title() + ": round " + round + " of " + plan.rounds());
                add("", paces, publish(roundNs));
                add("plain", plainPaces, plain.write(roundNs));
            }
            plain.end();
        }
        receiving.end();
        return report();
    }

    private void add(final String source, final List<Pace> to, final Pace pace) {
        figure.add(source, pace);
        to.add(pace);
    }

    /** Publishes for some time, at most two bursts ahead of the receivers, and waits for the last delivery. */
    private Pace publish(final long durationNs) throws InterruptedException {
        final long before = published;
        final long cpuNs = threads.cpuNs();
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < durationNs) {
            if (published - receivers.delivered() / plan.fanOut() > plan.burst()) {
                publisher.poll();
                LockSupport.parkNanos(PARK_NS);
                continue;
            }
            for (int i = 0; i < plan.burst(); i++) {
                publisher.publish(message, plan.length());
            }
            publisher.poll();
            published += plan.burst();
            checkRunning(receiving);
        }
        awaitDelivered(receiving, receivers, published * plan.fanOut());
        return new Pace(
                (published - before) * plan.fanOut(),
                System.nanoTime() - startNs,
                Math.max(1, threads.cpuNs() - cpuNs));
    }

    private Json report() {
        final Json json = new Json()
                .field("connections", plan.connections())
                .field("subscriptions", plan.subscriptions())
                .field("msgs", published)
                .field("deliveries_per_s", figure.perS());
        Digits.field(json, "cpu_ns_per_delivery", 1e9 / figure.perCpuS(""));
        Digits.field(json, "cpu_ns_per_delivery_min", least(paces));
        json.field("plain_deliveries_per_s", figure.perS("plain"));
        Digits.field(json, "plain_cpu_ns_per_delivery", 1e9 / figure.perCpuS("plain"));
        Digits.field(json, "plain_cpu_ns_per_delivery_min", least(plainPaces));
        Digits.field(json, "ratio_to_plain", SourcedFigure.ratio(paces, plainPaces, false));
        Digits.field(json, "cpu_ratio_to_plain", SourcedFigure.ratio(paces, plainPaces, true));
        return json;
    }

    private static double least(final List<Pace> of) {
        return of.stream()
                .mapToDouble(pace -> (double) pace.cpuNs() / pace.count())
                .min()
                .orElse(Double.NaN);
    }

    private static void awaitReceivers(final Background receiving, final Receivers receivers)
            throws InterruptedException {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!receivers.areReady()) {
            look(receiving, deadlineNs, "the receivers are not all there");
        }
    }

    /** Waits until so many deliveries have come; one too many fails, too. */
    static void awaitDelivered(final Background receiving, final Receivers receivers, final long expected)
            throws InterruptedException {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (receivers.delivered() < expected) {
            look(receiving, deadlineNs, receivers.delivered() + " deliveries have come, not " + expected);
        }
        if (receivers.delivered() > expected) {
            throw CommandFailure.failed("bench: " + receivers.delivered() + " deliveries have come, not " + expected);
        }
    }

    private static void look(final Background receiving, final long deadlineNs, final String what)
            throws InterruptedException {
        checkRunning(receiving);
        if (System.nanoTime() - deadlineNs > 0) {
            throw CommandFailure.failed("bench: " + what);
        }
        LockSupport.parkNanos(PARK_NS);
    }

    /** Fails when the receivers have failed, or have ended. */
    static void checkRunning(final Background receiving) throws InterruptedException {
        if (!receiving.isRunning()) {
            receiving.await();
            throw CommandFailure.failed("bench: the receivers have ended");
        }
    }

    @Override
    public void close() {
        receiving.close();
        publisher.close();
        broker.close();
    }
}
