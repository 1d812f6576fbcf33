package io.penstock.bench.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class RowUpdatesTest {
    private static final int ROW_COUNT = 37;

    private final RowUpdates updates = new RowUpdates(ROW_COUNT);

    @Test
    void shouldSayWhatTheRowsAreWhenComparedWithRowsThatWereUpdated() {
        final long[] values = new long[ROW_COUNT];
        for (long update = 0; update <= 4 * ROW_COUNT; update++) {
            if (update > 0) {
                values[updates.row(update)] = update;
            }
            assertThat(updates.sum(update))
                    .as("sum after %d", update)
                    .isEqualTo(Arrays.stream(values).sum());
            assertThat(updates.min(update))
                    .as("min after %d", update)
                    .isEqualTo(Arrays.stream(values).min().orElseThrow());
            for (long value = 0; value <= update + 2; value++) {
                final long above = value;
                assertThat(updates.countAbove(update, value))
                        .isEqualTo(Arrays.stream(values)
                                .filter(each -> each > above)
                                .count());
            }
            for (int lane = 0; lane < RowUpdates.LANE_COUNT; lane++) {
                final int of = lane;
                final long[] inLane = Arrays.stream(values)
                        .filter(each -> each > 0 && each % RowUpdates.LANE_COUNT == of)
                        .toArray();
                assertThat(updates.countOf(update, lane)).isEqualTo(inLane.length);
                assertThat(updates.sumOf(update, lane))
                        .isEqualTo(Arrays.stream(inLane).sum());
            }
        }
    }

    @Test
    void shouldNameRowValueAndLaneWhenWritten() {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RowUpdates.LENGTH_MAX]);

        assertThat(text(buffer, updates.writeFirst(5, buffer))).startsWith("{\"id\":1000000005,\"v\":0,\"lane\":8,");
        assertThat(text(buffer, updates.write(77, buffer)))
                .startsWith("{\"id\":" + (1_000_000_000 + updates.row(77)) + ",\"v\":77,\"lane\":5,")
                .endsWith("\"}");
    }

    private static String text(final UnsafeBuffer buffer, final int length) {
        return new String(buffer.byteArray(), 0, length, StandardCharsets.UTF_8);
    }
}
