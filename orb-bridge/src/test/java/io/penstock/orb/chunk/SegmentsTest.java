package io.penstock.orb.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SegmentsTest {
    private static final int SEEDS = 40;
    private static final int STEPS = 200;
    private static final int KEPT_MAX = 256 * 1024;

    private final SegmentPool pool = new SegmentPool(KEPT_MAX);

    /** Beside a queue of single bytes: what is put or claimed comes out in order, and memory is what was said before. */
    @Test
    void shouldGiveWhatWasPutWhenPutClaimedAndTakenAtRandom() {
        for (int seed = 0; seed < SEEDS; seed++) {
            final Random random = new Random(seed);
            final Segments segments = new Segments(pool);
            final Deque<Byte> model = new ArrayDeque<>();
            for (int step = 0; step < STEPS; step++) {
                final byte[] some = new byte[1 + random.nextInt(random.nextBoolean() ? 100 : 70_000)];
                random.nextBytes(some);
                final int heldLength = segments.heldLength();
                if (random.nextInt(3) == 0) {
                    final int growth = segments.growth(some.length);
                    segments.put(some, 0, some.length);
                    add(model, some, some.length);
                    assertThat(segments.heldLength()).as("seed %d", seed).isEqualTo(heldLength + growth);
                } else if (random.nextBoolean() && segments.isClaimable(some.length)) {
                    final int growth = segments.claimGrowth(some.length);
                    final Claim claim = segments.claim(some.length);
                    assertThat(segments.heldLength()).as("seed %d", seed).isEqualTo(heldLength + growth);
                    if (random.nextBoolean()) {
                        take(seed, segments, model, random.nextInt(100_000));
                    }
                    final int count = random.nextInt(Math.min(claim.room(), some.length) + 1);
                    System.arraycopy(some, 0, claim.bytes(), claim.offset(), count);
                    segments.claimed(count);
                    add(model, some, count);
                } else {
                    take(seed, segments, model, random.nextInt(100_000));
                }
                assertThat(segments.length()).as("seed %d", seed).isEqualTo(model.size());
            }
            segments.clear();
            assertThat(segments.length()).isZero();
            assertThat(segments.heldLength()).isZero();
        }
        assertThat(pool.keptLength()).isBetween(1, KEPT_MAX);
    }

    /** A segment that is written still goes to nobody else. */
    @Test
    void shouldNotGiveBackWhatIsClaimedWhenItIsCleared() {
        final Segments segments = new Segments(pool);
        final Claim claim = segments.claim(SegmentPool.LENGTH_MAX);
        segments.clear();

        assertThat(segments.heldLength()).isZero();
        assertThat(pool.keptLength()).isZero();
        assertThat(pool.take(SegmentPool.LENGTH_MAX)).isNotSameAs(claim.bytes());
        segments.claimed(10);
        assertThat(segments.length()).isZero();
    }

    private static void add(final Deque<Byte> model, final byte[] bytes, final int count) {
        for (int i = 0; i < count; i++) {
            model.add(bytes[i]);
        }
    }

    private static void take(final int seed, final Segments segments, final Deque<Byte> model, final int count) {
        final byte[] bytes = new byte[count];
        final int taken = segments.take(bytes, 0, count);
        assertThat(taken).as("seed %d", seed).isEqualTo(Math.min(count, model.size()));
        final byte[] wanted = new byte[count];
        for (int i = 0; i < taken; i++) {
            wanted[i] = model.remove();
        }
        assertThat(bytes).as("seed %d", seed).isEqualTo(wanted);
    }
}
