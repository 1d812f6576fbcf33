package io.penstock.broker.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProducerTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldKnowEachIdOfTheWindowWhenIdsComeInAnyOrder(final long seed) {
        final Random random = new Random(seed);
        final Producer producer = new Producer("p");
        final Set<Long> stored = new HashSet<>();
        long highest = 0;

        for (int i = 0; i < 3_000; i++) {
            final long reach = random.nextInt(50) == 0 ? 3_000 : 20;
            final long id = Math.max(1, highest - random.nextInt(Producer.WINDOW) + random.nextLong(reach));
            if (!producer.isForgotten(id) && !producer.isStored(id)) {
                producer.add(id);
                stored.add(id);
                highest = Math.max(highest, id);
                if (random.nextInt(10) == 0) {
                    producer.remove(id);
                    stored.remove(id);
                }
            }
            assertThat(producer.highest()).isEqualTo(highest);
            for (long each = Math.max(1, highest - Producer.WINDOW + 1); each <= highest + 2; each++) {
                assertThat(producer.isForgotten(each)).isFalse();
                assertThat(producer.isStored(each))
                        .as("seed %d, id %d", seed, each)
                        .isEqualTo(stored.contains(each));
            }
            assertThat(producer.isForgotten(highest - Producer.WINDOW)).isTrue();
        }
    }
}
