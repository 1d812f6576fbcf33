package io.penstock.broker.shard.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusedSequencesTest {
    private final RefusedSequences refused = new RefusedSequences(2);

    @Test
    void shouldHoldUpWhatIsAboveUntilTheFirstComesAgain() {
        refused.add(1, 5);
        refused.add(1, 6);

        assertThat(refused.blocks(1, 6)).isTrue();
        assertThat(refused.blocks(1, 4)).isFalse();
        assertThat(refused.blocks(1, 6)).isTrue();
        assertThat(refused.blocks(1, 5)).isFalse();
        assertThat(refused.blocks(1, 6)).isFalse();
    }

    @Test
    void shouldHoldUpNothingOfOtherShardsNorWithoutASequence() {
        refused.add(1, 5);
        refused.add(0, 0);

        assertThat(refused.blocks(0, 9)).isFalse();
        assertThat(refused.blocks(1, 0)).isFalse();
        assertThat(refused.blocks(1, 9)).isTrue();
    }
}
