package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.query.QueryPlan.Excerpt;
import io.penstock.broker.query.QueryPlan.Found;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries whose different values take more memory than they may. */
class DistinctLimitTest {
    private static final int ROW_COUNT = 5_000;
    private static final long TIMEOUT_NS = 3_600_000_000_000L;

    /** Of a number, as is reckoned. */
    private static final long NUMBER_LENGTH = 48;

    private ColumnStore store = new ColumnStore(64 << 20);

    @AfterEach
    void close() {
        store.close();
    }

    private void fill(final int count) {
        for (int i = 0; i < count; i++) {
            store.put(i, "{\"g\":" + i % 3 + ",\"q\":" + i + ",\"t\":\"t" + i % 5 + "\"}");
        }
    }

    private QueryRun run(final String select, final String groupBy, final long lengthMax, final int workerCount) {
        final QuerySource source = store.open();
        final QueryPlan plan = new QueryPlan(
                "",
                null,
                Excerpt.ALL,
                null,
                Rows.list(select, groupBy).withValuesLengthMax(lengthMax),
                "",
                TIMEOUT_NS,
                Found.RECORDS);
        final QueryRun run = ColumnStore.run(plan, source, workerCount);
        while (!run.isDone()) {
            for (int i = 0; i < workerCount; i++) {
                run.worker(i).work();
                drain(run, i);
            }
        }
        for (int i = 0; i < workerCount; i++) {
            drain(run, i);
        }
        run.free();
        store.close(source);
        return run;
    }

    private static void drain(final QueryRun run, final int worker) {
        for (ResultPage page = run.poll(worker); page != null; page = run.poll(worker)) {
            run.recycle(worker, page);
        }
    }

    /** Few rows are read; many are taken by columns; two workers have half of the values each. */
    @ParameterizedTest
    @CsvSource({"3000, 1", "3000, 2", "5000, 1", "5000, 2"})
    void shouldFailWhenThereAreMoreValuesThanFit(final int rowCount, final int workerCount) {
        fill(rowCount);
        for (int i = 0; i < 2; i++) {
            final QueryRun run = run("g, COUNT(DISTINCT q) AS n", "g", NUMBER_LENGTH * rowCount / 3, workerCount);
            assertThat(run.failure()).isEqualTo(QueryFailure.TOO_MANY_VALUES);
        }
        final QueryRun enough = run("g, COUNT(DISTINCT q) AS n", "g", NUMBER_LENGTH * (rowCount + 1), workerCount);
        assertThat(enough.failure()).isNull();
    }

    @Test
    void shouldFailWhenWorkersHaveMoreValuesTogetherThanFit() {
        fill(ROW_COUNT);
        final QueryRun run = run("COUNT(DISTINCT q) AS n", "", NUMBER_LENGTH * (ROW_COUNT - 500), 2);
        assertThat(run.failure()).isEqualTo(QueryFailure.TOO_MANY_VALUES);
    }

    @Test
    void shouldCountAnyNumberOfRowsWhenFewValuesAreDifferent() {
        fill(ROW_COUNT);
        for (int i = 0; i < 2; i++) {
            assertThat(run("COUNT(DISTINCT t) AS n, COUNT(DISTINCT g) AS m", "", 1_000, 2)
                            .failure())
                    .isNull();
        }
    }
}
