package io.penstock.format.tck;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A valid message and the values of some of its fields: a Long, Double, Boolean or String, a List of those for an array,
 * or the {@link FieldType} alone when there is nothing else to it.
 */
public final class FormatSample {
    private final byte[] message;
    private final Map<FieldPath, Object> values = new LinkedHashMap<>();

    private FormatSample(final byte[] message) {
        this.message = message.clone();
    }

    /**
     * Starts with a message.
     *
     * @param message that is valid.
     * @return the sample, with no values yet.
     */
    public static FormatSample of(final byte[] message) {
        return new FormatSample(message);
    }

    /**
     * Starts with a message of text.
     *
     * @param message that is valid in UTF-8.
     * @return the sample, with no values yet.
     */
    public static FormatSample of(final String message) {
        return new FormatSample(message.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Adds a field.
     *
     * @param path  of the field, its steps apart by slashes, for example {@code order/legs[0]/price}.
     * @param value that is expected.
     * @return this sample.
     */
    public FormatSample with(final String path, final Object value) {
        values.put(path(path), value);
        return this;
    }

    private static FieldPath path(final String text) {
        final List<FieldPath.Step> steps = new ArrayList<>();
        for (final String step : text.split("/", -1)) {
            final int bracket = step.indexOf('[');
            if (bracket < 0) {
                steps.add(new FieldPath.Step(step, FieldPath.Step.NO_INDEX));
            } else {
                final int index = Integer.parseInt(step.substring(bracket + 1, step.length() - 1));
                steps.add(new FieldPath.Step(step.substring(0, bracket), index));
            }
        }
        return new FieldPath(steps);
    }

    byte[] message() {
        return message.clone();
    }

    /** Adds the paths of all fields to a set. */
    void addTo(final FieldSet fields) {
        values.keySet().forEach(fields::slotOf);
    }

    /** What a field holds, absent when it is one of another sample. */
    Object value(final FieldPath path) {
        return values.getOrDefault(path, FieldType.ABSENT);
    }

    @Override
    public String toString() {
        return new String(message, StandardCharsets.ISO_8859_1);
    }
}
