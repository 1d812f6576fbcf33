package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Role;
import io.penstock.client.BrokerError;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** From a client's frame to its subscribers and acknowledgements the broker allocates nothing for a message. */
class AllocationTest {
    private static final int WARM_UP_COUNT = 10_000;
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int COUNT = 30_000;
    private static final double BYTES_MAX = 0.1;
    private static final int ACK_PROCESSED = 2;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final UnsafeBuffer topic = new UnsafeBuffer("orders".getBytes(UTF_8));
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private long allocated;

    @Test
    void shouldAllocateNothingWhenMessagesArePublished() {
        measure("publish", config -> config, run -> run.publish(false, 0));
    }

    @Test
    void shouldAllocateNothingWhenDeltasArePublished() {
        measure("delta", config -> config, run -> run.publish(true, 0));
    }

    @Test
    void shouldAllocateNothingWhenRecordsExpire() {
        measure("expire", config -> config, run -> {
            run.publish(false, 5);
            assertThat(run.broker.broker.counter("stateExpired")).isGreaterThanOrEqualTo(run.number - 100);
        });
    }

    @Test
    void shouldAllocateNothingWhenRecordsAreDeleted() {
        measure("delete", config -> config, run -> {
            if (run.number == 0) {
                run.follower.subscribe(1, SubscribeRequest.topic("orders").oof());
            }
            run.publish(false, 0);
            run.publisher.offer(() ->
                    run.publisher.session.offerSowDelete("orders", "", List.of("{\"id\":" + run.number % 20 + "}")));
            run.cycle();
            assertThat(run.broker.broker.counter("stateDeleted")).isGreaterThanOrEqualTo(run.number - 1);
        });
    }

    @Test
    void shouldAllocateNothingWhenFollowersAreNotified() {
        measure("follow", config -> config, run -> {
            if (run.number == 0) {
                run.follower.subscribe(1, SubscribeRequest.topic("orders").oof().filter("price > 50"));
                run.follower.subscribe(2, SubscribeRequest.topic("orders").delta());
                run.follower.subscribe(3, SubscribeRequest.topic("orders").select("price"));
                run.follower.subscribe(4, SubscribeRequest.topic("orders").filter("price > 50"));
                run.follower.subscribe(5, SubscribeRequest.topic("orders").conflation(Duration.ofMillis(50)));
            }
            run.publish(run.number % 2 == 0, 0);
            assertThat(run.deliveryCount).isGreaterThanOrEqualTo(run.number);
        });
    }

    @Test
    void shouldAllocateNothingWhenPermissionsLimitMessages() {
        final List<PermissionRule> rules = List.of(
                GuardedBroker.allow("list create", "*", ""),
                GuardedBroker.allow("read write", "*", "price < 50"),
                GuardedBroker.allow("read write", "orders", "price >= 40"),
                GuardedBroker.deny("read", "*", "name = 'NONE'"));
        measure(
                "limited",
                config -> config.permissions(new PermissionsConfig("", List.of(new Role(Role.EVERYONE, rules)))),
                run -> {
                    if (run.number == 0) {
                        run.follower.subscribe(
                                1, SubscribeRequest.topic("orders").oof().filter("price > 20"));
                        run.follower.subscribe(2, SubscribeRequest.topic("orders"));
                        run.follower.subscribe(
                                3, SubscribeRequest.pattern("o.*").filter("price > 20"));
                    }
                    run.publish(false, 0);
                    assertThat(run.deliveryCount).isGreaterThanOrEqualTo(run.number);
                });
    }

    @Test
    void shouldAllocateNothingWhenFieldsAreHidden() {
        final List<PermissionRule> rules = List.of(
                GuardedBroker.allow("list create write", "*", ""),
                GuardedBroker.allow("read", "*", "").hiding(List.of("name", "/a/b")));
        measure(
                "hidden",
                config -> config.permissions(new PermissionsConfig("", List.of(new Role(Role.EVERYONE, rules)))),
                run -> {
                    if (run.number == 0) {
                        run.follower.subscribe(1, SubscribeRequest.topic("orders"));
                        run.follower.subscribe(
                                2, SubscribeRequest.topic("orders").oof().filter("price > 20"));
                        run.follower.subscribe(3, SubscribeRequest.pattern("o.*"));
                    }
                    run.publish(false, 0);
                    assertThat(run.deliveryCount).isGreaterThanOrEqualTo(run.number);
                });
    }

    @Test
    void shouldAllocateNothingWhenTheStoreIsFull() {
        final int[] refused = new int[1];
        measure(
                "full store",
                config -> config.state(new StateConfig(1 << 20, 1 << 17, 1 << 20, 1, 60_000, 1 << 20)),
                run -> {
                    run.publish(run.number % 3 == 0, 0, run.number);
                    for (final BrokerError error : run.publisher.errors) {
                        refused[0]++;
                        assertThat(error.errorCode()).isEqualTo(ErrorCode.STATE_FULL);
                        assertThat(error.text())
                                .startsWith("publish to orders: the state is full: ")
                                .endsWith("bytes (delete records, or raise state.liveLengthMax)");
                    }
                    run.publisher.errors.clear();
                });
        assertThat(refused[0]).isGreaterThan(COUNT / 2);
    }

    private void measure(
            final String what, final UnaryOperator<BrokerConfig.Builder> configure, final Consumer<Run> step) {
        try (TestBroker broker = new TestBroker(configure)) {
            final Run run = new Run(broker);
            run.publisher.declare("orders", "id", 0);
            for (; run.number < WARM_UP_COUNT; run.number++) {
                step.accept(run);
            }
            // When everything is compiled depends on what else the machine does.
            final long deadlineNs = System.nanoTime() + WARM_UP_NS;
            do {
                allocated = 0;
                run.ackCount = 0;
                for (int i = 0; i < COUNT; i++, run.number++) {
                    step.accept(run);
                }
            } while ((double) allocated / COUNT >= BYTES_MAX && System.nanoTime() - deadlineNs < 0);
            assertThat(run.ackCount).isGreaterThan(COUNT / 2);
            System.out.printf("%s: %.3f B a message%n", what, (double) allocated / COUNT);
            assertThat((double) allocated / COUNT).as("bytes a message").isLessThan(BYTES_MAX);
        }
    }

    /** A publisher and a follower of one broker. */
    private final class Run {
        private final TestBroker broker;
        private final StateClient publisher;
        private final StateClient follower;
        private int number;
        private int ackCount;
        private int deliveryCount;

        Run(final TestBroker broker) {
            this.broker = broker;
            publisher = new StateClient(broker);
            follower = new StateClient(broker);
        }

        void publish(final boolean delta, final long expirationMs) {
            publish(delta, expirationMs, number % 20);
        }

        void publish(final boolean delta, final long expirationMs, final int id) {
            final UnsafeBuffer message = new UnsafeBuffer(
                    ("{\"id\":" + id + ",\"price\":" + number % 100 + (delta ? "" : ",\"name\":\"IBM\"") + "}")
                            .getBytes(UTF_8));
            while (publisher.session.offerPublishState(
                            topic,
                            0,
                            topic.capacity(),
                            key,
                            0,
                            0,
                            message,
                            0,
                            message.capacity(),
                            delta,
                            expirationMs,
                            ACK_PROCESSED,
                            0)
                    < 0) {
                cycle();
            }
            // Slowly enough for what the broker does once in a while, fast enough for records to expire.
            broker.clock.advance(TimeUnit.MICROSECONDS.toNanos(expirationMs == 0 ? 50 : 500));
            cycle();
        }

        private void cycle() {
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            broker.broker.invoke();
            allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
            publisher.poll();
            follower.poll();
            ackCount += publisher.acks.size();
            publisher.acks.clear();
            deliveryCount += follower.deliveries.size();
            follower.deliveries.clear();
        }
    }
}
