package io.penstock.bench.plain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a C program has answered.
 *
 * @param numbers by their names.
 * @param values  of its list, in order; none when it has no list.
 */
public record PlainAnswer(Map<String, Double> numbers, List<Double> values) {
    private static final JsonFactory FACTORY = new JsonFactory();

    /**
     * Reads a line.
     *
     * @param line a JSON object of numbers, with at most one list of numbers.
     * @return the answer.
     */
    static PlainAnswer of(final String line) {
        final Map<String, Double> numbers = new HashMap<>();
        final List<Double> values = new ArrayList<>();
        try (JsonParser parser = FACTORY.createParser(line)) {
            boolean isListed = false;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                isListed = token == JsonToken.START_ARRAY || (isListed && token != JsonToken.END_ARRAY);
                if (token.isNumeric() && isListed) {
                    values.add(parser.getDoubleValue());
                } else if (token.isNumeric()) {
                    numbers.put(parser.currentName(), parser.getDoubleValue());
                }
            }
        } catch (final IOException e) {
            throw CommandFailure.failed("bench: a plain loop has answered something else: " + line);
        }
        return new PlainAnswer(numbers, List.copyOf(values));
    }

    /**
     * One of its numbers.
     *
     * @param name of the number.
     * @return the number.
     */
    public double number(final String name) {
        final Double number = numbers.get(name);
        if (number == null) {
            throw CommandFailure.failed("bench: a plain loop has not answered: " + name);
        }
        return number;
    }

    /**
     * How long it took.
     *
     * @return wall time in nanoseconds.
     */
    public long wallNs() {
        return Math.max(1, (long) number("wall_ns"));
    }

    /**
     * What it used.
     *
     * @return CPU time of all its threads, in nanoseconds.
     */
    public long cpuNs() {
        return Math.max(1, (long) number("cpu_ns"));
    }
}
