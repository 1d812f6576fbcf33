package io.penstock.jmh.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.format.FieldPath;
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
 * Three fields of one validated message, {@code symbol}, {@code price} and {@code side}, beside Jackson's streaming parser
 * that stops after the third.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class JsonReadBenchmark {
    private static final int FIELD_COUNT = 3;

    /** A file of {@code examples/data}. */
    @Param({"orders-183.ndjson", "orders-845.ndjson"})
    public String data = "";

    private final FieldSet fields = new FieldSet();
    private final int symbol = fields.slotOf(FieldPath.of("symbol"));
    private final int price = fields.slotOf(FieldPath.of("price"));
    private final int side = fields.slotOf(FieldPath.of("side"));
    private final FieldReader reader = MessageFormats.formatFor("json").newReader(fields);
    private final JsonFactory factory = new JsonFactory();
    private Messages messages = new Messages("orders-183.ndjson");

    /** Loads the messages. */
    @Setup
    public void load() {
        messages = new Messages(data);
    }

    /**
     * Our reader.
     *
     * @return something made of the three fields.
     */
    @Benchmark
    public double penstock() {
        messages.next();
        reader.wrap(messages.buffer(), messages.offset(), messages.length());
        double sum = 0;
        if (reader.type(symbol) == FieldType.STRING) {
            sum += reader.stringBuffer(symbol).getByte(reader.stringOffset(symbol)) + reader.stringLength(symbol);
        }
        if (reader.type(price) == FieldType.DOUBLE || reader.type(price) == FieldType.LONG) {
            sum += reader.doubleValue(price);
        }
        if (reader.type(side) == FieldType.STRING) {
            sum += reader.stringBuffer(side).getByte(reader.stringOffset(side)) + reader.stringLength(side);
        }
        return sum;
    }

    /**
     * Jackson, with text as its own characters and no string made.
     *
     * @return something made of the three fields.
     * @throws IOException never.
     */
    @Benchmark
    public double jackson() throws IOException {
        messages.next();
        double sum = 0;
        int found = 0;
        try (JsonParser parser = factory.createParser(messages.array(), messages.offset(), messages.length())) {
            parser.nextToken();
            while (found < FIELD_COUNT && parser.nextToken() == JsonToken.FIELD_NAME) {
                final String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "symbol", "side" -> {
                        sum += parser.getTextCharacters()[parser.getTextOffset()] + parser.getTextLength();
                        found++;
                    }
                    case "price" -> {
                        sum += parser.getDoubleValue();
                        found++;
                    }
                    default -> parser.skipChildren();
                }
            }
        }
        return sum;
    }
}
