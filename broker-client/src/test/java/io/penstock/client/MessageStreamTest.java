package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.engine.ClientEngine;
import io.penstock.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MessageStreamTest {
    private static final int TOPIC_ID = 3;

    private final ClientFixture fixture = new ClientFixture("message-stream-test", config -> config);
    private final ScriptedBroker broker = fixture.broker;
    private int wakeupCount;

    @BeforeEach
    void logOn() {
        fixture.loggedOn();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldHandOverMessagesInOrder() {
        final MessageStream stream = stream(10, 1_000);
        broker.deliver(1, TOPIC_ID, 5, "a", "b");
        fixture.poll();
        assertThat(texts(stream)).containsExactly("a", "b");
        assertThat(stream.poll(Duration.ZERO)).isNull();
    }

    @Test
    void shouldCopyMessagesWithTheirPosition() {
        final MessageStream stream = stream(10, 1_000);
        broker.deliver(1, TOPIC_ID, 5, "a");
        fixture.poll();
        final Message message = Objects.requireNonNull(stream.poll(Duration.ZERO));
        assertThat(message.topic()).isEqualTo("orders");
        assertThat(message.sequence()).isEqualTo(5);
        assertThat(message.timestampNs()).isEqualTo(1_005);
        assertThat(message.bytes()).isEqualTo("a".getBytes(StandardCharsets.UTF_8));
        assertThat(message).hasToString("orders 0:5 (1 bytes)");
    }

    @Test
    void shouldStopReadingTheConnectionWhenFullAndGoOnWhenTaken() {
        final MessageStream stream = stream(2, 1_000);
        broker.deliver(1, TOPIC_ID, 1, "a", "b", "c");
        broker.deliver(1, TOPIC_ID, 4, "d", "e");
        fixture.poll();
        assertThat(wakeupCount).isZero();
        assertThat(texts(stream)).containsExactly("a", "b");
        assertThat(wakeupCount).as("the agent waits for room").isEqualTo(1);
        fixture.poll();
        assertThat(texts(stream)).containsExactly("c", "d");
        fixture.poll();
        assertThat(texts(stream)).containsExactly("e");
    }

    @Test
    void shouldBoundTheBytesItHoldsButTakeOneMessageOfAnyLength() {
        final MessageStream stream = stream(100, 10);
        broker.deliver(1, TOPIC_ID, 1, "0123456789abcdef", "x", "012345678", "y");
        fixture.poll();
        assertThat(texts(stream)).containsExactly("0123456789abcdef");
        fixture.poll();
        assertThat(texts(stream)).containsExactly("x", "012345678");
        fixture.poll();
        assertThat(texts(stream)).containsExactly("y");
    }

    @Test
    void shouldGiveTheReasonAfterTheLastMessageWhenBrokerEndsIt() {
        final MessageStream stream = stream(10, 1_000);
        broker.deliver(1, TOPIC_ID, 1, "a");
        broker.error(0, 1, ErrorCode.FELL_BEHIND, "subscription: fell behind");
        fixture.poll();
        assertThat(stream.poll(Duration.ZERO)).isNotNull();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> stream.poll(Duration.ZERO))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.FELL_BEHIND))
                    .hasMessage("subscription: fell behind");
        }
        assertThat(stream.subscription().isActive()).isFalse();
    }

    @Test
    void shouldEndQuietlyWhenItIsClosed() {
        final MessageStream stream = stream(2, 1_000);
        broker.deliver(1, TOPIC_ID, 1, "a", "b", "c");
        fixture.poll();
        final Iterator<Message> iterator = stream.iterator();
        stream.close();
        stream.close();
        fixture.poll();
        assertThat(stream.poll(Duration.ZERO)).isNull();
        assertThat(broker.commands()).containsExactly("unsubscribe 3 1");
        broker.ack(AckType.PROCESSED, 3);
        fixture.poll();
        assertThat(stream.poll(Duration.ZERO)).isNull();
        assertThatThrownBy(() -> takeOnAnotherThread(iterator)).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void shouldReadOnPastAFullStreamOnceItIsClosed() {
        final MessageStream stream = stream(1, 1_000);
        broker.deliver(1, TOPIC_ID, 1, "a", "b", "c");
        broker.error(0, 0, ErrorCode.LIMIT_REACHED, "only to be read");
        fixture.poll();
        stream.close();
        broker.ack(AckType.PROCESSED, 3);
        fixture.poll();
        assertThat(fixture.agent.doWork()).isZero();
        broker.heartbeat();
        fixture.clock.advanceMillis(2_999);
        fixture.poll();
        fixture.clock.advanceMillis(2_999);
        fixture.poll();
        assertThat(fixture.client.isConnected()).isTrue();
    }

    @Test
    void shouldEndQuietlyWhenTheClientIsClosed() {
        final MessageStream stream = stream(10, 1_000);
        fixture.client.close();
        fixture.poll();
        broker.ack(AckType.COMPLETED, 3);
        fixture.poll();
        assertThat(stream.poll(Duration.ZERO)).isNull();
    }

    @Test
    void shouldNotWaitOnTheThreadThatFillsIt() {
        final MessageStream stream = stream(10, 1_000);
        assertThatThrownBy(() -> stream.poll(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("stream: would wait on the client's own thread");
    }

    @Test
    void shouldCountAgainWhatItHoldsAfterManyMessages() {
        final MessageStream.Sink sink = new MessageStream.Sink(3, 30, () -> wakeupCount++);
        final MessageView view = new MessageView();
        for (int i = 0; i < 1_000; i++) {
            view.wrap(RecordKind.MESSAGE, "orders", 0, i, 0, new UnsafeBuffer(new byte[10]), 0, 10, 0, 0, 0);
            for (int k = 0; k < 3; k++) {
                assertThat(sink.onMessage(view)).isTrue();
            }
            assertThat(sink.onMessage(view)).isFalse();
            take(sink);
            assertThat(wakeupCount).isEqualTo(i + 1);
            take(sink);
            take(sink);
        }
    }

    private static void take(final MessageStream.Sink sink) {
        try {
            assertThat(sink.take(0)).isNotNull();
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** An iterator waits, which the thread that drives the agent may not. */
    private static void takeOnAnotherThread(final Iterator<Message> iterator) {
        final List<RuntimeException> failures = new ArrayList<>();
        final Thread thread = new Thread(() -> {
            try {
                iterator.next();
            } catch (final RuntimeException e) {
                failures.add(e);
            }
        });
        thread.start();
        try {
            thread.join();
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(failures).hasSize(1);
        throw failures.get(0);
    }

    private MessageStream stream(final int messages, final long bytes) {
        final MessageStream.Sink sink = new MessageStream.Sink(messages, bytes, () -> wakeupCount++);
        final SubscribeRequest request = SubscribeRequest.topic("orders");
        final ClientEngine engine = fixture.client.engine();
        final CompletableFuture<Subscription> created =
                fixture.client.subscribeAsync(new Subscription(engine, engine.newSubscription(request, sink)));
        fixture.poll();
        broker.ack(AckType.PROCESSED, 2);
        broker.topic(0, TOPIC_ID, "orders");
        fixture.poll();
        broker.commands();
        return new MessageStream(sink, engine, created.join());
    }

    private static List<String> texts(final MessageStream stream) {
        final List<String> texts = new ArrayList<>();
        Message message;
        while ((message = stream.poll(Duration.ZERO)) != null) {
            texts.add(message.text());
        }
        return texts;
    }
}
