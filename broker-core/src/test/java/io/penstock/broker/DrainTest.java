package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DrainTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int ROUND_COUNT = Integer.getInteger("penstock.seeds", 1) * 10;

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    @Timeout(60)
    void shouldDeliverWhatWasAcceptedBeforeItCloses(final ThreadingMode threading) {
        for (int round = 0; round < ROUND_COUNT; round++) {
            // The ring is so small that the subscription is served by a cursor most of the time.
            final TestBroker test = broker(threading, 512);
            try (test) {
                final RawClient subscriber = test.logOn("subscriber");
                subscriber.subscribe(2, 7, ".*", "n <> 3", true);
                test.awaitAck(subscriber, 2);
                final RawClient publisher = test.logOn("publisher");
                final List<String> expected = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    final String text = "{\"n\":" + i % 5 + ",\"i\":" + i + "}";
                    while (!publisher.publish(0, 0, 0, "t", text.getBytes(java.nio.charset.StandardCharsets.UTF_8))) {
                        publisher.poll();
                    }
                    if (i % 5 != 3) {
                        expected.add(text);
                    }
                }
                test.await(() -> test.broker.counter("messagesReceived") == 1_000);
                assertThat(test.broker.drain(LONG)).isTrue();
                test.broker.close();
                subscriber.poll();

                assertThat(subscriber.deliveries).extracting(Delivery::text).containsExactlyElementsOf(expected);
                assertThat(subscriber.fatalErrors).containsExactly(ErrorCode.SHUTTING_DOWN);
            }
        }
    }

    @Test
    void shouldAcknowledgeWhatWasAcceptedBeforeItCloses() {
        try (TestBroker test = broker(ThreadingMode.INVOKER, 1024)) {
            final RawClient publisher = test.logOn("publisher");
            for (int i = 0; i < 50; i++) {
                publisher.publish(10 + i, "t", "{}");
            }
            publisher.flush(90);
            test.broker.invoke();
            assertThat(test.broker.drain(LONG)).isTrue();
            test.broker.close();
            publisher.poll();

            assertThat(publisher.events)
                    .containsSubsequence("ack 59 PROCESSED", "ack 90 COMPLETED", "error 0 0 SHUTTING_DOWN");
        }
    }

    @Test
    void shouldRefuseNewWorkWhileDraining() {
        try (TestBroker test = broker(ThreadingMode.INVOKER, 1024)) {
            final RawClient client = test.logOn("client");
            client.publish(2, "t", "{}");
            test.settle();
            assertThat(test.broker.drain(LONG)).isTrue();
            client.publish(3, "t", "{}");
            client.publish(4, "new", "{}");
            client.subscribe(5, 7, "t", "");
            client.declareTopic(6, "d", "json");
            client.flush(7);
            client.stat(8, "broker");
            test.settle();

            assertThat(client.events)
                    .containsSubsequence(
                            "ack 2 PROCESSED",
                            "error 3 0 SHUTTING_DOWN",
                            "error 4 0 SHUTTING_DOWN",
                            "error 5 7 SHUTTING_DOWN",
                            "error 6 0 SHUTTING_DOWN")
                    .contains("ack 7 COMPLETED", "ack 8 COMPLETED");
            assertThat(client.fatalErrors).isEmpty();
            assertThat(test.broker.counter("messages")).isEqualTo(1);
        }
    }

    @Test
    void shouldGiveUpWhenAClientDoesNotReadInTime() {
        try (TestBroker test = broker(ThreadingMode.INVOKER, 1024)) {
            final RawClient slow = test.logOn("slow");
            slow.subscribe(2, 7, "t", "");
            test.awaitAck(slow, 2);
            final RawClient publisher = test.logOn("publisher");
            slow.reading = false;
            final String pad = "x".repeat(10_000);
            for (int i = 0; i < 100; i++) {
                test.publish(publisher, "t", "{\"pad\":\"" + pad + "\"}");
                test.settle();
            }

            assertThat(test.broker.drain(Duration.ofMillis(5))).isFalse();
        }
    }

    @Test
    void shouldWaitForCreditAsForAClientThatDoesNotRead() {
        try (TestBroker test = broker(ThreadingMode.INVOKER, 1024)) {
            final RawClient slow = test.logOn("slow");
            slow.subscribeFrom(
                    2, 7, ReplayRequest.topic("t").from(LogPlace.NOW).live().credit(1));
            test.awaitAck(slow, 2);
            slow.credit(3, 7, 1000);
            final RawClient publisher = test.logOn("publisher");
            for (int i = 0; i < 100; i++) {
                test.publish(publisher, "t", "{}");
                test.settle();
            }

            assertThat(test.broker.drain(Duration.ofMillis(5))).isFalse();
            slow.credit(4, 7, 1_000_000);
            assertThat(test.broker.drain(LONG)).isTrue();
            slow.poll();
            assertThat(slow.deliveries).hasSize(100);
        }
    }

    @Test
    void shouldNotifyEveryClientWhenItCloses() {
        try (TestBroker test = broker(ThreadingMode.INVOKER, 1024)) {
            final RawClient active = test.logOn("active");
            final RawClient connected = test.connect();
            test.settle();
            test.broker.close();
            active.poll();
            connected.poll();

            assertThat(active.events).containsExactly("logonAck", "error 0 0 SHUTTING_DOWN", "disconnected");
            assertThat(connected.events).containsExactly("error 0 0 SHUTTING_DOWN", "disconnected");
            assertThat(test.broker.counter("connections")).isZero();
        }
    }

    /** Its clock goes on by itself, since nothing but the broker runs while it drains. */
    private static TestBroker broker(final ThreadingMode threading, final int ringLength) {
        final AtomicLong nowNs = new AtomicLong();
        return new TestBroker(builder -> builder.threading(threading)
                .nanoClock(() -> threading == ThreadingMode.INVOKER ? nowNs.addAndGet(1_000) : System.nanoTime())
                .shardCount(2)
                .window(new WindowConfig(256 * 1024, 4))
                .sessions(new SessionConfig(64, 64, 16 * 1024, 64, 64, ringLength, 64, 1 << 24, 60_000, 60_000)));
    }
}
