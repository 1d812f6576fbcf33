package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Harness;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.PenstockBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ManyCallersTest {
    private static final int THREADS = 500;
    private static final int CALLS = 5;

    /** The runtime has a connection, and a thread, for each call that is under way. */
    @Test
    void shouldAnswerAllWithinTheBoundOfConnectionsWhenFiveHundredThreadsCall() throws Exception {
        try (Harness harness = Harness.start()) {
            final PenstockBroker broker = harness.lookup();
            final AtomicInteger answered = new AtomicInteger();
            final CyclicBarrier together = new CyclicBarrier(THREADS);
            final List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                final byte[] data = new byte[1024 + i];
                final Thread thread = new Thread(() -> {
                    try {
                        together.await();
                        for (int call = 0; call < CALLS; call++) {
                            if (broker.echo(data).length == data.length) {
                                answered.incrementAndGet();
                            }
                        }
                    } catch (final Exception e) {
                        Thread.currentThread().interrupt();
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (final Thread thread : threads) {
                thread.join();
            }

            assertThat(answered).hasValue(THREADS * CALLS);
            assertThat(harness.counter(BridgeCounter.CONNECTIONS))
                    .isLessThanOrEqualTo(harness.config().rmi().connectionCountMax());
            assertThat(harness.counter(BridgeCounter.CONNECTIONS_REFUSED)).isZero();
        }
    }
}
