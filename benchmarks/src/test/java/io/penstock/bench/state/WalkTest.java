package io.penstock.bench.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WalkTest {
    @ParameterizedTest
    @ValueSource(ints = {1_000, 4_096, 999_983, 1_000_000})
    void shouldMeetEachNumberOnceWhenSpread(final int count) {
        final BitSet met = new BitSet(count);
        final Walk walk = Walk.spread(count);
        for (int i = 0; i < count; i++) {
            met.set(walk.next());
        }
        assertThat(met.cardinality()).isEqualTo(count);
        assertThat(walk.next()).isEqualTo(walk.at(0));
    }
}
