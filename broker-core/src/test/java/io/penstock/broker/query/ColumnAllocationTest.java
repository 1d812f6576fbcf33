package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.agrona.collections.LongArrayList;
import org.junit.jupiter.api.Test;

/** A block with columns costs nothing on the heap, once a query has begun. */
class ColumnAllocationTest {
    private static final int ROW_COUNT = 100_000;
    private static final int WARM_UP_COUNT = 50;
    private static final int STEPS_BEFORE = 8;
    private static final long BYTES_MAX = 512;
    private static final String FILTER = "s LIKE 'S1%' AND p > 90.5 AND q BETWEEN 10 AND 12 AND (r IS NULL OR q <> 11)";

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void shouldAllocateNothingForABlockWhenItHasColumns() {
        try (ColumnStore store = new ColumnStore(64 << 20)) {
            for (int i = 0; i < ROW_COUNT; i++) {
                store.put(i, "{\"s\":\"S" + i % 50 + "\",\"p\":" + i % 1000 / 10.0 + ",\"q\":" + i % 90 + "}");
            }
            final QuerySource source = store.open();
            long least = Long.MAX_VALUE;
            for (int i = 0; i < WARM_UP_COUNT; i++) {
                least = Math.min(least, allocated(source));
            }
            assertThat(least).isLessThan(BYTES_MAX);
            store.close(source);
        }
    }

    /** Bytes that a query allocates from its first blocks on. */
    private static long allocated(final QuerySource source) {
        final QueryRun run = ColumnStore.run(QueryPlan.rows(FILTER, Long.MAX_VALUE / 4), source, 1);
        final QueryWorker worker = run.worker(0);
        for (int i = 0; i < STEPS_BEFORE; i++) {
            worker.work();
        }
        assertThat(run.isDone()).isFalse();
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        while (!worker.isDone()) {
            worker.work();
        }
        final long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        ColumnStore.answer(run, new LongArrayList());
        return bytes;
    }
}
