package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.query.ColumnStore.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What queries read of the messages: a row once for its columns, and after that only when it has changed. */
class ColumnCostTest {
    private static final int ROW_COUNT = 10_000;
    private static final String FILTER = "symbol LIKE 'S1%' AND price > 50 AND qty BETWEEN 10 AND 70";

    private ColumnStore store = new ColumnStore(64 << 20);

    @AfterEach
    void close() {
        store.close();
        assertThat(store.columnMemory().length()).isZero();
    }

    private void fill() {
        for (int i = 0; i < ROW_COUNT; i++) {
            put(i, i);
        }
    }

    private void put(final int key, final int value) {
        store.put(key, json(value));
    }

    private static String json(final int value) {
        return "{\"symbol\":\"S" + value % 200 + "\",\"price\":" + value % 1000 / 10.0 + ",\"qty\":" + value % 97
                + ",\"note\":\"n" + value + "\"}";
    }

    private Answer ask(final String filter) {
        final QuerySource source = store.open();
        final Answer answer = ColumnStore.ask(source, filter, 2);
        assertThat(answer.found())
                .as(filter)
                .isEqualTo(ColumnStore.expected(source, filter).found());
        store.close(source);
        return answer;
    }

    @Test
    void shouldReadNothingWhenTheSameIsAskedAgain() {
        fill();
        final Answer first = ask(FILTER);
        assertThat(first.found().matches()).isPositive();
        assertThat(first.rowsRead()).isEqualTo(ROW_COUNT);
        assertThat(ask(FILTER).rowsRead()).isZero();
        assertThat(ask("NOT (qty IN (3, 5) OR symbol = 'S7') AND price IS NOT NULL")
                        .rowsRead())
                .isZero();
    }

    @Test
    void shouldReadWhatHasChangedWhenTheSameIsAskedAgain() {
        fill();
        ask(FILTER);
        for (int i = 0; i < 100; i++) {
            put(i * 100, i);
        }
        store.delete(7);
        assertThat(ask(FILTER).rowsRead()).isEqualTo(100);
        assertThat(ask(FILTER).rowsRead()).isZero();
    }

    @Test
    void shouldReadWhatHasChangedWhenMoreHasThanIsRemembered() {
        fill();
        ask(FILTER);
        for (int i = 0; i < 500; i++) {
            put(i, i + 1);
        }
        store.delete(600);
        assertThat(ask(FILTER).rowsRead()).isEqualTo(500);
        assertThat(ask(FILTER).rowsRead()).isZero();
    }

    @Test
    void shouldReadRowsOnceMoreWhenAnotherFieldIsAskedFor() {
        fill();
        ask(FILTER);
        assertThat(ask("price < 10 AND note BEGINS WITH ('n1')").rowsRead()).isEqualTo(ROW_COUNT);
        assertThat(ask("note = 'n1' OR qty = 5").rowsRead()).isZero();
    }

    @Test
    void shouldReadOnlyWhatIsLeftWhenAConditionHasNoColumn() {
        fill();
        ask(FILTER);
        final Answer answer = ask("symbol = 'S7' AND price * qty > 100");
        assertThat(answer.rowsRead()).isEqualTo(ROW_COUNT / 200);
    }

    @Test
    void shouldReadAllWhenThereIsNoMemory() {
        store.close();
        store = new ColumnStore(100_000);
        fill();
        // Two blocks fit, if at all.
        assertThat(ask(FILTER).rowsRead()).isEqualTo(ROW_COUNT);
        assertThat(ask(FILTER).rowsRead()).isBetween(ROW_COUNT - 2 * 2048L, (long) ROW_COUNT);
        assertThat(store.columnMemory().length()).isLessThanOrEqualTo(100_000);
    }

    @Test
    void shouldReadAllWhenColumnsAreOff() {
        store.close();
        store = new ColumnStore(0);
        fill();
        assertThat(ask(FILTER).rowsRead()).isEqualTo(ROW_COUNT);
        assertThat(ask(FILTER).rowsRead()).isEqualTo(ROW_COUNT);
    }

    @Test
    void shouldReadRowsWhoseTextsHaveNoRoom() {
        for (int i = 0; i < 40_000; i++) {
            store.put(i, "{\"s\":\"text " + i + "\",\"n\":" + i + "}");
        }
        store.put(3, "{\"s\":\"" + "x".repeat(200) + "\"}");
        ask("s LIKE 'text 399%'");
        assertThat(ask("s LIKE 'text 399%'").rowsRead()).isBetween(40_000L - 32_768, 40_000L - 32_768 + 2);
    }

    @Test
    void shouldDecideChangedRowsOneByOneWhenTheSnapshotIsOlder() {
        fill();
        final QuerySource before = store.open();
        for (int i = 0; i < 30; i++) {
            put(i, i + 7);
        }
        store.delete(50);
        store.delete(51);
        put(20_000, 3);
        ask(FILTER);
        final Answer answer = ColumnStore.ask(before, FILTER, 1);
        assertThat(answer.found())
                .isEqualTo(ColumnStore.expected(before, FILTER).found());
        assertThat(answer.rowsRead()).isEqualTo(32);
        store.close(before);
    }
}
