package io.penstock.broker.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** {@link InFlight} beside a list. */
class InFlightRunsTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_125L);
    private static final int COUNT_MAX = 256;

    private final InFlight runs = new InFlight();

    @Test
    void shouldNeedNothingWhenNothingWasTaken() {
        runs.onCompleted(100);

        assertThat(runs.isBefore(0, Long.MAX_VALUE)).isFalse();
        assertThat(runs.isFull()).isFalse();
    }

    @Test
    void shouldBeFullAtItsBoundAndNotBefore() {
        for (int i = 1; i <= COUNT_MAX; i++) {
            assertThat(runs.isFull()).isFalse();
            runs.add(i, 0, i);
        }
        assertThat(runs.isFull()).isTrue();
        runs.onCompleted(1);
        assertThat(runs.isFull()).isFalse();
    }

    @Test
    void shouldNeedWhatAListWouldNeed() {
        final Random random = new Random(SEED);
        final ArrayDeque<long[]> list = new ArrayDeque<>();
        long position = 0;
        long completed = 0;
        for (int step = 0; step < 20_000; step++) {
            if (random.nextBoolean() && !runs.isFull()) {
                position += 1 + random.nextInt(100);
                final int shard = random.nextInt(3);
                final long logPosition = random.nextInt(1_000);
                runs.add(position, shard, logPosition);
                list.add(new long[] {position, shard, logPosition});
            } else {
                completed = Math.min(position, completed + random.nextInt(200));
                runs.onCompleted(completed);
                final long until = completed;
                list.removeIf(each -> each[0] <= until);
            }
            final int shard = random.nextInt(3);
            final long before = random.nextInt(1_000);
            assertThat(runs.isBefore(shard, before))
                    .as("seed %d, step %d", SEED, step)
                    .isEqualTo(list.stream().anyMatch(each -> each[1] == shard && each[2] < before));
        }
    }
}
