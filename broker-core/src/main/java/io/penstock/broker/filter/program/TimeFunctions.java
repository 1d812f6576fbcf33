package io.penstock.broker.filter.program;

import io.penstock.broker.filter.value.CivilDate;
import io.penstock.broker.filter.value.IsoTime;
import io.penstock.broker.filter.value.Register;
import org.agrona.DirectBuffer;

/** Functions of points in time, which are seconds since 1970 in UTC, with a fraction. */
final class TimeFunctions {
    private static final long MS_PER_SECOND = 1000;
    private static final long SECONDS_PER_DAY = 86_400;
    /** The years 0001 to 9999, those of four digits. */
    private static final double SECONDS_MIN = -62_135_596_800.0;

    private static final double SECONDS_MAX = 253_402_300_799.0;
    private static final String[] DAYS = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
    private static final String[] MONTHS = {
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December"
    };
    private static final int SHORT_NAME_LENGTH = 3;

    private TimeFunctions() {}

    static void setSeconds(final long timeMs, final Register target) {
        if (timeMs % MS_PER_SECOND == 0) {
            target.set(timeMs / MS_PER_SECOND);
        } else {
            target.set(timeMs / (double) MS_PER_SECOND);
        }
    }

    static void parse(final Register text, final Register target) {
        if (text.isText()) {
            IsoTime.read(text, target);
        } else {
            target.setNull();
        }
    }

    /** STRFTIME(format, seconds): the conversions of C, in English and UTC. */
    static void strftime(final Evaluation evaluation, final Register[] arguments, final Register target) {
        final Register format = arguments[0];
        final Register time = arguments[1];
        final double seconds = time.hasNumber() ? Math.floor(time.doubleValue()) : Double.NaN;
        target.setNull();
        if (!format.isText() || !(seconds >= SECONDS_MIN && seconds <= SECONDS_MAX)) {
            return;
        }
        final TextArena arena = evaluation.arena();
        final DirectBuffer buffer = format.buffer();
        final int end = format.offset() + format.length();
        arena.begin();
        for (int at = format.offset(); at < end; at++) {
            final char character = (char) (buffer.getByte(at) & 0xFF);
            if (character != '%') {
                arena.appendByte(character);
            } else if (++at == end || !convert((char) (buffer.getByte(at) & 0xFF), (long) seconds, arena)) {
                arena.drop();
                return;
            }
        }
        arena.end(target);
    }

    /** Writes what one conversion stands for; false when there is no such conversion. */
    private static boolean convert(final char conversion, final long seconds, final TextArena arena) {
        switch (conversion) {
            case '%' -> arena.appendByte('%');
            case 's' -> appendSigned(seconds, arena);
            case 'F' -> appendAll("Y-m-d", seconds, arena);
            case 'T' -> appendAll("H:M:S", seconds, arena);
            case 'R' -> appendAll("H:M", seconds, arena);
            case 'D' -> appendAll("m/d/y", seconds, arena);
            case 'H', 'I', 'M', 'S', 'p', 'Z', 'z' ->
                convertTime(conversion, (int) Math.floorMod(seconds, SECONDS_PER_DAY), arena);
            default -> {
                return convertDate(conversion, Math.floorDiv(seconds, SECONDS_PER_DAY), arena);
            }
        }
        return true;
    }

    private static void appendAll(final String conversions, final long seconds, final TextArena arena) {
        for (int i = 0; i < conversions.length(); i += 2) {
            convert(conversions.charAt(i), seconds, arena);
            if (i + 1 < conversions.length()) {
                arena.appendByte(conversions.charAt(i + 1));
            }
        }
    }

    private static void convertTime(final char conversion, final int secondOfDay, final TextArena arena) {
        final int hour = secondOfDay / 3600;
        switch (conversion) {
            case 'H' -> arena.appendDigits(hour, 2);
            case 'I' -> arena.appendDigits(hour % 12 == 0 ? 12 : hour % 12, 2);
            case 'M' -> arena.appendDigits(secondOfDay / 60 % 60, 2);
            case 'S' -> arena.appendDigits(secondOfDay % 60, 2);
            case 'p' -> arena.appendAscii(hour < 12 ? "AM" : "PM", 2);
            case 'Z' -> arena.appendAscii("UTC", 3);
            default -> arena.appendAscii("+0000", 5);
        }
    }

    private static boolean convertDate(final char conversion, final long days, final TextArena arena) {
        final int date = CivilDate.of(days);
        final int year = CivilDate.year(date);
        final int month = CivilDate.month(date);
        final int weekday = Math.floorMod(days + 4, 7);
        switch (conversion) {
            case 'Y' -> arena.appendDigits(year, 4);
            case 'y' -> arena.appendDigits(year % 100, 2);
            case 'm' -> arena.appendDigits(month, 2);
            case 'd' -> arena.appendDigits(CivilDate.day(date), 2);
            case 'j' -> arena.appendDigits(days - CivilDate.days(year, 1, 1) + 1, 3);
            case 'u' -> arena.appendDigits(weekday == 0 ? 7 : weekday, 1);
            case 'w' -> arena.appendDigits(weekday, 1);
            case 'a' -> arena.appendAscii(DAYS[weekday], SHORT_NAME_LENGTH);
            case 'A' -> arena.appendAscii(DAYS[weekday], DAYS[weekday].length());
            case 'b' -> arena.appendAscii(MONTHS[month - 1], SHORT_NAME_LENGTH);
            case 'B' -> arena.appendAscii(MONTHS[month - 1], MONTHS[month - 1].length());
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void appendSigned(final long value, final TextArena arena) {
        if (value < 0) {
            arena.appendByte('-');
        }
        int digitCount = 1;
        for (long rest = Math.abs(value) / 10; rest > 0; rest /= 10) {
            digitCount++;
        }
        arena.appendDigits(Math.abs(value), digitCount);
    }
}
