package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same scenario under each way to run the agents, with real threads and the real clock. */
class ThreadingSmokeTest {
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    @Timeout(60)
    void shouldServePublishersAndSubscribersWhenRunByThreads(final ThreadingMode threading) {
        try (TestBroker test =
                new TestBroker(builder -> configure(builder, threading).formatDefault("binary"))) {
            final RawClient all = test.logOn("all");
            all.subscribe(2, 7, ".*", "", true);
            test.awaitAck(all, 2);
            final RawClient one = test.logOn("one");
            one.subscribe(2, 7, "t1", "");
            test.awaitAck(one, 2);
            final List<RawClient> publishers = List.of(test.logOn("p0"), test.logOn("p1"), test.logOn("p2"));
            final List<String> expected = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                final String text = i % 50 == 0 ? "long " + i + "x".repeat(100_000) : "short " + i;
                final RawClient publisher = publishers.get(i % 3);
                publisher.onBackPressure = test::cycle;
                test.publish(publisher, "t" + i % 3, text);
                if (i % 3 == 1) {
                    expected.add(text);
                }
                if (i % 20 == 0) {
                    // So few are outstanding that no subscription lags.
                    test.flush(publisher);
                    test.await(() -> all.deliveries.size() > 0 || all.disconnected);
                }
            }
            publishers.forEach(test::flush);
            test.await(() -> all.deliveries.size() == 300 && one.deliveries.size() == expected.size());

            assertThat(one.deliveries).extracting(Delivery::text).containsExactlyElementsOf(expected);
            for (int topic = 0; topic < 3; topic++) {
                final String name = "t" + topic;
                assertThat(all.deliveries.stream()
                                .filter(delivery -> delivery.topic().equals(name)))
                        .hasSize(100)
                        .isSortedAccordingTo((a, b) -> Long.compare(a.sequence(), b.sequence()));
            }
            assertThat(test.broker.drain(Duration.ofSeconds(10))).isTrue();
        }
    }

    /** Nothing ever waits for an agent's next look at its timers, which comes ten times a second. */
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    @Timeout(120)
    void shouldWakeWhoeverHasWorkWhenAgentsBlock(final ThreadingMode threading) {
        final int roundCount = 200;
        try (TestBroker test = new TestBroker(builder -> configure(builder, threading))) {
            final RawClient subscriber = test.logOn("subscriber");
            subscriber.subscribe(2, 7, "t", "");
            test.awaitAck(subscriber, 2);
            final RawClient publisher = test.logOn("publisher");
            final long[] tookNs = new long[roundCount];
            for (int i = 1; i <= roundCount; i++) {
                final int round = i;
                final long startNs = System.nanoTime();
                publisher.publish(10 + i, "t", "{}");
                test.awaitAck(publisher, 10 + i);
                test.await(() -> subscriber.deliveries.size() == round);
                tookNs[i - 1] = System.nanoTime() - startNs;
            }

            // Half of what each round takes when it waits for a look at the timers. Some may take longer on a machine
            // that does much.
            Arrays.sort(tookNs);
            assertThat(tookNs[roundCount / 2]).isLessThan(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private static BrokerConfig.Builder configure(final BrokerConfig.Builder builder, final ThreadingMode threading) {
        return builder.threading(threading)
                .nanoClock(SystemNanoClock.INSTANCE)
                .shardCount(3)
                .window(new WindowConfig(512 * 1024, 4))
                .sessions(new SessionConfig(64, 64, 128 * 1024, 64, 64, 4096, 64, 1 << 24, 60_000, 60_000));
    }
}
