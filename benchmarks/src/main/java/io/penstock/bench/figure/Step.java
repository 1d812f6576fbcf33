package io.penstock.bench.figure;

import java.util.Locale;

/**
 * A step of a curve.
 *
 * @param name  in JSON.
 * @param value of what is changed.
 * @param label in the chart: short, as there is little room.
 */
public record Step(String name, double value, String label) {
    private static final int THOUSAND = 1_000;
    private static final int MILLION = 1_000_000;
    private static final double PER_CENT = 100;

    /**
     * A number of things.
     *
     * @param count of them.
     * @return the step.
     */
    public static Step of(final int count) {
        final String label = count >= MILLION && count % (MILLION / 10) == 0
                ? Axis.label((double) count / MILLION) + "M"
                : count >= THOUSAND ? Axis.label((double) count / THOUSAND) + "k" : Integer.toString(count);
        return new Step(String.format(Locale.ROOT, "%,d", count), count, label);
    }

    /**
     * A part of something.
     *
     * @param part of it, 1 for all.
     * @return the step.
     */
    public static Step ofPart(final double part) {
        final String name = Digits.of(part * PER_CENT).toPlainString() + " %";
        return new Step(name, part, name);
    }
}
