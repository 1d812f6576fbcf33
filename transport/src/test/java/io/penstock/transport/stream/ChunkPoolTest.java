package io.penstock.transport.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkPoolTest {
    private final ChunkPool pool = new ChunkPool();

    @AfterEach
    void close() {
        pool.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 1024", "1024, 1024", "1025, 2048", "65539, 131072", "131072, 131072"})
    void shouldLendTheNextPowerOfTwoWhenAskedFor(final int length, final int lent) {
        assertThat(pool.take(length).length()).isEqualTo(lent);
    }

    @Test
    void shouldLendTheSameChunkAgainWhenItWasGivenBack() {
        final Chunk chunk = pool.take(5000);
        pool.give(chunk);

        assertThat(pool.take(8192)).isSameAs(chunk);
    }

    @Test
    void shouldKeepWhatIsWantedNowWhenItWasFullOfOtherLengths() {
        final List<Chunk> lent = new ArrayList<>();
        for (int i = 0; i < ChunkPool.KEPT_LENGTH_MAX / 4096; i++) {
            lent.add(pool.take(4096));
        }
        lent.forEach(pool::give);
        final Chunk longer = pool.take(131_072);
        pool.give(longer);

        assertThat(pool.take(131_072)).isSameAs(longer);
        assertThat(pool.keptLength()).isLessThanOrEqualTo(ChunkPool.KEPT_LENGTH_MAX);
    }

    @Test
    void shouldKeepNoMoreThanItsLimitWhenMuchIsGivenBack() {
        final List<Chunk> lent = new ArrayList<>();
        for (int i = 0; i < 2 * ChunkPool.KEPT_LENGTH_MAX / 131_072; i++) {
            lent.add(pool.take(131_072));
        }
        lent.forEach(pool::give);

        final List<Chunk> again = new ArrayList<>();
        for (int i = 0; i < lent.size(); i++) {
            again.add(pool.take(131_072));
        }
        again.retainAll(lent);
        assertThat(again).hasSize(ChunkPool.KEPT_LENGTH_MAX / 131_072);
    }
}
