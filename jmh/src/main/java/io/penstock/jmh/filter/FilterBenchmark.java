package io.penstock.jmh.filter;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.MessageFormats;
import java.io.IOException;
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

/**
 * The usual filter over validated orders: compiled; the same condition written by hand over Jackson's streaming parser,
 * leaving as soon as it is decided; and only the reading of the fields that decide it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class FilterBenchmark {
    private static final String FILTER = "symbol = 'IBM' AND price > 100 AND side IN ('B', 'S')";
    private static final int SYMBOL = 1;
    private static final int PRICE = 2;
    private static final int SIDE = 4;

    /** A file of {@code examples/data}. */
    @Param({"orders-183.ndjson", "orders-845.ndjson"})
    public String data = "orders-183.ndjson";

    private final FieldSet fields = new FieldSet();
    private final Filter filter = FilterCompiler.compile(FILTER, fields, FilterLimits.DEFAULTS);
    private final FieldReader reader = MessageFormats.formatFor("json").newReader(fields);
    private final JsonFactory factory = new JsonFactory();
    private Orders orders = new Orders("orders-183.ndjson");

    /** Loads the messages. */
    @Setup
    public void load() {
        orders = new Orders(data);
    }

    /**
     * The compiled filter.
     *
     * @return whether the message matches.
     */
    @Benchmark
    public boolean compiled() {
        orders.next();
        reader.wrap(orders.buffer(), orders.offset(), orders.length());
        return filter.matches(reader);
    }

    /**
     * The fields that decide: mostly the first one.
     *
     * @return something of what was read.
     */
    @Benchmark
    public long fieldsOnly() {
        orders.next();
        reader.wrap(orders.buffer(), orders.offset(), orders.length());
        if (reader.type(0) != FieldType.STRING || reader.stringLength(0) != 3) {
            return 0;
        }
        if (reader.stringBuffer(0).getByte(reader.stringOffset(0)) != 'I') {
            return 1;
        }
        final boolean isHigh = reader.type(1) == FieldType.DOUBLE && reader.doubleValue(1) > 100;
        return isHigh && reader.type(2) == FieldType.STRING ? reader.stringLength(2) : 2;
    }

    /**
     * The same by hand with Jackson.
     *
     * @return whether the message matches.
     * @throws IOException never.
     */
    @Benchmark
    public boolean jackson() throws IOException {
        orders.next();
        int passed = 0;
        try (JsonParser parser = factory.createParser(orders.array(), orders.offset(), orders.length())) {
            parser.nextToken();
            String name = parser.nextFieldName();
            while (name != null) {
                final JsonToken token = parser.nextToken();
                final int step = step(name, token, parser);
                if (step < 0) {
                    return false;
                }
                passed |= step;
                if (passed == (SYMBOL | PRICE | SIDE)) {
                    return true;
                }
                parser.skipChildren();
                name = parser.nextFieldName();
            }
        }
        return false;
    }

    /** Which condition a field passes, 0 for none, negative when it fails one. */
    private static int step(final String name, final JsonToken token, final JsonParser parser) throws IOException {
        return switch (name) {
            case "symbol" -> token == JsonToken.VALUE_STRING && parser.getText().equals("IBM") ? SYMBOL : -1;
            case "price" -> token.isNumeric() && parser.getDoubleValue() > 100 ? PRICE : -1;
            case "side" -> token == JsonToken.VALUE_STRING && isSide(parser.getText()) ? SIDE : -1;
            default -> 0;
        };
    }

    private static boolean isSide(final String side) {
        return side.equals("B") || side.equals("S");
    }
}
