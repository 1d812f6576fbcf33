package io.penstock.jmh.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.ExpressionCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.Aggregation;
import io.penstock.broker.query.Projection;
import io.penstock.broker.query.SelectList;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import io.penstock.jmh.filter.Orders;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
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

/**
 * Orders grouped by symbol: added to a scan and to a view, taken away from it again; beside that only the reading of the
 * same fields, one expression, and the projection of single orders.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class AggregationBenchmark {
    private static final int GROUP_COUNT_MAX = 1000;
    private static final int LENGTH_MAX = 1024;
    private static final int PRICE = 1;

    /** Aggregates. */
    @Param({"COUNT(*), AVG(price), MAX(price)"})
    public String select = "COUNT(*), AVG(price), MAX(price)";

    /** What orders are grouped by. */
    @Param({"symbol"})
    public String groupBy = "symbol";

    private final MessageFormat format = MessageFormats.formatFor("json");
    private SelectList list = SelectList.parse(select, groupBy, FilterLimits.DEFAULTS);
    private final FieldReader reader = format.newReader(list.fields());
    private final FieldSet expressionFields = new FieldSet();
    private final Expression expression =
            ExpressionCompiler.compile("price * qty", expressionFields, FilterLimits.DEFAULTS);
    private final FieldReader expressionReader = format.newReader(expressionFields);
    private final Projection projection =
            new Projection(SelectList.parse("symbol, price * qty AS value", "", FilterLimits.DEFAULTS), format);
    private final UnsafeBuffer to = new UnsafeBuffer(new byte[LENGTH_MAX]);
    private final Orders orders = new Orders("orders-183.ndjson");
    private Aggregation scan = Aggregation.scan(list, format, GROUP_COUNT_MAX);
    private Aggregation view = new Aggregation(list, format, GROUP_COUNT_MAX);

    /** Fills the view, so that groups and values are there. */
    @Setup
    public void fill() {
        list = SelectList.parse(select, groupBy, FilterLimits.DEFAULTS);
        scan = Aggregation.scan(list, format, GROUP_COUNT_MAX);
        view = new Aggregation(list, format, GROUP_COUNT_MAX);
        for (int i = 0; i < orders.count(); i++) {
            orders.next();
            view.add(orders.buffer(), orders.offset(), orders.length());
        }
    }

    /**
     * The fields that the list reads.
     *
     * @return something of what was read.
     */
    @Benchmark
    public double fieldsOnly() {
        orders.next();
        reader.wrap(orders.buffer(), orders.offset(), orders.length());
        return reader.type(0) == FieldType.STRING && reader.type(PRICE) == FieldType.DOUBLE
                ? reader.stringLength(0) + reader.doubleValue(PRICE)
                : 0;
    }

    /**
     * An order added to a scan.
     *
     * @return whether there was room for its group.
     */
    @Benchmark
    public boolean scan() {
        orders.next();
        return scan.add(orders.buffer(), orders.offset(), orders.length());
    }

    /**
     * An order added to a view, and taken away again.
     *
     * @return whether there was room for its group.
     */
    @Benchmark
    public boolean addAndRemove() {
        orders.next();
        final boolean isAdded = view.add(orders.buffer(), orders.offset(), orders.length());
        view.remove(orders.buffer(), orders.offset(), orders.length());
        return isAdded;
    }

    /**
     * An expression of an order.
     *
     * @return its value.
     */
    @Benchmark
    public double expression() {
        orders.next();
        expressionReader.wrap(orders.buffer(), orders.offset(), orders.length());
        expression.evaluate(expressionReader);
        return expression.doubleValue();
    }

    /**
     * An order projected.
     *
     * @return length of the result.
     */
    @Benchmark
    public int projection() {
        orders.next();
        return projection.project(orders.buffer(), orders.offset(), orders.length(), to, 0, LENGTH_MAX);
    }
}
