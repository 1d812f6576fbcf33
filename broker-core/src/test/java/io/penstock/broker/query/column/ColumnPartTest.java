package io.penstock.broker.query.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.value.Register;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.format.FieldPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The values of a block's part, as they come and are replaced. */
class ColumnPartTest {
    private final StateMemory state = new StateMemory(1 << 20, 1 << 20, 1 << 20);
    private final Register value = new Register();
    private final ColumnPart part = new ColumnPart(new Column(0, FieldPath.of("v"), state.columns(), 0));

    @AfterEach
    void close() {
        part.free();
        state.close();
    }

    private void put(final int row, final long number) {
        value.set(number);
        part.put(row, value);
    }

    private void put(final int row, final double number) {
        value.set(number);
        part.put(row, value);
    }

    @Test
    void shouldLeaveRoomForMoreWhenValuesGrowSteadily() {
        int baseCount = 0;
        final int step = (1 << 15) / StateStore.BLOCK_LENGTH;
        for (int i = 0; i < 4 * StateStore.BLOCK_LENGTH; i++) {
            final long before = part.base();
            put(i % StateStore.BLOCK_LENGTH, (long) i * step);
            baseCount += part.base() == before ? 0 : 1;
        }
        // Each change of the base writes all values anew.
        assertThat(baseCount).isLessThan(50);
    }

    @Test
    void shouldKnowIntegersWhenOtherNumbersComeAndGo() {
        put(0, 5);
        put(1, 7);
        put(2, 2.5);
        put(3, 5.0);
        put(4, 6);
        put(1, 1.25);
        put(3, 3);
        assertThat(part.integers(0) & part.kind(ColumnKind.NUMBER, 0)).isEqualTo(0b11001);
        assertThat(NumberForm.number(part.form(), part.base() + part.value(1))).isEqualTo(1.25);
        assertThat(NumberForm.number(part.form(), part.base() + part.value(4))).isEqualTo(6);
    }
}
