package io.penstock.broker.filter.value;

/**
 * Dates of the Gregorian calendar as counts of days since 1970-01-01, without objects. A year is counted from March, so
 * that the leap day comes last, within eras of 400 years.
 */
public final class CivilDate {
    private static final int DAYS_PER_ERA = 146_097;
    private static final int YEARS_PER_ERA = 400;
    private static final int DAYS_FROM_ERA_TO_EPOCH = 719_468;

    private CivilDate() {}

    /** Days from the epoch to a date. */
    public static long days(final int year, final int month, final int day) {
        final long shifted = month <= 2 ? year - 1L : year;
        final long era = Math.floorDiv(shifted, YEARS_PER_ERA);
        final long yearOfEra = shifted - era * YEARS_PER_ERA;
        final long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
        final long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * DAYS_PER_ERA + dayOfEra - DAYS_FROM_ERA_TO_EPOCH;
    }

    /** The date so many days from the epoch, to be taken apart by {@link #year}, {@link #month} and {@link #day}. */
    public static int of(final long days) {
        final long shifted = days + DAYS_FROM_ERA_TO_EPOCH;
        final long era = Math.floorDiv(shifted, DAYS_PER_ERA);
        final long dayOfEra = shifted - era * DAYS_PER_ERA;
        final long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        final long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        final long shiftedMonth = (5 * dayOfYear + 2) / 153;
        final long day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1;
        final long month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
        final long year = yearOfEra + era * YEARS_PER_ERA + (month <= 2 ? 1 : 0);
        return (int) (year << 16 | month << 8 | day);
    }

    public static int year(final int date) {
        return date >> 16;
    }

    public static int month(final int date) {
        return date >> 8 & 0xFF;
    }

    public static int day(final int date) {
        return date & 0xFF;
    }

    static int monthLength(final int year, final int month) {
        return switch (month) {
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }
}
