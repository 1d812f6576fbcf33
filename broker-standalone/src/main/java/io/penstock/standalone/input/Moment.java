package io.penstock.standalone.input;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A time as people write it: {@code 2026-05-01T09:30:00Z}, {@code 2026-05-01 09:30}, {@code 2026-05-01}, {@code today},
 * {@code yesterday 14:00}, {@code 14:00} of today, {@code -5m}. Times without a zone are of this machine's.
 */
public final class Moment {
    /** For refusals: what a time may be. */
    public static final String EXAMPLES = "2026-05-01T09:30:00Z, -5m or 'yesterday 14:00'";

    private static final Pattern BACK =
            Pattern.compile("-(?:(\\d{1,5})d)?(?:(\\d{1,6})h)?(?:(\\d{1,8})m)?(?:(\\d{1,9})s)?");
    private static final Pattern DAY = Pattern.compile(
            "(today|yesterday|\\d{4}-\\d{2}-\\d{2})(?:[ T](\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?))?");

    private static final Pattern TIME_OF_DAY = Pattern.compile("\\d{2}:\\d{2}(?::\\d{2})?");

    private Moment() {}

    /**
     * Reads a time.
     *
     * @param text as the user gave it.
     * @param now  with the zone that times without one are in.
     * @return the time, or null when it is none.
     */
    public static @Nullable Instant parse(final String text, final ZonedDateTime now) {
        try {
            final Matcher back = BACK.matcher(text);
            if (text.length() > 1 && back.matches()) {
                return now.toInstant().minus(length(back));
            }
            if (TIME_OF_DAY.matcher(text).matches()) {
                return LocalDateTime.of(now.toLocalDate(), time(text))
                        .atZone(now.getZone())
                        .toInstant();
            }
            final Matcher day = DAY.matcher(text);
            if (day.matches()) {
                return LocalDateTime.of(date(day.group(1), now), time(day.group(2)))
                        .atZone(now.getZone())
                        .toInstant();
            }
            return text.length() > 10
                    ? OffsetDateTime.parse(text.replace(' ', 'T')).toInstant()
                    : null;
        } catch (final DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    /**
     * Reads a time, with this machine's clock and zone.
     *
     * @param text as the user gave it.
     * @return the time, or null when it is none.
     */
    public static @Nullable Instant parse(final String text) {
        return parse(text, ZonedDateTime.now(ZoneId.systemDefault()));
    }

    /**
     * Reads a time, with this machine's clock and zone.
     *
     * @param text as the user gave it.
     * @return nanoseconds since 1970, or null when it is no time, or none that fits.
     */
    public static @Nullable Long parseNs(final String text) {
        final Instant instant = parse(text);
        try {
            return instant == null
                    ? null
                    : Math.addExact(Math.multiplyExact(instant.getEpochSecond(), TimeUnit.SECONDS.toNanos(1)), (long)
                            instant.getNano());
        } catch (final ArithmeticException e) {
            return null;
        }
    }

    private static Duration length(final Matcher back) {
        return Duration.ofDays(number(back.group(1)))
                .plusHours(number(back.group(2)))
                .plusMinutes(number(back.group(3)))
                .plusSeconds(number(back.group(4)));
    }

    private static long number(final @Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static LocalDate date(final String text, final ZonedDateTime now) {
        return switch (text) {
            case "today" -> now.toLocalDate();
            case "yesterday" -> now.toLocalDate().minusDays(1);
            default -> LocalDate.parse(text);
        };
    }

    private static LocalTime time(final @Nullable String text) {
        return text == null ? LocalTime.MIDNIGHT : LocalTime.parse(text);
    }
}
