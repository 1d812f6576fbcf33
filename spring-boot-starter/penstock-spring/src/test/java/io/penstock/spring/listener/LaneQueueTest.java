package io.penstock.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.spring.TestBroker;
import io.penstock.spring.listener.LaneQueue.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LaneQueueTest {
    /** A source that nobody asks. */
    private static final class NoSource implements Source {
        @Override
        public void open(final Receiver receiver) {}

        @Override
        public void close() {}

        @Override
        public void done(final Delivery delivery) {}
    }

    private final LaneQueue queue = new LaneQueue();
    private final TestBroker broker = TestBroker.inproc();
    private final PenstockClient client = broker.client();
    private final BlockingQueue<Message> received = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        client.close();
        broker.close();
    }

    private void fill(final int count) throws InterruptedException {
        client.subscribe("orders", message -> received.add(message.toMessage()));
        for (int i = 0; i < count; i++) {
            client.publish("orders", "{\"id\":" + i + "}");
        }
        for (int i = 0; i < count; i++) {
            final Message message = received.poll(30, TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("no message has come");
            }
            queue.add(new Delivery(message, 1, new NoSource()));
        }
    }

    /** Each on a thread of its own, as they wait for each other. */
    private static <T> CompletableFuture<T> async(final Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, run -> new Thread(run, "lane-queue-test").start());
    }

    @Test
    void shouldWaitOnWhenItsTakerIsInterrupted() throws Exception {
        final CompletableFuture<Integer> taken = new CompletableFuture<>();
        final Thread taker = new Thread(() -> {
            Thread.currentThread().interrupt();
            taken.complete(queue.take(new ArrayList<>(), 1, Long.MAX_VALUE));
        });
        taker.start();
        taker.interrupt();
        fill(1);

        assertThat(taken.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void shouldReturnNothingWhenNothingComesInTime() {
        assertThat(queue.take(new ArrayList<>(), 1, 1_000_000)).isZero();
    }

    @Test
    void shouldDropWhatWaitsAndTheRestOfARunWhenItSettlesWhilePaused() throws Exception {
        fill(5);
        final List<Delivery> run = new ArrayList<>();
        assertThat(queue.take(run, 2, 0)).isEqualTo(2);
        queue.pause(true);
        final CompletableFuture<Turn> turn = async(() -> queue.awaitTurn(() -> {}));

        final List<Delivery> dropped = async(queue::settle).get(60, TimeUnit.SECONDS);

        assertThat(turn.get(60, TimeUnit.SECONDS)).isEqualTo(Turn.DROP);
        assertThat(dropped).hasSize(3);
        queue.pause(false);
        assertThat(queue.awaitTurn(() -> {})).isEqualTo(Turn.PROCESS);
    }

    @Test
    void shouldSettleOnlyWhenTheListenerHasFinishedWhenItIsNotPaused() throws Exception {
        fill(1);
        queue.take(new ArrayList<>(), 1, 0);
        final CompletableFuture<List<Delivery>> settled = async(queue::settle);
        assertThat(settled).isNotDone();

        assertThat(queue.take(new ArrayList<>(), 1, 1)).isZero();

        assertThat(settled.get(60, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void shouldEndItsTakerWithoutAnInterruptWhenAbandoned() throws Exception {
        fill(2);
        queue.pause(true);
        final CompletableFuture<Integer> taken = async(() -> queue.take(new ArrayList<>(), 1, Long.MAX_VALUE));
        final CompletableFuture<Boolean> delayed = async(() -> queue.delay(Long.MAX_VALUE));

        assertThat(queue.abandon()).hasSize(2);

        assertThat(taken.get(60, TimeUnit.SECONDS)).isEqualTo(LaneQueue.ENDED);
        assertThat(delayed.get(60, TimeUnit.SECONDS)).isFalse();
        assertThat(queue.awaitTurn(() -> {})).isEqualTo(Turn.END);
    }
}
