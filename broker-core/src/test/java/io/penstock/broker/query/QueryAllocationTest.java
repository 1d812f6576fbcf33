package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Projecting, and adding to groups that are there, allocates nothing. */
class QueryAllocationTest {
    private static final int WARM_UP_COUNT = 5_000;
    private static final int COUNT = 10_000;
    /** Far below one object a message; some bytes the measurement itself takes, once. */
    private static final long BYTES_MAX = COUNT / 5;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final UnsafeBuffer[] messages = {
        Rows.bytes("{\"s\":\"IBM\",\"p\":100.25,\"q\":7,\"t\":\"\\u00fcber\"}"),
        Rows.bytes("{\"s\":\"GE\",\"p\":3,\"q\":1e18,\"t\":null}"),
        Rows.bytes("{\"s\":\"GE\",\"p\":0.001,\"q\":-5}")
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COUNT(*), COUNT(p), SUM(p), AVG(q)",
                "SUM(p * q) / SUM(q) AS vwap, COUNT(UPPER(t))",
                "COUNT(*), AVG(p), SUM(q), AVG(p - q)"
            })
    void shouldAllocateNothingWhenGroupsAreThere(final String select) {
        final Aggregation aggregation = Rows.aggregation(select, "s");
        addAndRemove(aggregation, WARM_UP_COUNT);
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        addAndRemove(aggregation, COUNT);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(BYTES_MAX);
    }

    private void addAndRemove(final Aggregation aggregation, final int count) {
        for (int i = 0; i < count; i++) {
            for (final UnsafeBuffer message : messages) {
                aggregation.add(message, 0, message.capacity());
            }
            if (i > 0) {
                aggregation.remove(messages[i % 3], 0, messages[i % 3].capacity());
            }
        }
    }

    @Test
    void shouldAllocateNothingWhenAScanKeepsExtremes() {
        final Aggregation scan = Aggregation.scan(Rows.list("s, MIN(p), MAX(t), MAX(q)", "s"), Rows.JSON, 10);
        add(scan, WARM_UP_COUNT);
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        add(scan, COUNT);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(BYTES_MAX);
    }

    private void add(final Aggregation aggregation, final int count) {
        for (int i = 0; i < count; i++) {
            final UnsafeBuffer message = messages[i % 3];
            aggregation.add(message, 0, message.capacity());
        }
    }

    @Test
    void shouldAllocateNothingWhenProjecting() {
        final Projection projection =
                new Projection(Rows.list("s, p > 5 AS high, UPPER(t) AS t, FLOOR(p) AS p", ""), Rows.JSON);
        final UnsafeBuffer to = new UnsafeBuffer(new byte[1000]);
        project(projection, to, WARM_UP_COUNT);
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        project(projection, to, COUNT);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(BYTES_MAX);
    }

    private void project(final Projection projection, final UnsafeBuffer to, final int count) {
        for (int i = 0; i < count; i++) {
            final UnsafeBuffer message = messages[i % 3];
            assertThatFits(projection.project(message, 0, message.capacity(), to, 0, to.capacity()));
        }
    }

    private static void assertThatFits(final int length) {
        if (length <= 0) {
            throw new AssertionError("length " + length);
        }
    }
}
