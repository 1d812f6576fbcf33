package io.penstock.spring.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.PenstockClient;
import io.penstock.client.Subscription;
import io.penstock.spring.Eventually;
import io.penstock.spring.TestBroker;
import io.penstock.spring.TestContext;
import io.penstock.spring.annotation.PenstockListener;
import io.penstock.spring.endpoint.PenstockListenerEndpointRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Measures how much longer a message takes to an annotated method than to a handler of the plain client: rounds of one
 * and the other alternate, over {@code inproc:}, each with its text read. Prints the median of the rounds of each. Run by
 * {@code -Dpenstock.overhead=true}, with {@code -Dtest.flags=} for the compilers of other programs.
 */
@EnabledIfSystemProperty(named = "penstock.overhead", matches = "true")
class ListenerOverheadTest {
    private static final long OVERHEAD_MAX_NS = 2_000;
    private static final int ROUNDS = 15;

    /** Fewer bytes than the broker's window has, so that a round on a slow machine does not end its subscription. */
    private static final int MESSAGES = 200_000;

    private static final int LENGTH = 100;
    private static final AtomicLong COUNT = new AtomicLong();

    static final class Listening {
        @PenstockListener(id = "text", topic = "orders", autoStartup = "false", credit = "1048576")
        void text(final String text) {
            COUNT.lazySet(COUNT.get() + (text.length() == LENGTH ? 1 : 0));
        }
    }

    @Test
    void shouldTakeLittleMoreThanAHandlerOfTheClient() {
        try (TestBroker broker = TestBroker.inproc();
                PenstockClient publisher = broker.client();
                PenstockClient plain = broker.client();
                TestContext context = TestContext.start(broker.clients(), Listening.class)) {
            final List<Double> plainNs = new ArrayList<>();
            final List<Double> listenerNs = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                try (Subscription subscription = plain.subscribe(
                        "orders",
                        message -> COUNT.lazySet(COUNT.get() + (message.text().length() == LENGTH ? 1 : 0)))) {
                    plainNs.add(round(publisher));
                    assert subscription.isActive();
                }
                context.container("text").start();
                listenerNs.add(round(publisher));
                context.container("text").stop();
            }
            final double plainMedianNs = median(plainNs);
            final double listenerMedianNs = median(listenerNs);
            final String result = String.format(
                    "plain_ns=%.0f listener_ns=%.0f overhead_ns=%.0f rounds=%d messages=%d length=%d java=%s containers=%d",
                    plainMedianNs,
                    listenerMedianNs,
                    listenerMedianNs - plainMedianNs,
                    ROUNDS,
                    MESSAGES,
                    LENGTH,
                    Runtime.version(),
                    context.bean(PenstockListenerEndpointRegistry.class)
                            .getContainers()
                            .size());
            System.out.println(result);
            assertThat(listenerMedianNs - plainMedianNs).as(result).isLessThan(OVERHEAD_MAX_NS);
        }
    }

    private static double round(final PenstockClient publisher) {
        COUNT.set(0);
        final byte[] payload =
                ("{\"id\":1,\"text\":\"" + "x".repeat(LENGTH - 18) + "\"}").getBytes(StandardCharsets.UTF_8);
        final UnsafeBuffer buffer = new UnsafeBuffer(payload);
        final long startNs = System.nanoTime();
        for (int i = 0; i < MESSAGES; i++) {
            publisher.publish("orders", buffer, 0, payload.length);
        }
        Eventually.await("all came", () -> COUNT.get() == MESSAGES);
        return (System.nanoTime() - startNs) / (double) MESSAGES;
    }

    private static double median(final List<Double> values) {
        final List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
