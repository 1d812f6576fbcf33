package io.penstock.bench;

import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.client.Stat;
import io.penstock.client.Topic;
import io.penstock.standalone.console.ProgressLine;
import java.io.IOException;
import org.agrona.concurrent.UnsafeBuffer;

/** Penstock, in a process of its own or in this one. */
final class PenstockSubject implements Subject {
    private static final String COPIED_BYTES = "BytesCopied";
    private static final String SNAPSHOTS = ".snapshots";
    private static final SowRequest ALL = SowRequest.topic(Subject.TOPIC).select("COUNT(*)");
    private static final int POLL_INTERVAL = 64;
    private static final long WAIT_MS = 10;

    private final BenchPlan plan;
    private final BrokerHost host;
    private final ClientConfig config;
    private final PenstockClient control;

    PenstockSubject(final BenchPlan plan, final BrokerHost host) {
        this.plan = plan;
        this.host = host;
        config = ClientConfig.builder(host.endpoint())
                .messageLengthMax(Math.max(plan.messages().lengthMax(), ClientConfig.MESSAGE_LENGTH_MAX_DEFAULT))
                .build();
        control = PenstockClient.connect(config);
        control.declareTopic(Topic.of(Subject.TOPIC, plan.messages().format())
                .key(plan.messages().key()));
    }

    /** Starts a broker as the plan says: in this process or in one of its own. */
    static PenstockSubject start(final BenchPlan plan) throws IOException {
        return new PenstockSubject(
                plan, plan.broker().transport().equals("inproc") ? new EmbeddedBroker(plan) : ForkedBroker.start(plan));
    }

    /** Publishes a message of each key, if there are keys, and waits until all are in the state. */
    void publishAllKeys() throws InterruptedException {
        final int keyCount = keyCount();
        if (keyCount == 0) {
            return;
        }
        try (PublishPort port = openPublisher();
                ProgressLine progress = ProgressLine.onErr()) {
            for (int number = 0; number < keyCount; ) {
                final UnsafeBuffer message = plan.messages().message(number);
                if (port.tryPublish(message, 0, message.capacity())) {
                    number++;
                } else {
                    Thread.onSpinWait();
                }
                if (number % POLL_INTERVAL == 0) {
                    port.poll();
                }
                if (progress.isDue()) {
                    progress.draw(String.format("%s: publishing %,d of %,d keys", name(), number, keyCount));
                }
            }
            while (control.sow(ALL).stats().matches() < keyCount) {
                port.poll();
                Thread.sleep(WAIT_MS);
            }
        }
    }

    @Override
    public String name() {
        return "penstock";
    }

    /** Where clients connect. */
    String endpoint() {
        return host.endpoint();
    }

    @Override
    public PublishPort openPublisher() {
        return PenstockPort.connect(config, (buffer, offset, length) -> {});
    }

    @Override
    public PenstockPort openSubscriber(final DeliveryHandler handler) {
        final PenstockPort port = PenstockPort.connect(config, handler);
        port.subscribe(plan.filter());
        return port;
    }

    @Override
    public Usage usage() {
        return host.usage(copiedBytes());
    }

    /** How many keys messages have; 0 for a topic without state. */
    int keyCount() {
        return plan.messages().keyCount();
    }

    /** How often the broker has written its state to files. */
    double snapshots() {
        return sum(SNAPSHOTS);
    }

    private double copiedBytes() {
        return sum(COPIED_BYTES);
    }

    /** The sum of counters whose names end so. */
    private double sum(final String nameEnd) {
        double sum = 0;
        boolean isCounted = false;
        for (final Stat stat : control.stats("")) {
            if (stat.name().endsWith(nameEnd)) {
                sum += stat.value();
                isCounted = true;
            }
        }
        return isCounted ? sum : Double.NaN;
    }

    @Override
    public void close() {
        try {
            control.close();
        } finally {
            host.close();
        }
    }

    /** Where a broker runs. */
    interface BrokerHost extends AutoCloseable {
        /** The endpoint to connect to. */
        String endpoint();

        /** The broker's use of resources so far, with its counters. */
        Usage usage(double copiedBytes);

        @Override
        void close();
    }
}
