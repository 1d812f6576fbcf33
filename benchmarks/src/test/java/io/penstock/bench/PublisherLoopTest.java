package io.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.IdleMode;
import io.penstock.broker.ThreadingMode;
import io.penstock.client.ClientConfig;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PublisherLoopTest {
    private static final int LENGTH = 1024;

    @Test
    @Timeout(60)
    void shouldEndWhenAllIsSentWhenTheMediumTakesNoMore() throws InterruptedException {
        final AtomicBoolean isPublishing = new AtomicBoolean(true);
        final AtomicBoolean isRefused = new AtomicBoolean();
        final AtomicLong polls = new AtomicLong();
        final AtomicLong delivered = new AtomicLong();
        final Progress progress = new Progress(0);
        try (RestingBroker broker = new RestingBroker();
                PenstockPort subscriber = PenstockPort.connect(
                        broker.clientConfig(), (buffer, offset, length) -> delivered.incrementAndGet());
                PenstockPort publisher = PenstockPort.connect(broker.clientConfig(), (buffer, offset, length) -> {})) {
            subscriber.subscribe("");
            broker.rest(true);
            final PublisherLoop loop = new PublisherLoop(
                    plan(), new Watched(publisher, isRefused, polls), progress, new SendClock(0, 1024), isPublishing);
            final Thread thread = new Thread(loop, "publisher");
            thread.start();
            // The broker reads nothing, so the sockets fill up, and then what the connection gathers.
            await(isRefused::get);

            isPublishing.set(false);
            final long polled = polls.get();
            await(() -> polls.get() > polled + 2 || !thread.isAlive());
            broker.rest(false);
            thread.join();

            assertThat(publisher.isFlushed()).isTrue();
            await(() -> {
                subscriber.poll();
                return delivered.get() == progress.published();
            });
        }
    }

    private static void await(final BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private static BenchPlan plan() {
        return new BenchPlan(Messages.opaque(LENGTH), "", 1, 0, IdleMode.BLOCKING, BrokerPlan.DEFAULT, 0, 1);
    }

    /** A broker that stops reading on demand. */
    private static final class RestingBroker implements AutoCloseable {
        private final Broker broker;
        private final AtomicBoolean isResting = new AtomicBoolean();
        private final AtomicBoolean isRunning = new AtomicBoolean(true);
        private final Thread thread;

        RestingBroker() {
            broker = Broker.launch(BrokerConfig.builder()
                    .listen("tcp://127.0.0.1:0")
                    .threading(ThreadingMode.INVOKER)
                    .formatDefault(Messages.OPAQUE_FORMAT)
                    .build());
            thread = new Thread(this::run, "broker");
            thread.start();
        }

        private void run() {
            while (isRunning.get()) {
                if (isResting.get() || broker.invoke() == 0) {
                    Thread.onSpinWait();
                }
            }
        }

        ClientConfig clientConfig() {
            return ClientConfig.of(broker.endpoints().get(0).toString());
        }

        void rest(final boolean value) {
            isResting.set(value);
        }

        @Override
        public void close() {
            isRunning.set(false);
            try {
                thread.join();
            } catch (final InterruptedException e) {
                throw new AssertionError(e);
            }
            broker.close();
        }
    }

    /** Notes that there was no room. */
    private record Watched(Subject.PublishPort port, AtomicBoolean isRefused, AtomicLong polls)
            implements Subject.PublishPort {
        @Override
        public boolean tryPublish(final DirectBuffer buffer, final int offset, final int length) {
            final boolean isTaken = port.tryPublish(buffer, offset, length);
            if (!isTaken) {
                isRefused.set(true);
            }
            return isTaken;
        }

        @Override
        public int poll() {
            polls.incrementAndGet();
            return port.poll();
        }

        @Override
        public boolean isFlushed() {
            return port.isFlushed();
        }

        @Override
        public void close() {
            port.close();
        }
    }
}
