package io.penstock.broker.filter.value;

import org.agrona.DirectBuffer;

/**
 * Reads ISO 8601: {@code 2024-02-29}, {@code 2024-02-29T23:59}, {@code 2024-02-29 23:59:59.25Z},
 * {@code 2024-02-29T23:59:59+01:00}; in UTC unless it says otherwise.
 */
public final class IsoTime {
    private static final int DATE_LENGTH = 10;
    private static final int MINUTES_END = 16;
    private static final int SECONDS_END = 19;
    private static final int FRACTION_DIGITS_MAX = 9;
    private static final long SECONDS_PER_DAY = 86_400;

    private IsoTime() {}

    /** Sets the seconds since 1970, with their fraction if there is one, or NULL when the text is no time. */
    public static void read(final Register text, final Register target) {
        final DirectBuffer buffer = text.buffer();
        final int start = text.offset();
        final int end = start + text.length();
        target.setNull();
        final long dateSeconds = dateSeconds(buffer, start, end);
        if (dateSeconds == Long.MIN_VALUE) {
            return;
        }
        if (text.length() == DATE_LENGTH) {
            target.set(dateSeconds);
            return;
        }
        final long time = timeSeconds(buffer, start, end);
        if (time < 0) {
            return;
        }
        final int fractionStart = timeEnd(buffer, start, end);
        final int zoneStart = fractionEnd(buffer, fractionStart, end);
        final int zoneMinutes = zoneMinutes(buffer, zoneStart, end);
        if (zoneMinutes == Integer.MIN_VALUE) {
            return;
        }
        final long seconds = dateSeconds + time - zoneMinutes * 60L;
        if (zoneStart == fractionStart) {
            target.set(seconds);
        } else {
            target.set(seconds + fraction(buffer, fractionStart + 1, zoneStart));
        }
    }

    /** A number of so many digits, or negative. */
    private static int digits(final DirectBuffer buffer, final int offset, final int count, final int end) {
        if (offset + count > end) {
            return -1;
        }
        int value = 0;
        for (int i = offset; i < offset + count; i++) {
            final int digit = buffer.getByte(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static boolean isAt(final DirectBuffer buffer, final int offset, final int end, final char character) {
        return offset < end && buffer.getByte(offset) == character;
    }

    private static long dateSeconds(final DirectBuffer buffer, final int start, final int end) {
        final int year = digits(buffer, start, 4, end);
        final int month = digits(buffer, start + 5, 2, end);
        final int day = digits(buffer, start + 8, 2, end);
        final boolean isDate = year > 0
                && isAt(buffer, start + 4, end, '-')
                && month >= 1
                && month <= 12
                && isAt(buffer, start + 7, end, '-')
                && day >= 1
                && day <= CivilDate.monthLength(year, month);
        return isDate ? CivilDate.days(year, month, day) * SECONDS_PER_DAY : Long.MIN_VALUE;
    }

    /** Seconds of the day, or negative. */
    private static long timeSeconds(final DirectBuffer buffer, final int start, final int end) {
        final boolean isSeparated =
                isAt(buffer, start + DATE_LENGTH, end, 'T') || isAt(buffer, start + DATE_LENGTH, end, ' ');
        final int hour = digits(buffer, start + 11, 2, end);
        final int minute = digits(buffer, start + 14, 2, end);
        final boolean hasSeconds = isAt(buffer, start + MINUTES_END, end, ':');
        final int second = hasSeconds ? digits(buffer, start + 17, 2, end) : 0;
        final boolean isTime = isSeparated
                && hour >= 0
                && hour <= 23
                && isAt(buffer, start + 13, end, ':')
                && minute >= 0
                && minute <= 59
                && second >= 0
                && second <= 59;
        return isTime ? hour * 3600L + minute * 60L + second : -1;
    }

    private static int timeEnd(final DirectBuffer buffer, final int start, final int end) {
        return start + (isAt(buffer, start + MINUTES_END, end, ':') ? SECONDS_END : MINUTES_END);
    }

    /** Where a point and its digits end; the start when there is no fraction. */
    private static int fractionEnd(final DirectBuffer buffer, final int start, final int end) {
        int at = start;
        if (isAt(buffer, start, end, '.')) {
            at++;
            while (digits(buffer, at, 1, end) >= 0) {
                at++;
            }
        }
        return at == start + 1 ? start : at;
    }

    private static double fraction(final DirectBuffer buffer, final int start, final int end) {
        final int count = Math.min(FRACTION_DIGITS_MAX, end - start);
        return digits(buffer, start, count, end) / Numbers.powerOfTen(count);
    }

    /** Minutes east of UTC: 0 at the text's end or for Z; the least integer when there is something else. */
    private static int zoneMinutes(final DirectBuffer buffer, final int start, final int end) {
        if (start == end || (start + 1 == end && buffer.getByte(start) == 'Z')) {
            return 0;
        }
        final int hours = digits(buffer, start + 1, 2, end);
        final int minutes = digits(buffer, start + 4, 2, end);
        final boolean isZone = start + 6 == end
                && (isAt(buffer, start, end, '+') || isAt(buffer, start, end, '-'))
                && hours >= 0
                && hours <= 18
                && isAt(buffer, start + 3, end, ':')
                && minutes >= 0
                && minutes <= 59;
        if (!isZone) {
            return Integer.MIN_VALUE;
        }
        final int east = hours * 60 + minutes;
        return buffer.getByte(start) == '-' ? -east : east;
    }
}
