package io.penstock.jmh.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.penstock.format.MessageFormats;
import io.penstock.format.MessageValidator;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

/** Validation of one message, beside Jackson's streaming parser over all its tokens. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class JsonValidateBenchmark {
    /** A file of {@code examples/data}. */
    @Param({"orders-183.ndjson", "orders-845.ndjson", "earthquakes.ndjson"})
    public String data = "";

    private final MessageValidator validator = MessageFormats.formatFor("json").newValidator();
    private final JsonFactory factory = new JsonFactory();
    private Messages messages = new Messages("orders-183.ndjson");

    /** Loads the messages. */
    @Setup
    public void load() {
        messages = new Messages(data);
    }

    /**
     * Our validator.
     *
     * @return null.
     */
    @Benchmark
    public @Nullable String penstock() {
        messages.next();
        return validator.validate(messages.buffer(), messages.offset(), messages.length());
    }

    /**
     * Jackson, every token.
     *
     * @return count of tokens.
     * @throws IOException never.
     */
    @Benchmark
    public int jackson() throws IOException {
        messages.next();
        int tokens = 0;
        try (JsonParser parser = factory.createParser(messages.array(), messages.offset(), messages.length())) {
            while (parser.nextToken() != null) {
                tokens++;
            }
        }
        return tokens;
    }
}
