package io.penstock.broker.filter.program;

import io.penstock.broker.filter.value.Numbers;
import io.penstock.broker.filter.value.Register;
import io.penstock.format.FieldType;

/** Functions of numbers; of anything else they are NULL. */
final class NumberFunctions {
    private static final double EARTH_RADIUS_M = 6_371_008.8;
    private static final double WHOLE_MIN = 0x1p52;
    private static final int SCALE_MAX = 18;
    /** The first power that is left out adds less than half a unit in the last place at 45 degrees. */
    private static final int SINE_TERM_LAST = 17;

    private NumberFunctions() {}

    static void abs(final Evaluation evaluation, final Register[] arguments, final Register target) {
        final Register value = arguments[0];
        if (!value.hasNumber()) {
            target.setNull();
        } else if (value.doubleValue() < 0) {
            Numbers.negate(value, target);
        } else {
            target.setNumber(value);
        }
    }

    static void floor(final Evaluation evaluation, final Register[] arguments, final Register target) {
        if (setIfWhole(arguments[0], target)) {
            setWhole(Math.floor(arguments[0].doubleValue()), target);
        }
    }

    static void ceil(final Evaluation evaluation, final Register[] arguments, final Register target) {
        if (setIfWhole(arguments[0], target)) {
            setWhole(Math.ceil(arguments[0].doubleValue()), target);
        }
    }

    /** Rounds halves away from zero, to a count of decimals. */
    static void round(final Evaluation evaluation, final Register[] arguments, final Register target) {
        final Register value = arguments[0];
        long decimals = 0;
        if (arguments.length > 1) {
            if (arguments[1].numberType() != FieldType.LONG) {
                target.setNull();
                return;
            }
            decimals = Math.max(-SCALE_MAX, Math.min(SCALE_MAX, arguments[1].longValue()));
        }
        if (decimals >= 0 && !setIfWhole(value, target)) {
            return;
        }
        if (!value.hasNumber()) {
            target.setNull();
            return;
        }
        final double scale = Numbers.powerOfTen((int) Math.abs(decimals));
        final double real = value.doubleValue();
        if (decimals > 0) {
            final double rounded = roundHalfUp(real * scale) / scale;
            target.set(Double.isInfinite(rounded) ? real : rounded);
        } else if (decimals == 0) {
            setWhole(roundHalfUp(real), target);
        } else {
            setWhole(roundHalfUp(real / scale) * scale, target);
        }
    }

    private static double roundHalfUp(final double value) {
        // Adding a half would round 0.49999999999999994 up, and change integers beyond 52 bits.
        final double magnitude = Math.abs(value);
        if (magnitude >= WHOLE_MIN) {
            return value;
        }
        final double whole = Math.floor(magnitude);
        return Math.copySign(magnitude - whole >= 0.5 ? whole + 1 : whole, value);
    }

    /** Passes integers on, and NULL for other values than numbers; returns whether a fraction is left to deal with. */
    private static boolean setIfWhole(final Register value, final Register target) {
        switch (value.numberType()) {
            case LONG -> target.set(value.longValue());
            case DOUBLE -> {
                return true;
            }
            default -> target.setNull();
        }
        return false;
    }

    /** A whole double becomes an integer if it is one of 64 bits. */
    private static void setWhole(final double value, final Register target) {
        if (Numbers.isLong(value)) {
            target.set((long) value);
        } else {
            target.set(value);
        }
    }

    /** Metres between two places, given as latitude and longitude in degrees, on a sphere. */
    static void geoDistance(final Evaluation evaluation, final Register[] arguments, final Register target) {
        for (final Register argument : arguments) {
            if (!argument.hasNumber()) {
                target.setNull();
                return;
            }
        }
        final double latitude1 = arguments[0].doubleValue();
        final double latitude2 = arguments[2].doubleValue();
        final double longitudes = arguments[3].doubleValue() - arguments[1].doubleValue();
        final double chord = squaredSine((latitude2 - latitude1) / 2)
                + cosine(latitude1) * cosine(latitude2) * squaredSine(longitudes / 2);
        target.set(2 * EARTH_RADIUS_M * StrictMath.asin(Math.min(1, Math.sqrt(chord))));
    }

    private static double cosine(final double degrees) {
        return 1 - 2 * squaredSine(degrees / 2);
    }

    /**
     * Computes the series of the sine, of at most 45 degrees: replicas on other processors have to get the same result,
     * which Math does not promise, and StrictMath allocates.
     */
    private static double squaredSine(final double degrees) {
        final double acute = Math.abs(Math.IEEEremainder(degrees, 180));
        final double radians = Math.toRadians(acute <= 45 ? acute : 90 - acute);
        final double square = radians * radians;
        double series = 1;
        for (int n = SINE_TERM_LAST; n > 1; n -= 2) {
            series = 1 - square / (n * (n - 1)) * series;
        }
        final double squaredSine = square * series * series;
        return acute <= 45 ? squaredSine : 1 - squaredSine;
    }
}
