package io.penstock.bridge.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.orb.SubscribeRequest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class BridgeServiceTest {
    private final AtomicInteger turns = new AtomicInteger();
    private Harness harness;
    private BridgeService service;

    @BeforeEach
    void start() {
        harness = Harness.of(BridgeConfig.defaults());
        service = harness.newService();
    }

    @AfterEach
    void stop() {
        service.close();
        harness.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoOnWhenWhatIsDoneInTurnFails(final boolean isError) throws Exception {
        service.inTurn(nowNs -> {
            turns.incrementAndGet();
            if (isError) {
                throw new OutOfMemoryError("a turn that finds no memory");
            }
            throw new IllegalStateException("a turn that fails");
        });
        service.guest().subscribe(SubscribeRequest.topic("t").leaseMs(50), null);

        assertThat(Harness.await(() -> turns.get() > 2 && harness.counter(BridgeCounter.LEASES_EXPIRED) == 1))
                .isTrue();
    }

    @Test
    void shouldAskForAnEndOnceWhenItHasToWait() throws Exception {
        final ThreadPoolExecutor enders = (ThreadPoolExecutor) service.enders();
        final CountDownLatch isOver = new CountDownLatch(1);
        for (int i = 0; i < enders.getMaximumPoolSize(); i++) {
            enders.execute(() -> {
                try {
                    isOver.await();
                } catch (final InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        service.guest().subscribe(SubscribeRequest.topic("t").leaseMs(50), null);
        assertThat(Harness.await(() -> !enders.getQueue().isEmpty())).isTrue();

        service.inTurn(nowNs -> turns.incrementAndGet());
        assertThat(Harness.await(() -> turns.get() > 3)).isTrue();

        final int count = enders.getQueue().size();
        isOver.countDown();
        assertThat(count).isOne();
        assertThat(Harness.await(() -> harness.counter(BridgeCounter.SUBSCRIPTIONS_OPEN) == 0))
                .isTrue();
    }
}
