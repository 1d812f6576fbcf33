package io.penstock.jmh.filter;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Many different filters over one message, whose fields they share: the time of one. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ManyFiltersBenchmark {
    private static final int FILTER_COUNT = 1000;
    private static final String[] SYMBOLS = {"IBM", "MSFT", "AAPL", "GE", "ORCL"};

    private final FieldSet fields = new FieldSet();
    private final Filter[] filters = new Filter[FILTER_COUNT];
    private final Orders orders = new Orders("orders-183.ndjson");
    private FieldReader reader = MessageFormats.formatFor("json").newReader(fields);

    /** Compiles the filters. */
    @Setup
    public void compile() {
        for (int i = 0; i < FILTER_COUNT; i++) {
            filters[i] = FilterCompiler.compile(text(i), fields, FilterLimits.DEFAULTS);
        }
        reader = MessageFormats.formatFor("json").newReader(fields);
    }

    private static String text(final int i) {
        final String symbol = SYMBOLS[i % SYMBOLS.length];
        return switch (i % 4) {
            case 0 -> "symbol = '" + symbol + "' AND price > " + i % 400;
            case 1 -> "price BETWEEN " + i % 300 + " AND " + (i % 300 + 20) + " AND side = 'B'";
            case 2 -> "symbol IN ('" + symbol + "', 'X" + i + "') AND qty >= " + i;
            default -> "account LIKE 'ACCT" + i % 10 + "%' AND qty < " + i;
        };
    }

    /**
     * All filters over the next message.
     *
     * @return how many match.
     */
    @Benchmark
    @OperationsPerInvocation(FILTER_COUNT)
    public int all() {
        orders.next();
        reader.wrap(orders.buffer(), orders.offset(), orders.length());
        int matchCount = 0;
        for (final Filter filter : filters) {
            matchCount += filter.matches(reader) ? 1 : 0;
        }
        return matchCount;
    }
}
