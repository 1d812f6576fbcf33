package io.penstock.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.bench.plain.PlainProgram;
import io.penstock.standalone.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import picocli.CommandLine;

/** A command of the benchmarks that runs in this process. */
public final class BenchRun {
    private BenchRun() {}

    /** Skips the test where the C programs could not be compiled. */
    public static void assumePlainLoops() {
        final String machine = System.getProperty("os.arch").replace("amd64", "x86_64");
        final String resource = "/io/penstock/bench/probe/linux-" + machine + "/" + PlainProgram.STATE;
        Assumptions.assumeTrue(BenchRun.class.getResource(resource) != null, "no C compiler when this was built");
    }

    /**
     * Runs it, and reads the object that it prints; names of members within others have a dot.
     *
     * @throws RuntimeException what it fails with.
     */
    public static Map<String, @Nullable Object> figures(final Object command, final String options) throws IOException {
        return members(run(command, options + " --json"));
    }

    /**
     * Runs it.
     *
     * @return what it prints.
     */
    public static String run(final Object command, final String options) {
        final StringWriter out = new StringWriter();
        final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        final int exitCode = new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setExecutionExceptionHandler((reason, line, result) -> {
                    failure.set(reason);
                    return Main.EXIT_FAILED;
                })
                .setParameterExceptionHandler((reason, arguments) -> {
                    failure.set(reason);
                    return Main.EXIT_USAGE;
                })
                .execute(options.split(" ", -1));
        if (failure.get() instanceof RuntimeException known) {
            throw known;
        }
        if (exitCode != 0) {
            throw new IllegalStateException("exit code " + exitCode + ": " + options, failure.get());
        }
        return out.toString();
    }

    private static Map<String, @Nullable Object> members(final String json) throws IOException {
        final Map<String, @Nullable Object> members = new LinkedHashMap<>();
        final ArrayDeque<String> within = new ArrayDeque<>();
        within.add("");
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    within.addLast(within.getLast() + parser.currentName() + ".");
                } else if (token == JsonToken.END_OBJECT) {
                    within.removeLast();
                } else if (token.isScalarValue()) {
                    members.put(
                            within.getLast() + parser.currentName(),
                            token.isNumeric()
                                    ? Double.valueOf(parser.getDoubleValue())
                                    : token == JsonToken.VALUE_NULL ? null : parser.getText());
                }
            }
        }
        return members;
    }
}
