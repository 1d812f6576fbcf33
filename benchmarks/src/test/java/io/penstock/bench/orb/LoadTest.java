package io.penstock.bench.orb;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.orb.PenstockBroker;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadTest {
    private static final int LENGTH = 16;
    private static final long LONG_MS = 400;

    @Test
    void shouldHaveTheTimeOfACallThatIsUnderWayAtTheEndAndNotCountIt() throws Exception {
        final AtomicBoolean isSlow = new AtomicBoolean();
        final AtomicInteger fastCount = new AtomicInteger();
        final CountDownLatch isUnderWay = new CountDownLatch(1);
        final CountDownLatch never = new CountDownLatch(1);
        final Load load = new Load(
                broker(() -> {
                    if (isSlow.get()) {
                        isUnderWay.countDown();
                        assertThat(never.await(LONG_MS, TimeUnit.MILLISECONDS)).isFalse();
                    } else {
                        fastCount.incrementAndGet();
                    }
                    return new byte[LENGTH];
                }),
                false,
                1,
                LENGTH);

        final String[] done = load.run(0, 10_000, 50, () -> {
                    isSlow.set(true);
                    await(isUnderWay);
                })
                .split(" ", -1);

        assertThat(Long.parseLong(done[0])).isLessThanOrEqualTo(fastCount.get());
        assertThat(Double.parseDouble(done[4])).isGreaterThanOrEqualTo(LONG_MS * 1e3 * 0.9);
        assertThat(done[5]).isEqualTo("0");
        assertThat(done[6]).isEqualTo("0");
    }

    @Test
    void shouldCountThreadsThatHaveNotCalledOnceWhenItBegins() throws Exception {
        final CountDownLatch begun = new CountDownLatch(1);
        final AtomicInteger callers = new AtomicInteger();
        final ThreadLocal<Integer> number = ThreadLocal.withInitial(callers::incrementAndGet);
        final Load load = new Load(
                broker(() -> {
                    if (number.get() > 1) {
                        begun.await();
                    }
                    return new byte[LENGTH];
                }),
                false,
                3,
                LENGTH);

        final String[] done = load.run(0, 3_000, 50, begun::countDown).split(" ", -1);

        assertThat(done[6]).isEqualTo("2");
    }

    @Test
    void shouldNotCountAnEchoOfAnotherLength() throws Exception {
        final CountDownLatch isCalled = new CountDownLatch(1);
        final Load load = new Load(
                broker(() -> {
                    isCalled.countDown();
                    return new byte[LENGTH - 1];
                }),
                false,
                1,
                LENGTH);

        final String[] done = load.run(0, 10, 20, () -> await(isCalled)).split(" ", 8);

        assertThat(done[0]).isEqualTo("0");
        assertThat(Long.parseLong(done[5])).isPositive();
        assertThat(done[6]).isEqualTo("1");
        assertThat(done[7]).contains("bytes were lost on the way");
    }

    private static void await(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static PenstockBroker broker(final Callable<byte[]> echo) {
        return (PenstockBroker) Proxy.newProxyInstance(
                LoadTest.class.getClassLoader(),
                new Class<?>[] {PenstockBroker.class},
                (proxy, method, arguments) -> echo.call());
    }
}
