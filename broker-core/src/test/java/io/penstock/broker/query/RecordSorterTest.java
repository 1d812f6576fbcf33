package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.query.collect.CollectedRoom;
import io.penstock.broker.query.collect.QueryMemory;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordSorterTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_122L);

    /** Whatever is forgotten on the way: the first ones are those of a sort of everything. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 1_000, 5_000})
    void shouldKeepTheFirstInOrder(final int limit) {
        for (int distinct : new int[] {3, 200, 1 << 30}) {
            final Random random = new Random(SEED + distinct);
            final RecordSorter sorter = new RecordSorter(limit, 64 << 20, new CollectedRoom(new QueryMemory(1 << 30)));
            final List<long[]> all = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                final long[] record = {random.nextInt(distinct), random.nextInt(3), random.nextInt(1 << 20), i + 1};
                all.add(record);
                assertThat(sorter.ensureKey(Long.BYTES)).isTrue();
                sorter.keys().putLong(sorter.keysLength(), record[0], ByteOrder.BIG_ENDIAN);
                sorter.add(record[3], (int) record[1], (int) record[2], Long.BYTES);
            }
            all.sort(Comparator.<long[]>comparingLong(record -> record[0])
                    .thenComparingLong(record -> record[1])
                    .thenComparingLong(record -> record[2])
                    .thenComparingLong(record -> record[3]));
            final int[] order = sorter.sorted();
            for (int i = 0; i < limit; i++) {
                assertThat(sorter.version(order[i])).as("place %d", i).isEqualTo(all.get(i)[3]);
            }
            assertThat(sorter.count()).isLessThanOrEqualTo(3 * limit + 2_000);
        }
    }
}
