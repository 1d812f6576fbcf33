package io.penstock.bench.figure;

import io.penstock.standalone.console.Json;
import java.math.BigDecimal;
import java.math.MathContext;

/** Numbers of any size in a few digits. */
public final class Digits {
    private static final MathContext DIGITS = new MathContext(4);

    private Digits() {}

    /**
     * Adds a number with four digits that count, however small it is; null when there is none.
     *
     * @param json  that it is added to.
     * @param name  of the field.
     * @param value of the field; NaN for none.
     * @return the same JSON.
     */
    public static Json field(final Json json, final String name, final double value) {
        return Double.isFinite(value) ? json.raw(name, of(value).toPlainString()) : json.field(name, value);
    }

    /** A finite number with four digits that count. */
    static BigDecimal of(final double value) {
        return BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros();
    }
}
