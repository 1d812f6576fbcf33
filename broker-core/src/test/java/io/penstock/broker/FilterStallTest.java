package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.SubscribeRequest;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A client whose ten thousand filters come and go holds up nobody else. */
class FilterStallTest {
    private static final int FILTER_COUNT = 10_000;
    private static final int SAMPLE_COUNT = 30_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Far below the time that one client's leaving took from all others, far above what it takes now. */
    private static final long STALL_NS_MAX = TimeUnit.MILLISECONDS.toNanos(50);

    @Test
    void shouldPublishAsFastAsAloneWhenFiltersComeAndGo() {
        try (TestBroker broker = new TestBroker(config -> config.sessions(
                new SessionConfig(64, FILTER_COUNT, 16 * 1024, 64, 64, 64 * 1024, 64, 1 << 24, 60_000, 60_000)))) {
            final Publisher publisher = new Publisher(broker);
            publisher.measure(() -> {});
            final long[] alone = publisher.measure(() -> {});
            final Churn churn = new Churn(broker);
            final long[] beside = publisher.measure(churn::step);
            final int rank = SAMPLE_COUNT - 1 - SAMPLE_COUNT / 1000;
            System.out.printf(
                    "publish and flush, p99.9: alone %d us, while %d filters came and %d clients left: %d us, longest"
                            + " %d us%n",
                    alone[rank] / 1000,
                    churn.filterCount,
                    churn.leftCount,
                    beside[rank] / 1000,
                    beside[SAMPLE_COUNT - 1] / 1000);
            assertThat(churn.leftCount).isPositive();
            assertThat(beside[SAMPLE_COUNT - 1]).isLessThan(STALL_NS_MAX);
        }
    }

    /** Publishes and flushes, and notes the time of the broker's thread that each takes, others' work in between included. */
    private static final class Publisher {
        private static final byte[] MESSAGE = "{\"price\":1}".getBytes(UTF_8);

        private final TestBroker broker;
        private final RawClient client;
        private long lastFlush;

        Publisher(final TestBroker broker) {
            this.broker = broker;
            client = broker.logOn("publisher");
        }

        /** The times, sorted. */
        long[] measure(final Runnable meanwhile) {
            final long[] times = new long[SAMPLE_COUNT];
            for (int i = 0; i < SAMPLE_COUNT; i++) {
                meanwhile.run();
                broker.publish(client, "quotes", MESSAGE);
                final long commandId = ++lastFlush;
                while (!client.flush(commandId)) {
                    times[i] += cycle();
                }
                while (!client.acks.containsKey(commandId)) {
                    times[i] += cycle();
                }
                client.acks.clear();
                client.events.clear();
            }
            Arrays.sort(times);
            return times;
        }

        private long cycle() {
            final long startNs = THREADS.getCurrentThreadCpuTime();
            broker.broker.invoke();
            final long time = THREADS.getCurrentThreadCpuTime() - startNs;
            for (final RawClient each : broker.clients) {
                each.poll();
            }
            for (final StateClient each : broker.stateClients) {
                each.poll();
            }
            return time;
        }
    }

    /** A client after the other that subscribes to as much as it may, and leaves. */
    private static final class Churn {
        private final TestBroker broker;
        private StateClient client;
        private long waitsFor;
        private int filterCount;
        private int leftCount;

        Churn(final TestBroker broker) {
            this.broker = broker;
            client = new StateClient(broker);
            client.declare("orders", "id", 0);
        }

        void step() {
            if (waitsFor != 0 && client.acks.remove(waitsFor) == null) {
                return;
            }
            waitsFor = 0;
            if (filterCount == (leftCount + 1) * FILTER_COUNT) {
                client.close();
                leftCount++;
                client = new StateClient(broker);
            }
            final int number = ++filterCount;
            final SubscribeRequest request = SubscribeRequest.topic("orders").filter("f" + number + " = " + number);
            final long commandId = client.session.offerSubscribe(number, number % 2 == 0 ? request : request.oof());
            if (commandId > 0) {
                waitsFor = commandId;
            } else {
                filterCount--;
            }
        }
    }
}
