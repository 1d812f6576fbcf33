package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.ErrorCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Publishers by the rules of reactive streams, whose executor runs tasks at once unless a test says otherwise. */
class PublisherTest {
    private static final SubscribeRequest ORDERS = SubscribeRequest.topic("orders");

    private final ClientFixture fixture =
            new ClientFixture("publisher", config -> config.streamLimit(3).reconnect());
    private final Noting subscriber = new Noting();

    @AfterEach
    void close() {
        fixture.close();
    }

    private class Noting implements Flow.Subscriber<Message> {
        private Flow.@Nullable Subscription subscription;

        Flow.Subscription subscription() {
            return Objects.requireNonNull(subscription);
        }

        @Override
        public void onSubscribe(final Flow.Subscription given) {
            subscription = given;
            fixture.events.add("subscribed");
        }

        @Override
        public void onNext(final Message message) {
            fixture.events.add(message.text());
        }

        @Override
        public void onError(final Throwable reason) {
            fixture.events.add("error " + reason.getMessage());
        }

        @Override
        public void onComplete() {
            fixture.events.add("complete");
        }
    }

    private void subscribe(final Flow.Publisher<Message> publisher) {
        fixture.loggedOn();
        publisher.subscribe(subscriber);
        fixture.poll();
        fixture.broker.ack(AckType.PROCESSED, 2);
        fixture.broker.topic(0, 3, "orders");
        fixture.poll();
    }

    private void subscribe(final SubscribeRequest request) {
        subscribe(fixture.client.publisher(request, Runnable::run));
    }

    private void deliver(final long sequence, final String... texts) {
        fixture.broker.deliver(1, 3, sequence, texts);
        fixture.poll();
    }

    @Test
    void shouldHandOverAsManyAsAreRequested() {
        subscribe(ORDERS);
        assertThat(fixture.events()).containsExactly("subscribed");
        deliver(1, "a", "b");
        assertThat(fixture.events()).isEmpty();
        subscriber.subscription().request(1);
        assertThat(fixture.events()).containsExactly("a");
        subscriber.subscription().request(5);
        deliver(3, "c");
        assertThat(fixture.events()).containsExactly("b", "c");
    }

    @Test
    void shouldGiveTheBrokerCreditAsMessagesAreHandedOver() {
        subscribe(ORDERS);
        assertThat(fixture.broker.commands()).containsExactly("subscribe 2 1 orders ", "pace 3 1 CREDIT 96");
        deliver(1, "a", "b");
        assertThat(fixture.broker.commands()).isEmpty();
        subscriber.subscription().request(Long.MAX_VALUE);
        subscriber.subscription().request(Long.MAX_VALUE);
        fixture.poll();
        assertThat(fixture.broker.commands()).containsExactly("pace 4 1 CREDIT 112");
    }

    @Test
    void shouldStopReadingWhenThereIsNoCreditToBoundIt() {
        subscribe(ORDERS.sow());
        deliver(1, "a", "b", "c", "d");
        subscriber.subscription().request(3);
        assertThat(fixture.events()).containsExactly("subscribed", "a", "b", "c");
        subscriber.subscription().request(2);
        fixture.poll();
        assertThat(fixture.events()).containsExactly("d");
    }

    @Test
    void shouldEndTheSubscriptionWhenCancelled() {
        subscribe(ORDERS.sow());
        fixture.broker.commands();
        deliver(1, "a");
        subscriber.subscription().cancel();
        subscriber.subscription().cancel();
        subscriber.subscription().request(1);
        fixture.poll();
        assertThat(fixture.broker.commands()).containsExactly("unsubscribe 3 1");
        deliver(2, "b");
        assertThat(fixture.events()).containsExactly("subscribed");
    }

    @Test
    void shouldEndTheSubscriptionWhenCancelledBeforeItIsAccepted() {
        fixture.loggedOn();
        fixture.client.publisher(ORDERS.sow(), Runnable::run).subscribe(subscriber);
        fixture.poll();
        subscriber.subscription().cancel();
        fixture.broker.ack(AckType.PROCESSED, 2);
        fixture.poll();
        assertThat(fixture.broker.commands()).containsExactly("subscribe 2 1 sow orders ", "unsubscribe 3 1");
    }

    @Test
    void shouldNotSubscribeWhenCancelledAtOnce() {
        fixture.loggedOn();
        fixture.client.publisher(ORDERS, Runnable::run).subscribe(new Noting() {
            @Override
            public void onSubscribe(final Flow.Subscription given) {
                given.cancel();
            }
        });
        fixture.poll();
        assertThat(fixture.broker.commands()).isEmpty();
    }

    @Test
    void shouldFailWhenDemandIsNotPositive() {
        subscribe(ORDERS);
        deliver(1, "a");
        subscriber.subscription().request(0);
        subscriber.subscription().request(1);
        fixture.poll();
        assertThat(fixture.events())
                .containsExactly("subscribed", "error publisher: demand is too small: 0 (request 1 or more)");
        assertThat(fixture.broker.commands()).last().isEqualTo("unsubscribe 4 1");
    }

    @Test
    void shouldFailWhenDemandIsNotPositiveAndTheRestWaitsForDemand() {
        subscribe(fixture.client.publisher(
                ReplayRequest.topic("orders").from(LogPlace.BEGINNING).to(LogPlace.NOW), Runnable::run));
        deliver(1, "a");
        fixture.broker.ack(AckType.COMPLETED, 2);
        fixture.poll();
        subscriber.subscription().request(-1);
        assertThat(fixture.events())
                .containsExactly("subscribed", "error publisher: demand is too small: -1 (request 1 or more)");
    }

    @Test
    void shouldFailWhenTheBrokerRefusesTheSubscription() {
        fixture.loggedOn();
        fixture.client.publisher(ORDERS, Runnable::run).subscribe(subscriber);
        fixture.poll();
        fixture.broker.error(2, 1, ErrorCode.BAD_FILTER, "bad filter");
        fixture.poll();
        assertThat(fixture.events()).containsExactly("subscribed", "error bad filter");
    }

    @Test
    void shouldFailAfterTheLastMessageWhenTheBrokerEndsIt() {
        subscribe(ORDERS);
        deliver(1, "a");
        fixture.broker.error(0, 1, ErrorCode.FELL_BEHIND, "fell behind");
        fixture.poll();
        assertThat(fixture.events()).containsExactly("subscribed");
        subscriber.subscription().request(1);
        assertThat(fixture.events()).containsExactly("a", "error fell behind");
    }

    @Test
    void shouldBeCompleteWhenAllOfARequestWithAnEndHasCome() {
        subscribe(fixture.client.publisher(
                ReplayRequest.topic("orders").from(LogPlace.BEGINNING).to(LogPlace.NOW), Runnable::run));
        deliver(1, "a");
        fixture.broker.ack(AckType.COMPLETED, 2);
        fixture.poll();
        subscriber.subscription().request(1);
        assertThat(fixture.events()).containsExactly("subscribed", "a", "complete");
    }

    @Test
    void shouldFailWhenTheClientIsClosed() {
        subscribe(ORDERS);
        fixture.client.close();
        fixture.poll();
        assertThat(fixture.events())
                .containsExactly("subscribed", "error publisher: the client was closed before all messages had come");
    }

    @Test
    void shouldFailWhenTheClientIsClosedAlready() {
        fixture.loggedOn();
        fixture.agent.end(new ConnectionException("client: gone", null));
        fixture.client.publisher(ORDERS, Runnable::run).subscribe(subscriber);
        assertThat(fixture.events()).containsExactly("subscribed", "error client: gone");
    }

    @Test
    void shouldCancelWhenTheSubscriberThrows() {
        fixture.loggedOn();
        final Flow.Publisher<Message> publisher = fixture.client.publisher(ORDERS.sow(), Runnable::run);
        publisher.subscribe(new Noting() {
            @Override
            public void onSubscribe(final Flow.Subscription given) {
                given.request(10);
            }

            @Override
            public void onNext(final Message message) {
                super.onNext(message);
                throw new IllegalStateException("against the rules");
            }
        });
        fixture.poll();
        fixture.broker.ack(AckType.PROCESSED, 2);
        fixture.broker.topic(0, 3, "orders");
        deliver(1, "a", "b");
        assertThat(fixture.events()).containsExactly("a");
        assertThat(fixture.broker.commands()).last().isEqualTo("unsubscribe 3 1");
    }

    @Test
    void shouldFailWhenTheExecutorRefuses() {
        final Deque<Runnable> tasks = new ArrayDeque<>();
        final Executor once = task -> {
            if (!tasks.isEmpty()) {
                throw new RejectedExecutionException("is shut down");
            }
            tasks.add(task);
            task.run();
        };
        subscribe(fixture.client.publisher(ORDERS, once));
        deliver(1, "a");
        assertThat(fixture.events()).containsExactly("subscribed", "error publisher: its executor takes no more");
    }

    @Test
    void shouldFailAloneWhenTheExecutorHasNoThread() {
        final Deque<Runnable> tasks = new ArrayDeque<>();
        subscribe(fixture.client.publisher(ORDERS, task -> {
            if (!tasks.isEmpty()) {
                throw new InternalError("no thread can be made");
            }
            tasks.add(task);
            task.run();
        }));
        deliver(1, "a");
        assertThat(fixture.events()).containsExactly("subscribed", "error publisher: its executor takes no more");
        assertThat(fixture.client.isConnected()).isTrue();
    }

    @Test
    void shouldCancelAloneWhenTheSubscriberThrowsAnError() {
        fixture.loggedOn();
        final Deque<Runnable> tasks = new ArrayDeque<>();
        fixture.client.publisher(ORDERS.sow(), tasks::add).subscribe(new Noting() {
            @Override
            public void onSubscribe(final Flow.Subscription given) {
                given.request(10);
            }

            @Override
            public void onNext(final Message message) {
                super.onNext(message);
                throw new AssertionError("against the rules");
            }
        });
        assertThat(fixture.client.subscribeAsync(fixture.client.newSubscription(ORDERS, fixture.messages())))
                .isNotDone();
        tasks.remove().run();
        fixture.poll();
        fixture.broker.ack(AckType.PROCESSED, 2);
        fixture.broker.ack(AckType.PROCESSED, 3);
        fixture.broker.topic(0, 3, "orders");
        deliver(1, "a", "b", "c", "d", "e");
        fixture.broker.deliver(2, 3, 6, "other");
        fixture.poll();
        fixture.broker.commands();
        tasks.remove().run();
        fixture.poll();
        assertThat(fixture.events()).containsExactly("a", "message orders 6 other");
        assertThat(fixture.broker.commands()).containsExactly("unsubscribe 4 1");
        assertThat(tasks).isEmpty();
    }

    @Test
    void shouldHaveASubscriptionForEachSubscriber() {
        fixture.loggedOn();
        final Flow.Publisher<Message> publisher = fixture.client.publisher(ORDERS.sow(), Runnable::run);
        publisher.subscribe(subscriber);
        publisher.subscribe(new Noting());
        fixture.poll();
        assertThat(fixture.broker.commands()).containsExactly("subscribe 2 1 sow orders ", "subscribe 3 2 sow orders ");
    }

    @Test
    void shouldRefuseCredit() {
        assertThatThrownBy(() -> fixture.client.publisher(ORDERS.credit(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("credit of 1 where the client gives it itself");
        assertThatThrownBy(() ->
                        fixture.client.publisher(ReplayRequest.topic("orders").credit(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fixture.client.publisher(ORDERS).subscribe(null))
                .isInstanceOf(NullPointerException.class);
    }
}
