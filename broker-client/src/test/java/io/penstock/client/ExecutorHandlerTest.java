package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.MessageErrorHandler.Action;
import io.penstock.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers on an executor, which here does nothing until a test has it run. */
@Timeout(60)
class ExecutorHandlerTest {
    private static final SubscribeRequest ORDERS = SubscribeRequest.topic("orders");
    private static final int EACH = 56;

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final BookmarkStore store = BookmarkStore.inMemory();
    private final List<String> failing = new ArrayList<>();
    private Action action = Action.END;
    private final ClientFixture fixture = fixture("executor", config -> config);

    private ClientFixture fixture(final String name, final UnaryOperator<ClientConfig.Builder> options) {
        return new ClientFixture(
                name,
                config -> options.apply(config.bookmarkStore(store)
                        .streamLimit(3)
                        .closeTimeout(Duration.ofSeconds(1))
                        .onMessageError((message, error, attempt) -> attempt == 1 ? action : Action.SKIP)
                        .reconnectDelay(Duration.ofMillis(1), Duration.ofMillis(2))));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private class Noting implements MessageHandler {
        @Override
        public void onMessage(final MessageView message) {
            fixture.events.add(message.text());
            if (failing.remove(message.text())) {
                throw new IllegalStateException("no idea what " + message.text() + " is");
            }
        }

        @Override
        public void onGroupBegin(final String topic, final int shard, final long sequence) {
            fixture.events.add("begin");
        }

        @Override
        public void onGroupEnd(final long topicMatches, final long matches, final long returned) {
            fixture.events.add("end");
        }

        @Override
        public void onEnd(final Subscription subscription, final PenstockException reason) {
            fixture.events.add("over: " + reason.getMessage());
        }
    }

    private MessageHandler handler(final Executor executor) {
        return MessageHandler.on(executor, new Noting());
    }

    private Subscription subscribed(final Subscription subscription) {
        final CompletableFuture<Subscription> accepted = fixture.client.subscribeAsync(subscription);
        fixture.poll();
        fixture.broker.ack(AckType.PROCESSED, 2);
        fixture.broker.topic(0, 3, "orders");
        fixture.poll();
        assertThat(accepted).isCompleted();
        return subscription;
    }

    private Subscription subscribed(final SubscribeRequest request) {
        fixture.loggedOn();
        return subscribed(fixture.client.newSubscription(request, handler(tasks::add)));
    }

    private Subscription named(final AckMode mode) {
        fixture.loggedOn();
        return subscribed(fixture.client.newReplay("mine", ReplayRequest.topic("orders"), handler(tasks::add), mode));
    }

    private void run() {
        Runnable task;
        while ((task = tasks.poll()) != null) {
            task.run();
        }
    }

    private void deliver(final long sequence, final String... texts) {
        fixture.broker.deliver(1, 3, sequence, texts);
        fixture.poll();
    }

    @Test
    void shouldCallTheHandlerWithACopyWhenTheExecutorRuns() {
        final List<MessageView> kept = new ArrayList<>();
        fixture.loggedOn();
        subscribed(fixture.client.newSubscription(ORDERS, MessageHandler.on(tasks::add, kept::add)));
        deliver(5, "a");
        assertThat(kept).isEmpty();
        run();
        deliver(6, "bb");
        run();
        assertThat(kept).extracting(MessageView::text).containsExactly("a", "bb");
        assertThat(kept).extracting(MessageView::sequence).containsExactly(5L, 6L);
        assertThat(kept.get(0).toMessage()).hasToString("orders 0:5 (1 bytes)");
    }

    @Test
    void shouldGiveCreditBackWhenMessagesAreHandled() {
        subscribed(ORDERS);
        assertThat(fixture.broker.commands()).containsExactly("subscribe 2 1 orders ", "pace 3 1 CREDIT 96");
        deliver(1, "a", "b");
        assertThat(fixture.broker.commands()).isEmpty();
        run();
        fixture.poll();
        assertThat(fixture.broker.commands()).containsExactly("pace 4 1 CREDIT " + 2 * EACH);
    }

    @Test
    void shouldStopReadingWhenThereIsNoCreditToBoundIt() {
        subscribed(ORDERS.sow());
        assertThat(fixture.broker.commands()).containsExactly("subscribe 2 1 sow orders ");
        deliver(1, "a", "b", "c", "d", "e");
        run();
        assertThat(fixture.events()).containsExactly("a", "b", "c");
        fixture.poll();
        run();
        assertThat(fixture.events()).containsExactly("d", "e");
    }

    @Test
    void shouldKeepEventsBetweenMessagesInTheirPlace() {
        fixture.loggedOn();
        subscribed(fixture.client.newSubscription(
                ORDERS.sow(), MessageHandler.on(tasks::add, HandlerOrder.KEY, new Noting())));
        fixture.broker.topic(0, 7, "orders");
        fixture.broker.groupBegin(1, 7);
        fixture.broker.deliver(1, 3, 1, "a");
        fixture.broker.groupEnd(1, 1, 1, 1);
        fixture.poll();
        run();
        deliver(2, "b");
        run();
        assertThat(fixture.events()).containsExactly("begin", "a", "end", "b");
    }

    @Test
    void shouldNoteAMessageAsProcessedWhenTheHandlerHasReturned() {
        named(AckMode.AUTO);
        deliver(4, "a", "b");
        assertThat(store.last("mine")).isEqualTo(Bookmark.NONE);
        failing.add("b");
        run();
        assertThat(store.last("mine")).isEqualTo(Bookmark.of(0, 4));
    }

    @Test
    void shouldLeaveAcknowledgingToTheProgramWhenItIsManual() {
        final Subscription subscription = named(AckMode.MANUAL);
        deliver(4, "a", "b");
        run();
        assertThat(store.last("mine")).isEqualTo(Bookmark.NONE);
        subscription.acknowledge(0, 4);
        assertThat(store.last("mine")).isEqualTo(Bookmark.of(0, 4));
    }

    @Test
    void shouldEndAndDropTheRestWhenTheHandlerThrows() {
        final Subscription subscription = subscribed(ORDERS.sow());
        fixture.broker.commands();
        failing.add("a");
        deliver(1, "a", "b");
        run();
        fixture.poll();
        assertThat(fixture.events()).first().isEqualTo("a");
        assertThat(fixture.events()).isEmpty();
        assertThat(subscription.isActive()).isFalse();
        assertThat(fixture.broker.commands()).containsExactly("unsubscribe 3 1");
    }

    @Test
    void shouldSayWhyItHasEndedOnceWhenTheHandlerThrowsOnAnotherThread() throws InterruptedException {
        subscribed(ORDERS.sow());
        fixture.broker.commands();
        failing.add("a");
        deliver(1, "a", "b");
        final Thread thread = new Thread(this::run);
        thread.start();
        thread.join();
        fixture.poll();
        assertThat(fixture.broker.commands()).containsExactly("unsubscribe 3 1");
        fixture.broker.ack(AckType.PROCESSED, 3);
        fixture.poll();
        run();
        assertThat(fixture.events())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("over: subscription to orders: its handler threw");
    }

    @Test
    void shouldEndWithTheCauseWhenTheHandlerThrowsAnError() {
        final AssertionError thrown = new AssertionError("cannot be");
        final List<@Nullable Throwable> causes = new ArrayList<>();
        fixture.loggedOn();
        final Subscription subscription = subscribed(fixture.client.newSubscription(
                ORDERS.sow(), MessageHandler.on(tasks::add, new MessageHandler() {
                    @Override
                    public void onMessage(final MessageView message) {
                        fixture.events.add(message.text());
                        throw thrown;
                    }

                    @Override
                    public void onEnd(final Subscription ended, final PenstockException reason) {
                        causes.add(reason.getCause());
                    }
                })));
        assertThat(fixture.client.subscribeAsync(fixture.client.newSubscription(ORDERS, fixture.messages())))
                .isNotDone();
        fixture.poll();
        fixture.broker.ack(AckType.PROCESSED, 3);
        fixture.poll();
        fixture.broker.commands();
        deliver(1, "a", "b", "c", "d", "e");
        fixture.broker.deliver(2, 3, 6, "other");
        fixture.poll();
        assertThat(fixture.events()).as("while the client does not read").isEmpty();
        run();
        fixture.poll();
        run();
        assertThat(fixture.events()).containsExactly("a", "message orders 6 other");
        assertThat(causes).containsExactly(thrown);
        assertThat(subscription.isActive()).isFalse();
        assertThat(fixture.broker.commands()).containsExactly("unsubscribe 4 1");
    }

    @Test
    void shouldEndWithTheCauseWhenAnEventsHandlerThrowsAnError() {
        fixture.loggedOn();
        final Subscription subscription = subscribed(fixture.client.newSubscription(
                ORDERS.sow(), MessageHandler.on(tasks::add, HandlerOrder.KEY, new Noting() {
                    @Override
                    public void onGroupBegin(final String topic, final int shard, final long sequence) {
                        throw new AssertionError("cannot be");
                    }
                })));
        fixture.broker.commands();
        fixture.broker.topic(0, 7, "orders");
        fixture.broker.groupBegin(1, 7);
        deliver(1, "a", "b", "c", "d");
        run();
        fixture.poll();
        run();
        assertThat(subscription.isActive()).isFalse();
        assertThat(fixture.broker.commands()).containsExactly("unsubscribe 3 1");
        assertThat(fixture.events())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("over: subscription to orders: its handler threw");
    }

    @Test
    void shouldEndAloneWhenTheExecutorHasNoThread() {
        fixture.loggedOn();
        final Subscription subscription = subscribed(fixture.client.newSubscription(ORDERS, handler(task -> {
            throw new InternalError("no thread can be made");
        })));
        deliver(1, "a", "b");
        assertThat(fixture.events())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("over: subscription to orders: its executor takes no more");
        assertThat(subscription.isActive()).isFalse();
        assertThat(fixture.client.isConnected()).isTrue();
    }

    @Test
    void shouldSkipAMessageWhenTheErrorHandlerSaysSo() {
        action = Action.SKIP;
        named(AckMode.AUTO);
        failing.add("a");
        deliver(1, "a", "b");
        run();
        assertThat(fixture.events()).containsExactly("a", "b");
        assertThat(store.last("mine")).isEqualTo(Bookmark.of(0, 2));
    }

    @Test
    void shouldHandOverAgainWhenTheErrorHandlerSaysSo() throws InterruptedException {
        action = Action.RETRY;
        named(AckMode.AUTO);
        failing.add("a");
        deliver(1, "a", "b");
        run();
        assertThat(fixture.events()).containsExactly("a");
        tasks.take().run();
        assertThat(fixture.events()).containsExactly("a", "b");
        assertThat(store.last("mine")).isEqualTo(Bookmark.of(0, 2));
    }

    @Test
    void shouldEndWhenTheExecutorRefuses() {
        fixture.loggedOn();
        final Subscription subscription = subscribed(fixture.client.newSubscription(ORDERS, handler(task -> {
            throw new RejectedExecutionException("is shut down");
        })));
        deliver(1, "a", "b");
        assertThat(fixture.events())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("over: subscription to orders: its executor takes no more");
        assertThat(subscription.isActive()).isFalse();
    }

    @Test
    void shouldHandleWhatCameBeforeWhenTheBrokerEndsIt() {
        subscribed(ORDERS);
        deliver(1, "a", "b");
        fixture.broker.error(0, 1, ErrorCode.FELL_BEHIND, "fell behind");
        fixture.poll();
        run();
        assertThat(fixture.events()).containsExactly("a", "b", "over: fell behind");
    }

    @Test
    void shouldDropWhatWaitsWhenItIsClosed() {
        final Subscription subscription = named(AckMode.AUTO);
        deliver(1, "a", "b");
        subscription.close();
        run();
        assertThat(fixture.events()).isEmpty();
        assertThat(store.last("mine")).isEqualTo(Bookmark.NONE);
    }

    @Test
    void shouldWaitForCallsWhenTheClientIsClosedAndNoteWhatTheyDid() throws InterruptedException {
        final CountDownLatch isCalled = new CountDownLatch(1);
        final CountDownLatch mayReturn = new CountDownLatch(1);
        fixture.loggedOn();
        subscribed(fixture.client.newReplay(
                "mine",
                ReplayRequest.topic("orders"),
                MessageHandler.on(tasks::add, message -> {
                    fixture.events.add(message.text());
                    isCalled.countDown();
                    await(mayReturn);
                }),
                AckMode.AUTO));
        deliver(1, "a", "b");
        final Thread thread = new Thread(this::run);
        thread.start();
        await(isCalled);
        fixture.client.close();
        fixture.poll();
        fixture.broker.ack(AckType.PROCESSED, 3);
        fixture.broker.ack(AckType.COMPLETED, 4);
        fixture.poll();
        assertThat(fixture.agent.isEnded()).as("while the handler is called").isFalse();
        mayReturn.countDown();
        thread.join();
        fixture.poll();
        assertThat(fixture.agent.isEnded()).isTrue();
        assertThat(fixture.events()).containsExactly("a");
        assertThat(store.last("mine")).isEqualTo(Bookmark.of(0, 1));
    }

    @Test
    void shouldCloseWithoutAHandlerThatNeverReturns() throws InterruptedException {
        final CountDownLatch isCalled = new CountDownLatch(1);
        final CountDownLatch mayReturn = new CountDownLatch(1);
        fixture.loggedOn();
        subscribed(fixture.client.newSubscription(ORDERS, MessageHandler.on(tasks::add, message -> {
            isCalled.countDown();
            await(mayReturn);
        })));
        deliver(1, "a");
        final Thread thread = new Thread(this::run);
        thread.start();
        await(isCalled);
        fixture.client.close();
        fixture.poll();
        fixture.clock.advanceMillis(1_001);
        fixture.poll();
        assertThat(fixture.agent.isEnded()).isTrue();
        mayReturn.countDown();
        thread.join();
    }

    @Test
    void shouldNotWaitForItselfWhenAHandlerClosesTheClient() throws InterruptedException {
        fixture.loggedOn();
        subscribed(fixture.client.newSubscription(ORDERS, MessageHandler.on(tasks::add, message -> {
            fixture.client.close();
            fixture.events.add("closed");
        })));
        deliver(1, "a");
        final Thread thread = new Thread(this::run);
        thread.start();
        thread.join();
        assertThat(fixture.events()).containsExactly("closed");
    }

    private static void await(final CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldKeepMessagesOfAKeyInOneLane() {
        final ExecutorHandler byKey = new ExecutorHandler(tasks::add, HandlerOrder.KEY, new Noting());
        final ExecutorHandler all = new ExecutorHandler(tasks::add, HandlerOrder.SUBSCRIPTION, new Noting());
        assertThat(byKey.hash(ofKey("a", "x")))
                .isEqualTo(byKey.hash(ofKey("a", "yy")))
                .isNotEqualTo(byKey.hash(ofKey("b", "x")));
        assertThat(all.hash(ofKey("a", "x"))).isEqualTo(all.hash(ofKey("b", "x")));
        assertThat(all.laneCount()).isEqualTo(1);
    }

    private static MessageView ofKey(final String key, final String text) {
        final byte[] bytes = (text + key).getBytes(StandardCharsets.UTF_8);
        return new MessageView()
                .wrap(
                        RecordKind.MESSAGE,
                        "orders",
                        0,
                        1,
                        0,
                        new UnsafeBuffer(bytes),
                        0,
                        text.length(),
                        0,
                        key.length(),
                        0);
    }

    @Test
    void shouldRefuseWhatItCannotDo() {
        fixture.loggedOn();
        assertThatThrownBy(() -> fixture.client.subscribe(ORDERS.credit(5), handler(tasks::add)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("credit of 5 where the client gives it itself (leave it out");
        assertThatThrownBy(() -> fixture.client.sowAsync(SowRequest.topic("orders"), handler(tasks::add)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sow: its handler is for an executor");
        assertThatThrownBy(() -> handler(tasks::add).onMessage(new MessageView()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("called by another handler");
        assertThat(fixture.broker.commands()).isEmpty();
    }
}
