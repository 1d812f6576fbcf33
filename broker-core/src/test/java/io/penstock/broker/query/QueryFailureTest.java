package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.query.collect.QueryMemory;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueryFailureTest {
    private final ColumnStore store = new ColumnStore(1 << 24);

    @AfterEach
    void tearDown() {
        store.close();
    }

    @Test
    void shouldFailWhenAWorkerFails() {
        for (int i = 0; i < 5_000; i++) {
            store.put(i, "{\"id\":" + i + "}");
        }
        final QuerySource source = store.open();
        final QueryRun run =
                ColumnStore.run(QueryPlan.rows("no condition here", TimeUnit.MINUTES.toNanos(1)), source, 2);

        assertThatThrownBy(() -> run.worker(0).work()).hasMessageContaining("filter");
        assertThat(run.worker(0).isDone()).isTrue();
        while (!run.worker(1).isDone()) {
            run.worker(1).work();
        }

        assertThat(run.isDone()).isTrue();
        assertThat(run.failure()).isEqualTo(QueryFailure.BROKEN);
        run.free();
        store.close(source);
    }

    @Test
    void shouldWaitForRoomForPagesButForTheFirst() {
        final QueryMemory memory = new QueryMemory(5L * ResultPages.PAGE_LENGTH / 2);
        final ResultPages pages = new ResultPages(1, () -> {}, memory);
        final QuerySource source = store.open();
        final UnsafeBuffer row = new UnsafeBuffer(new byte[100]);
        int count = 0;
        while (pages.add(source.topic(), false, false, 0, row, 0, row.capacity())) {
            count++;
        }
        assertThat(count).isEqualTo(3);

        final ResultPages others = new ResultPages(1, () -> {}, memory);
        assertThat(others.add(source.topic(), false, false, 0, row, 0, row.capacity()))
                .isTrue();
        assertThat(others.add(source.topic(), false, false, 0, row, 0, row.capacity()))
                .isFalse();
        // One that has no other page waits for nobody, however long its record is.
        final UnsafeBuffer longer = new UnsafeBuffer(new byte[2 * ResultPages.PAGE_LENGTH]);
        final ResultPages third = new ResultPages(1, () -> {}, memory);
        assertThat(third.add(source.topic(), false, false, 0, longer, 0, longer.capacity()))
                .isTrue();

        ResultPage page;
        while ((page = pages.poll()) != null) {
            pages.recycle(page);
        }
        pages.free();
        third.free();
        others.free();
        assertThat(memory.taken()).isZero();
        store.close(source);
    }

    @Test
    void shouldGiveEmptyPagesUpWhenARecordNeedsALongerOne() {
        final QueryMemory memory = new QueryMemory(5L * ResultPages.PAGE_LENGTH / 2);
        final ResultPages pages = new ResultPages(1, () -> {}, memory);
        final QuerySource source = store.open();
        final UnsafeBuffer row = new UnsafeBuffer(new byte[100]);
        while (pages.add(source.topic(), false, false, 0, row, 0, row.capacity())) {
            assertThat(memory.taken()).isLessThan(3L * ResultPages.PAGE_LENGTH);
        }
        pages.recycle(Objects.requireNonNull(pages.poll()));
        final UnsafeBuffer longer = new UnsafeBuffer(new byte[5 * ResultPages.PAGE_LENGTH / 2]);
        assertThat(pages.add(source.topic(), false, false, 0, longer, 0, longer.capacity()))
                .as("others are on their way")
                .isFalse();
        ResultPage page;
        while ((page = pages.poll()) != null) {
            pages.recycle(page);
        }
        assertThat(pages.add(source.topic(), false, false, 0, longer, 0, longer.capacity()))
                .isTrue();
        assertThat(memory.taken()).isBetween(3L * ResultPages.PAGE_LENGTH / 2, 2L * ResultPages.PAGE_LENGTH);
        pages.free();
        assertThat(memory.taken()).isZero();
        store.close(source);
    }
}
