package io.penstock.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.IdentityUse.Lease;
import io.penstock.broker.security.IdentityUses.Attachment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What identities use is counted exactly, whichever threads use it. */
@Timeout(60)
class IdentityUsesTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Principal ANN = new Principal("ann");

    @Test
    void shouldKeepBoundsAndGiveAllBackWhenManyThreadsUseThem() throws InterruptedException {
        final int countMax = 5;
        final IdentityUses uses = uses(new IdentityQuotas(countMax, countMax, 100, 0, 0, 1_000, 0, 0));
        final AtomicInteger over = new AtomicInteger();
        final AtomicInteger taken = new AtomicInteger();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            final Random random = new Random(i);
            threads.add(new Thread(() -> {
                for (int j = 0; j < 20_000; j++) {
                    final Attachment attached = uses.attach("user ann", ANN, false, 0);
                    if (attached.isTaken()) {
                        taken.incrementAndGet();
                        final IdentityUse use = attached.use();
                        final Lease lease = use.takeSubscription(random.nextInt(60), Lease.none());
                        final boolean hasRoom = use.take(300);
                        if (use.connectionCount() > countMax
                                || use.subscriptionCount() > countMax
                                || use.filterLength() > 100
                                || use.stagingLength() > 1_000) {
                            over.incrementAndGet();
                        }
                        if (hasRoom) {
                            use.giveBack(300);
                        }
                        if (lease != null) {
                            lease.close();
                            lease.close();
                        }
                        uses.detach(use, 0);
                    }
                    if (j % 64 == 0) {
                        uses.defaults(new IdentityQuotas(countMax, countMax, 100, 0, 0, 1_000, 0, 0));
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads) {
            thread.join();
        }
        assertThat(over.get()).isZero();
        assertThat(taken.get()).isPositive();
        assertThat(uses.count()).isZero();
    }

    @Test
    void shouldKeepARateOverAllThreads() throws InterruptedException {
        final int perSecond = 1_000;
        final IdentityUse use = use(new IdentityQuotas(0, 0, 0, perSecond, 0, 0, 0, 0));
        final int threadCount = 4;
        for (int second = 0; second < 5; second++) {
            final long nowNs = second * SECOND_NS;
            final AtomicInteger count = new AtomicInteger();
            final List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < threadCount; i++) {
                threads.add(new Thread(() -> {
                    while (!use.isOverRate(nowNs)) {
                        use.onPublished(10, nowNs);
                        count.incrementAndGet();
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (final Thread thread : threads) {
                thread.join();
            }
            assertThat(count.get()).isBetween(perSecond - threadCount, perSecond + threadCount);
        }
    }

    @Test
    void shouldTakeNoMoreThanABucketWhenAClientWasSilentForLong() {
        final IdentityUse use = use(new IdentityQuotas(0, 0, 0, 0, 1_000, 0, 0, 0));
        final long nowNs = 1_000 * SECOND_NS;
        int count = 0;
        while (!use.isOverRate(nowNs)) {
            use.onPublished(100, nowNs);
            count++;
        }
        assertThat(count).isEqualTo(11);
        assertThat(use.isOverRate(nowNs + SECOND_NS / 10 - 1)).isTrue();
        assertThat(use.isOverRate(nowNs + SECOND_NS / 10)).isFalse();
    }

    @Test
    void shouldForgetIdentitiesWhenNothingOfThemCounts() {
        final IdentityUses uses = uses(new IdentityQuotas(0, 0, 0, 10, 0, 0, 0, 0));
        for (int i = 0; i < 5_000; i++) {
            final IdentityUse use =
                    uses.attach("user " + i, new Principal("" + i), false, 0).use();
            use.onPublished(1, 0);
            uses.detach(use, 0);
        }
        assertThat(uses.count()).isEqualTo(5_000);
        uses.attach("user ann", ANN, false, SECOND_NS);
        for (int i = 0; i < 5_000; i++) {
            uses.attach("user x" + i, ANN, false, SECOND_NS);
        }
        assertThat(uses.count()).isEqualTo(5_001);
    }

    /** Bounds are changed at 0 ns, when all that was taken is still owed. */
    @Test
    void shouldHaveWhatIsOwedPaidAtTheRateThatHoldsNow() {
        final IdentityUses uses = uses(rates(1, 100, 10));
        final IdentityUse use = uses.attach("user ann", ANN, false, 0).use();
        for (int i = 0; i < 3_601; i++) {
            use.onPublished(1_000, 0);
        }
        use.onQueryWorked(TimeUnit.MILLISECONDS.toNanos(610), 0);
        assertThat(use.isOverRate(36_000 * SECOND_NS)).isTrue();
        assertThat(use.queryRefusal(3_599 * SECOND_NS)).isNotNull();
        assertThat(use.queryRefusal(3_600 * SECOND_NS)).isNull();

        // 3,600 messages and 3,601,000 - 100 bytes are owed.
        uses.defaults(rates(3_600, 36_009_000, 600));
        assertThat(use.isOverRate(SECOND_NS - 1)).isTrue();
        assertThat(use.isOverRate(SECOND_NS)).isFalse();
        assertThat(use.queryRefusal(60 * SECOND_NS - 1)).isNotNull();
        assertThat(use.queryRefusal(60 * SECOND_NS)).isNull();

        uses.defaults(rates(1, 100, 10));
        assertThat(use.isOverRate(36_000 * SECOND_NS)).isTrue();
        assertThat(use.queryRefusal(3_599 * SECOND_NS)).isNotNull();

        uses.defaults(rates(0, 0, 0));
        uses.defaults(rates(1, 100, 10));
        assertThat(use.isOverRate(0)).isFalse();
        assertThat(use.queryRefusal(0)).isNull();
    }

    @Test
    void shouldNotKeepWaitingWhoWasWithinItsRateWhenThatBecomesLower() {
        final IdentityUses uses = uses(rates(1_000_000, 0, 0));
        final IdentityUse use = uses.attach("user ann", ANN, false, 0).use();
        for (int i = 0; i < 999_999; i++) {
            use.onPublished(1, 0);
        }
        uses.defaults(rates(1, 0, 0));
        assertThat(use.isOverRate(0)).isFalse();
        use.onPublished(1, 0);
        assertThat(use.isOverRate(SECOND_NS / 2)).isTrue();
        assertThat(use.isOverRate(SECOND_NS)).isFalse();
    }

    private static IdentityQuotas rates(final long messages, final long bytes, final long queryMs) {
        return new IdentityQuotas(0, 0, 0, messages, bytes, 0, 0, queryMs);
    }

    private static IdentityUses uses(final IdentityQuotas quotas) {
        final IdentityUses uses = new IdentityUses(principal -> IdentityQuotas.UNSAID, () -> 0);
        uses.defaults(quotas);
        return uses;
    }

    private static IdentityUse use(final IdentityQuotas quotas) {
        return uses(quotas).attach("user ann", ANN, false, 0).use();
    }
}
