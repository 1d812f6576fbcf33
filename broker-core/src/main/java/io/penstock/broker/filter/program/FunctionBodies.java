package io.penstock.broker.filter.program;

import io.penstock.broker.filter.syntax.FilterFunction;
import io.penstock.broker.filter.value.Register;
import org.agrona.concurrent.EpochClock;

/** Finds what a function does. */
final class FunctionBodies {
    private final EpochClock clock;

    FunctionBodies(final EpochClock clock) {
        this.clock = clock;
    }

    FunctionBody of(final FilterFunction function) {
        return switch (function) {
            case ABS -> NumberFunctions::abs;
            case CEIL -> NumberFunctions::ceil;
            case COALESCE -> ChoiceFunctions::coalesce;
            case CONCAT -> TextFunctions::concat;
            case FLOOR -> NumberFunctions::floor;
            case GEO_DISTANCE -> NumberFunctions::geoDistance;
            case IF -> ChoiceFunctions::choose;
            case INSTR -> TextFunctions::instr;
            case LENGTH -> TextFunctions::length;
            case LOWER -> TextFunctions::lower;
            case MAX -> ChoiceFunctions::max;
            case MIN -> ChoiceFunctions::min;
            case NULLIF -> ChoiceFunctions::nullIf;
            case REPLACE -> TextFunctions::replace;
            case ROUND -> NumberFunctions::round;
            case STRFTIME -> TimeFunctions::strftime;
            case SUBSTR -> TextFunctions::substr;
            case TRIM -> TextFunctions::trim;
            case UNIX_TIMESTAMP -> this::unixTimestamp;
            case UPPER -> TextFunctions::upper;
        };
    }

    private void unixTimestamp(final Evaluation evaluation, final Register[] arguments, final Register target) {
        if (arguments.length == 0) {
            TimeFunctions.setSeconds(clock.time(), target);
        } else {
            TimeFunctions.parse(arguments[0], target);
        }
    }
}
