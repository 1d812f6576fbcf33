package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.json.JsonFormat;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Evaluating a filter allocates nothing, whatever is in it. */
class FilterAllocationTest {
    private static final int WARM_UP_COUNT = 2_000;
    private static final int COUNT = 10_000;
    /** Far below one object an evaluation; some bytes the measurement itself takes, once. */
    private static final long BYTES_MAX = COUNT / 5;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "symbol = 'IBM' AND price > 100 AND side IN ('B', 'S')",
                "price * qty + 1 > 5 / qty AND -price < 0 AND qty % 7 = 4",
                "symbol || side = 'IBMB' AND UPPER(name) LIKE 'ÜB%' AND TRIM(name) = name",
                "tags = 'green' AND tags NOT IN ('x', 'y') AND tags <> name AND UPPER(tags) = 'RED'",
                "name LIKE '%_ber%' AND name LIKE_REGEX '^\\p{L}+b(e|r)*$' AND name CONTAINS 'ber'",
                "IF(price > 1, qty, 0) = 200 AND COALESCE(gone, 1) = 1 AND NULLIF(qty, 1) = 200 AND MAX(qty, 1) = 200",
                "ROUND(price, 1) = 100.5 AND FLOOR(price) = 100 AND ABS(price) > 1 AND CEIL(price) > 100",
                "SUBSTR(name, 2) = 'ber' AND LENGTH(name) = 4 AND INSTR(name, 'b') = 2 AND REPLACE(name, 'b', 'x') > ''",
                "STRFTIME('%F', qty) = '1970-01-01' AND UNIX_TIMESTAMP('2024-01-01T00:00:00.5Z') > 1",
                "GEO_DISTANCE(price, qty, price, qty) = 0 OR TRUE",
                "(price > 1) = (qty > 1) AND (gone = 1) IS NULL AND tags BETWEEN 'a' AND 'z'",
                "qty IN (1, price, 200) AND live IS TRUE AND live AND NOT dead"
            })
    void shouldAllocateNothingWhenEvaluated(final String text) {
        final FieldSet fields = new FieldSet();
        final Filter filter = FilterCompiler.compile(text, fields, FilterLimits.DEFAULTS);
        final byte[] message =
                ("{\"symbol\":\"IBM\",\"side\":\"B\",\"price\":100.5,\"qty\":200,\"live\":true,\"dead\":false,"
                                + "\"name\":\"\\u00fcber\",\"tags\":[\"r\\u0065d\",\"green\"],\"gone\":null}")
                        .getBytes(StandardCharsets.UTF_8);
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        final FieldReader reader = new JsonFormat().newReader(fields);
        assertThat(run(filter, reader, buffer, WARM_UP_COUNT)).isEqualTo(WARM_UP_COUNT);
        final long before = THREADS.getCurrentThreadAllocatedBytes();
        run(filter, reader, buffer, COUNT);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(BYTES_MAX);
    }

    private static int run(final Filter filter, final FieldReader reader, final UnsafeBuffer message, final int count) {
        int matchCount = 0;
        for (int i = 0; i < count; i++) {
            reader.wrap(message, 0, message.capacity());
            matchCount += filter.matches(reader) ? 1 : 0;
        }
        return matchCount;
    }
}
