package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.MessageErrorHandler.Action;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a message whose handler threw. */
class MessageErrorTest {
    private final Logger logger = Logger.getLogger("io.penstock.client");
    private final List<LogRecord> warnings = new ArrayList<>();
    private final Handler recorder = new Handler() {
        @Override
        public void publish(final LogRecord next) {
            warnings.add(next);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private final BookmarkStore store = BookmarkStore.inMemory();

    /** Texts whose handler throws, as often as they are in it. */
    private final List<String> failing = new ArrayList<>();

    private @Nullable ClientFixture fixture;

    @BeforeEach
    void record() {
        logger.addHandler(recorder);
    }

    @AfterEach
    void end() {
        logger.removeHandler(recorder);
        if (fixture != null) {
            fixture.close();
        }
    }

    private ClientFixture fixture(final String name, final @Nullable MessageErrorHandler errorHandler) {
        final ClientFixture made = new ClientFixture(
                "message-error-" + name,
                config -> (errorHandler == null ? config : config.onMessageError(errorHandler))
                        .bookmarkStore(store)
                        .streamLimit(1)
                        .streamLength(1000)
                        .reconnect()
                        .reconnectDelay(Duration.ofMillis(100), Duration.ofMillis(400)));
        fixture = made;
        return made.loggedOn();
    }

    private MessageHandler handler(final ClientFixture on) {
        return new MessageHandler() {
            @Override
            public void onMessage(final MessageView message) {
                on.events.add(message.text());
                if (failing.remove(message.text())) {
                    throw new IllegalStateException("no idea what " + message.text() + " is");
                }
            }

            @Override
            public void onEnd(final Subscription subscription, final PenstockException reason) {
                on.events.add("end " + reason.getMessage());
            }
        };
    }

    private Subscription subscribed(
            final ClientFixture on, final Function<MessageHandler, Subscription> subscriptions, final long commandId) {
        final Subscription subscription = subscriptions.apply(handler(on));
        final CompletableFuture<Subscription> accepted = on.client.subscribeAsync(subscription);
        on.poll();
        on.broker.ack(AckType.PROCESSED, commandId);
        on.poll();
        assertThat(accepted).isCompleted();
        return subscription;
    }

    private Subscription subscribed(final ClientFixture on) {
        final Subscription subscription =
                subscribed(on, handler -> on.client.newSubscription(SubscribeRequest.topic("orders"), handler), 2);
        on.broker.topic(0, 3, "orders");
        return subscription;
    }

    @Test
    void shouldLogTheStackWhenAHandlerEndsItsSubscription() {
        final ClientFixture on = fixture("end", null);
        subscribed(on);
        failing.add("a");
        on.broker.deliver(1, 3, 10, "a", "b");
        on.poll();
        final String reason =
                "subscription to orders: its handler threw: java.lang.IllegalStateException (the cause says more)";
        assertThat(on.events()).containsExactly("a", "end " + reason);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0).getMessage()).isEqualTo(reason);
        assertThat(warnings.get(0).getThrown()).isInstanceOf(IllegalStateException.class);
        assertThat(on.broker.commands()).contains("unsubscribe 3 1");
    }

    @Test
    void shouldEndWithWhatTheHandlerThrewWhenTheErrorHandlerThrowsItAgain() {
        final ClientFixture on = fixture("again", (message, error, attempt) -> {
            throw error;
        });
        subscribed(on);
        failing.add("a");
        on.broker.deliver(1, 3, 10, "a");
        on.poll();
        assertThat(on.events())
                .containsExactly(
                        "a",
                        "end subscription to orders: its handler threw: java.lang.IllegalStateException"
                                + " (the cause says more)");
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0).getThrown()).hasMessage("no idea what a is");
    }

    @Test
    void shouldGoOnWithTheNextMessageWhenItIsToSkip() {
        final ClientFixture on = fixture("skip", MessageErrorHandler.SKIP);
        subscribed(on);
        failing.addAll(List.of("a", "b"));
        on.broker.deliver(1, 3, 10, "a", "b", "c");
        on.poll();
        assertThat(on.events()).containsExactly("a", "b", "c");
        assertThat(warnings).as("those within a second are counted").hasSize(1);
        on.clock.advanceMillis(1000);
        failing.add("d");
        on.broker.deliver(1, 3, 13, "d");
        on.poll();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1).getMessage())
                .isEqualTo("subscription to orders: its handler threw, the message is skipped: orders 0:13"
                        + " (and 1 times more since the last warning)");
        assertThat(warnings.get(1).getThrown()).hasMessage("no idea what d is");
    }

    @Test
    void shouldOfferTheMessageAgainAfterADelayThatDoublesWhenItIsToRetry() {
        final ClientFixture on = fixture("retry", MessageErrorHandler.retry(10, Action.END));
        subscribed(on);
        failing.addAll(List.of("a", "a", "a"));
        on.broker.deliver(1, 3, 10, "a", "b");
        on.poll();
        assertThat(on.events()).containsExactly("a");
        on.clock.advanceMillis(49);
        on.poll();
        assertThat(on.events()).as("before half of the first delay").isEmpty();
        on.clock.advanceMillis(51);
        on.poll();
        assertThat(on.events()).containsExactly("a");
        on.clock.advanceMillis(99);
        on.poll();
        assertThat(on.events()).as("before half of the second delay").isEmpty();
        on.clock.advanceMillis(101);
        on.poll();
        assertThat(on.events()).containsExactly("a");
        on.clock.advanceMillis(400);
        on.poll();
        assertThat(on.events()).containsExactly("a", "b");
    }

    @Test
    void shouldDoWhatItSaysWhenTheAttemptsAreUsedUp() {
        final ClientFixture on = fixture("used-up", MessageErrorHandler.retry(2, Action.SKIP));
        subscribed(on);
        failing.addAll(List.of("a", "a", "b", "b"));
        on.broker.deliver(1, 3, 10, "a", "b", "c");
        for (int i = 0; i < 3; i++) {
            on.poll();
            on.clock.advanceMillis(400);
        }
        assertThat(on.events()).containsExactly("a", "a", "b", "b", "c");
    }

    @Test
    void shouldNotHoldUpOthersWhenASubscriptionIsClosedThatIsRetried() {
        final ClientFixture on = fixture("closed", MessageErrorHandler.retry(10, Action.END));
        final Subscription subscription = subscribed(on);
        subscribed(on, handler -> on.client.newSubscription(SubscribeRequest.topic("orders"), handler), 3);
        failing.add("a");
        on.broker.deliver(1, 3, 10, "a");
        on.broker.deliver(2, 3, 10, "b");
        on.poll();
        assertThat(on.events()).containsExactly("a");
        subscription.close();
        on.poll();
        assertThat(on.events()).containsExactly("b");
    }

    @Test
    void shouldRetryWhatHasComeAndThenReconnectWhenTheConnectionIsLostMeanwhile() {
        final ClientFixture on = fixture("lost", MessageErrorHandler.retry(2, Action.END));
        subscribed(on);
        failing.add("a");
        on.broker.deliver(1, 3, 10, "a");
        on.poll();
        on.broker.disconnect();
        on.poll();
        on.clock.advanceMillis(100);
        on.poll();
        assertThat(on.events()).containsExactly("a", "a");
        on.clock.advanceMillis(100);
        on.poll();
        on.broker.logonAck(4);
        on.poll();
        assertThat(on.client.isConnected()).isTrue();
    }

    @Test
    void shouldNoteASkippedMessageAndOpenARetriedOneOnce() {
        final ClientFixture on = fixture("noted", MessageErrorHandler.retry(3, Action.SKIP));
        final Subscription subscription = subscribed(
                on, handler -> on.client.newReplay("mine", ReplayRequest.topic("orders"), handler, AckMode.MANUAL), 2);
        on.broker.topic(0, 3, "orders");
        failing.addAll(List.of("a", "a", "a"));
        on.broker.deliver(1, 3, 10, "a", "b");
        for (int i = 0; i < 3; i++) {
            on.poll();
            on.clock.advanceMillis(400);
        }
        assertThat(on.events()).as("the second has room").containsExactly("a", "a", "a", "b");
        assertThat(store.last("mine"))
                .as("the skipped one needs no acknowledgement")
                .hasToString("0:10");
        subscription.acknowledge(0, 11);
        assertThat(store.last("mine")).hasToString("0:11");
    }

    @Test
    void shouldOpenARetriedMessageOnceWhenTheConnectionIsLostMeanwhile() {
        final ClientFixture on = fixture("opened", MessageErrorHandler.retry(2, Action.END));
        final Subscription subscription = subscribed(
                on, handler -> on.client.newReplay("mine", ReplayRequest.topic("orders"), handler, AckMode.MANUAL), 2);
        on.broker.topic(0, 3, "orders");
        failing.add("a");
        on.broker.deliver(1, 3, 10, "a");
        on.poll();
        on.broker.disconnect();
        on.poll();
        on.clock.advanceMillis(100);
        on.poll();
        assertThat(on.events()).containsExactly("a", "a");
        subscription.acknowledge(0, 10);
        assertThat(store.last("mine")).hasToString("0:10");
    }

    @Test
    void shouldEndTheSubscriptionWhenTheErrorHandlerThrowsToo() {
        final ClientFixture on = fixture("throws", (message, error, attempt) -> {
            throw new UnsupportedOperationException("neither do I");
        });
        subscribed(on);
        failing.add("a");
        on.broker.deliver(1, 3, 10, "a");
        on.poll();
        assertThat(on.events())
                .containsExactly(
                        "a",
                        "end subscription to orders: its handler threw: "
                                + "java.lang.UnsupportedOperationException (the cause says more)");
        assertThat(warnings.get(0).getThrown().getSuppressed()[0]).hasMessage("no idea what a is");
    }

    @Test
    void shouldRefuseToRetryWithoutAnAttempt() {
        assertThatThrownBy(() -> MessageErrorHandler.retry(0, Action.END))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attempts: not 1 or more: 0");
    }
}
