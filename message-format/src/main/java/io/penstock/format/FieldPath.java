package io.penstock.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path from the root of a message to a field: {@code symbol}, {@code /order/price}, {@code /data[0]}; or a header of the
 * message.
 *
 * @param steps    from the root, at least one; of a header one with its name.
 * @param isHeader whether it is a header.
 */
public record FieldPath(List<Step> steps, boolean isHeader) {
    public FieldPath {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("path: has no steps (name a field)");
        }
        steps = List.copyOf(steps);
    }

    /**
     * A path of a field.
     *
     * @param steps from the root, at least one.
     */
    public FieldPath(final List<Step> steps) {
        this(steps, false);
    }

    /**
     * One step: into a member by its name, then, when the index is not negative, into an element of that array.
     *
     * @param name  of the member.
     * @param index of the array's element from 0, or {@link #NO_INDEX}.
     */
    public record Step(String name, int index) {
        public static final int NO_INDEX = -1;
    }

    /**
     * A path of one member.
     *
     * @param name of the member.
     * @return the path.
     */
    public static FieldPath of(final String name) {
        return new FieldPath(List.of(new Step(name, Step.NO_INDEX)));
    }

    /**
     * A header.
     *
     * @param name of the header.
     * @return the path.
     */
    public static FieldPath ofHeader(final String name) {
        return new FieldPath(List.of(new Step(name, Step.NO_INDEX)), true);
    }

    /**
     * The name of a header.
     *
     * @return the name, or null when the path is of a field.
     */
    public @Nullable String headerName() {
        return isHeader ? steps.get(0).name() : null;
    }

    /** Returns the path as filters write it, with a slash before each step. */
    @Override
    public String toString() {
        if (isHeader) {
            return "HEADER('" + headerName() + "')";
        }
        final StringBuilder text = new StringBuilder();
        for (final Step step : steps) {
            text.append('/').append(step.name());
            if (step.index() != Step.NO_INDEX) {
                text.append('[').append(step.index()).append(']');
            }
        }
        return text.toString();
    }
}
