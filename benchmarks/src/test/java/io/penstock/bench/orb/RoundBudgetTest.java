package io.penstock.bench.orb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoundBudgetTest {
    private static final Cell FEW = new Cell(Cell.ECHO, 10, 1024);
    private static final Cell MANY = new Cell(Cell.ECHO, 100, 1024);
    private static final Cell MOST = new Cell(Cell.PUBLISH, 500, 1024);

    /** A round: few threads 2 × 600 = 1,200 ms; many 2 × 3,600 = 7,200 ms. */
    private final RoundBudget budget = new RoundBudget(List.of(FEW, MANY, MOST), 2, 600, 3_000, 20_000);

    @Test
    void shouldKeepTimeForOneRoundOfEachCellAfterIt() {
        assertThat(budget.allows(FEW, 20_000 - 1_200 - 7_200 - 7_200)).isTrue();
        assertThat(budget.allows(FEW, 20_000 - 1_200 - 7_200 - 7_200 + 1)).isFalse();
    }

    @Test
    void shouldUseWhatCellsBeforeItHaveLeft() {
        assertThat(budget.allows(MANY, 20_000 - 7_200 - 7_200)).isTrue();
        assertThat(budget.allows(MOST, 20_000 - 7_200)).isTrue();
        assertThat(budget.allows(MOST, 20_000 - 7_200 + 1)).isFalse();
    }

    @Test
    void shouldAllowAllRoundsWithoutLimit() {
        final RoundBudget unlimited = new RoundBudget(List.of(FEW, MANY, MOST), 2, 600, 3_000, Long.MAX_VALUE);
        assertThat(unlimited.allows(FEW, 1_000_000_000)).isTrue();
    }
}
