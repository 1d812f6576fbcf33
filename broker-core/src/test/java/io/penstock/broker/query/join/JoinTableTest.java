package io.penstock.broker.query.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldPath;
import io.penstock.format.json.JsonFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class JoinTableTest {
    private static final QueryJoin JOIN = QueryJoin.parse("JOIN r ON /l/a = /r/b", "l", FilterLimits.DEFAULTS);

    private final JoinValue value = new JoinValue(new JsonFormat(), List.of(FieldPath.of("a")));

    private static JoinTable table(final int countMax) {
        return new JoinTable(JOIN, new JsonFormat(), countMax);
    }

    private static UnsafeBuffer message(final String text) {
        return new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8));
    }

    private List<Long> find(final JoinTable table, final int a) {
        final UnsafeBuffer left = message("{\"a\":" + a + "}");
        assertThat(value.read(left, 0, left.capacity())).isTrue();
        final List<Long> versions = new ArrayList<>();
        for (int i = table.first(value.hash()); i != JoinTable.NONE; i = table.next(i)) {
            versions.add(table.version(i));
        }
        return versions;
    }

    @Test
    void shouldFindRecordsInTheirOrderWhenTheirValuesAreEqual() {
        final Random random = new Random(1);
        final JoinTable table = table(JoinTable.COUNT_MAX);
        final List<List<Long>> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            expected.add(new ArrayList<>());
        }
        for (long version = 1; version <= 2_000; version++) {
            final int b = random.nextInt(50);
            assertThat(table.add(message("{\"b\":" + b + "}"), version)).isTrue();
            expected.get(b).add(version);
        }
        int steps = 1;
        while (!table.link(64)) {
            steps++;
        }

        assertThat(steps).isEqualTo(32);
        for (int i = 0; i < 50; i++) {
            assertThat(find(table, i)).isEqualTo(expected.get(i));
        }
        assertThat(find(table, 50)).isEmpty();
        assertThat(table.count()).isEqualTo(2_000);
    }

    @Test
    void shouldRefuseARecordBeyondTheBoundUnlessItIsInNoPair() {
        final JoinTable table = table(3);
        for (int i = 0; i < 3; i++) {
            assertThat(table.add(message("{\"b\":1}"), i + 1)).isTrue();
        }
        assertThat(table.add(message("{\"b\":null}"), 4)).isTrue();
        assertThat(table.add(message("{}"), 5)).isTrue();
        assertThat(table.add(message("{\"b\":2}"), 6)).isFalse();

        assertThat(table.link(10)).isTrue();
        assertThat(find(table, 1)).containsExactly(1L, 2L, 3L);
        assertThat(find(table, 2)).isEmpty();
    }

    @Test
    void shouldHaveNothingWhenEmpty() {
        final JoinTable table = table(3);
        assertThatThrownBy(() -> find(table, 1)).isInstanceOf(IllegalStateException.class);
        assertThat(table.link(1)).isTrue();
        assertThat(find(table, 1)).isEmpty();
    }
}
