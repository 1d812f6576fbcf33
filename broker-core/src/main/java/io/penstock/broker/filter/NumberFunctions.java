package io.penstock.broker.filter;

import io.penstock.broker.format.FieldType;

/** Functions of numbers; of anything else they are NULL. */
final class NumberFunctions {
    private static final double EARTH_RADIUS_M = 6_371_008.8;
    private static final double WHOLE_MIN = 0x1p52;
    private static final int SCALE_MAX = 18;

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
        final double scale = StrictMath.pow(10, (double) Math.abs(decimals));
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

    /** Passes integers on, and NULL for what is no number; tells whether there is a fraction left to deal with. */
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
        // StrictMath: replicas on other processors have to come to the same answer.
        final double latitude1 = StrictMath.toRadians(arguments[0].doubleValue());
        final double latitude2 = StrictMath.toRadians(arguments[2].doubleValue());
        final double halfLatitude = (latitude2 - latitude1) / 2;
        final double halfLongitude = StrictMath.toRadians(arguments[3].doubleValue() - arguments[1].doubleValue()) / 2;
        final double chord = square(StrictMath.sin(halfLatitude))
                + StrictMath.cos(latitude1) * StrictMath.cos(latitude2) * square(StrictMath.sin(halfLongitude));
        target.set(2 * EARTH_RADIUS_M * StrictMath.asin(Math.min(1, StrictMath.sqrt(chord))));
    }

    private static double square(final double value) {
        return value * value;
    }
}
