package io.penstock.standalone.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MomentTest {
    /** Half past two in summer, two hours ahead of UTC. */
    private static final ZonedDateTime NOW = ZonedDateTime.of(2026, 5, 2, 14, 30, 0, 0, ZoneId.of("Europe/Berlin"));

    @ParameterizedTest
    @CsvSource({
        "2026-05-01T09:30:00Z, 2026-05-01T09:30:00Z",
        "2026-05-01T09:30:00.123456789Z, 2026-05-01T09:30:00.123456789Z",
        "2026-05-01T09:30:00+02:00, 2026-05-01T07:30:00Z",
        "2026-05-01 09:30, 2026-05-01T07:30:00Z",
        "2026-05-01T09:30:05.5, 2026-05-01T07:30:05.5Z",
        "2026-05-01, 2026-04-30T22:00:00Z",
        "14:00, 2026-05-02T12:00:00Z",
        "14:00:05, 2026-05-02T12:00:05Z",
        "00:59, 2026-05-01T22:59:00Z",
        "today, 2026-05-01T22:00:00Z",
        "today 09:00, 2026-05-02T07:00:00Z",
        "yesterday, 2026-04-30T22:00:00Z",
        "yesterday 14:00, 2026-05-01T12:00:00Z",
        "-5m, 2026-05-02T12:25:00Z",
        "-90s, 2026-05-02T12:28:30Z",
        "-1h30m, 2026-05-02T11:00:00Z",
        "-2d, 2026-04-30T12:30:00Z"
    })
    void shouldBeATimeWhenWrittenAsPeopleDo(final String text, final Instant expected) {
        assertThat(Moment.parse(text, NOW)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "5m",
                "-5",
                "-m",
                "-5m1h",
                "+5m",
                "0:1234",
                "1:00",
                "14:000",
                "14:0",
                "24:00",
                "14:60",
                "14:00:60",
                "tomorrow",
                "yesterday14:00",
                "yesterday 25:00",
                "2026-13-01",
                "2026-05-01T09",
                "2026-02-30",
                "now",
                "-99999999999999d",
                "2026-05-01T09:30:00 Z"
            })
    void shouldBeNoTimeWhenAnythingElse(final String text) {
        assertThat(Moment.parse(text, NOW)).isNull();
    }

    @Test
    void shouldBeNoTimeWhenItDoesNotFitIntoNanoseconds() {
        assertThat(Moment.parseNs("9999-01-01T00:00:00Z")).isNull();
        assertThat(Moment.parseNs("1970-01-01T00:00:01.5Z")).isEqualTo(1_500_000_000L);
    }
}
