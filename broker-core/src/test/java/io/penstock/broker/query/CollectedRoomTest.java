package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.query.collect.CollectedRoom;
import io.penstock.broker.query.collect.QueryMemory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CollectedRoomTest {
    private static final int MIB = 1 << 20;

    private final QueryMemory memory = new QueryMemory(4L * MIB);
    private final CollectedRoom room = new CollectedRoom(memory);

    @Test
    void shouldRefuseWhenQueriesTogetherTakeTooMuch() {
        final CollectedRoom other = new CollectedRoom(memory);

        assertThat(room.ensure(3L * MIB)).isTrue();
        assertThat(other.ensure(2L * MIB)).isFalse();
        assertThat(other.isRefused()).isTrue();
        assertThat(other.ensure(MIB)).isTrue();
        assertThat(room.ensure(3L * MIB)).isTrue();
        assertThat(room.isRefused()).isFalse();

        room.release();
        room.release();
        assertThat(other.ensure(3L * MIB)).isTrue();
        other.release();
        assertThat(memory.taken()).isZero();
    }

    @Test
    void shouldHaveRoomForLittleBesideMuch() {
        int steps = 0;
        while (room.ensure((steps + 1) * MIB / 4)) {
            steps++;
        }

        assertThat(steps).isEqualTo(14);
        assertThat(new CollectedRoom(memory).ensure(MIB / 2)).isTrue();
        assertThat(new CollectedRoom(memory).ensure(1)).isFalse();
    }

    @Test
    void shouldRefuseNobodyForWhatIsRefusedToOthers() {
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread greedy = new Thread(() -> {
            while (!isOver.get()) {
                memory.take(100L * MIB, false);
            }
        });
        greedy.start();
        try {
            for (int i = 0; i < 100_000; i++) {
                assertThat(memory.take(MIB, false)).isTrue();
                memory.giveBack(MIB);
            }
        } finally {
            isOver.set(true);
        }
        assertThat(memory.taken()).isZero();
    }

    @Test
    void shouldRefuseKeysToSortBeyondIt() {
        final RecordSorter sorter = new RecordSorter(Integer.MAX_VALUE, 1L << 28, room);
        int count = 0;
        while (sorter.ensureKey(1024)) {
            sorter.keys().setMemory(sorter.keysLength(), 1024, (byte) count);
            sorter.add(count, 0, count, 1024);
            count++;
        }

        assertThat(room.isRefused()).isTrue();
        assertThat(count).isBetween(1000, 4096);
        assertThat(memory.taken()).isLessThanOrEqualTo(4L * MIB);

        sorter.clear();
        room.release();
        assertThat(memory.taken()).isZero();
    }

    @Test
    void shouldCountTextsOfGroups() {
        final Aggregation groups = Aggregation.scan(Rows.list("g, MAX(t) AS t", "g"), Rows.JSON, 1000);
        final long empty = groups.length();

        Rows.add(groups, "{\"g\":\"" + "x".repeat(10_000) + "\"}");
        final long withKey = groups.length();
        assertThat(withKey - empty).isBetween(10_000L, 11_000L);

        Rows.add(groups, "{\"g\":\"" + "x".repeat(10_000) + "\",\"t\":\"" + "y".repeat(100_000) + "\"}");
        assertThat(groups.length() - withKey).isGreaterThan(200_000L);

        final Aggregation both = Aggregation.scan(Rows.list("g, MAX(t) AS t", "g"), Rows.JSON, 1000);
        both.merge(groups);
        assertThat(both.length()).isGreaterThan(200_000L);
    }

    @Test
    void shouldCountWhatTellsDifferentValuesApartInEachGroup() {
        final Aggregation groups =
                Aggregation.scan(Rows.list("g, COUNT(DISTINCT t) AS t, COUNT(DISTINCT u) AS u", "g"), Rows.JSON, 1000);
        for (int i = 0; i < 100; i++) {
            Rows.add(groups, "{\"g\":" + i + "}");
        }
        assertThat(groups.length()).isGreaterThan(100 * 2 * 200);
    }

    @Test
    void shouldForgetGroupsThatAreGone() {
        final Aggregation groups =
                new Aggregation(Rows.list("g, COUNT(t) AS t, COUNT(DISTINCT t) AS u", "g"), Rows.JSON, 1000);
        final String message = "{\"g\":\"" + "x".repeat(10_000) + "\"}";
        Rows.add(groups, message);
        Rows.remove(groups, message);
        Rows.changed(groups);

        assertThat(groups.length()).isZero();
    }
}
