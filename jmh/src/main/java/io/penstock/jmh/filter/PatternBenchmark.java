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
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Patterns over the text of an order, {@code order text 848258 client desk}; the first is what reading it takes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class PatternBenchmark {
    /** A condition. */
    @Param({
        "text = 'x'",
        "text LIKE '%desk'",
        "text LIKE '%client%'",
        "text LIKE '%c_ient%'",
        "text CONTAINS 'client'",
        "text LIKE_REGEX 'client'",
        "text LIKE_REGEX '[0-9]{6} (client|house) desk$'"
    })
    public String filter = "text = 'x'";

    private final Orders orders = new Orders("orders-183.ndjson");
    private final FieldSet fields = new FieldSet();
    private Filter compiled = FilterCompiler.compile("", fields, FilterLimits.DEFAULTS);
    private FieldReader reader = MessageFormats.formatFor("json").newReader(fields);

    /** Compiles the condition. */
    @Setup
    public void compile() {
        compiled = FilterCompiler.compile(filter, fields, FilterLimits.DEFAULTS);
        reader = MessageFormats.formatFor("json").newReader(fields);
    }

    /**
     * The condition over the next message.
     *
     * @return whether it matches.
     */
    @Benchmark
    public boolean matches() {
        orders.next();
        reader.wrap(orders.buffer(), orders.offset(), orders.length());
        return compiled.matches(reader);
    }
}
