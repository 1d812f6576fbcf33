package io.penstock.standalone.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.input.Rate.Kind;
import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {
    @ParameterizedTest
    @CsvSource({
        "1000/s, MESSAGES, 1000",
        "0.5/s, MESSAGES, 0.5",
        "7B/s, BYTES, 7",
        "10MiB/s, BYTES, 10485760",
        "2x, SPEED, 2",
        "0.25x, SPEED, 0.25"
    })
    void shouldBeARateWhenWrittenInTheOneSpelling(final String text, final Kind kind, final double amount) {
        assertThat(Rate.parse("--rate", text, EnumSet.allOf(Kind.class))).isEqualTo(new Rate(kind, amount));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1000", "0/s", "0x", "-1/s", "fast", "full", "10MB/s", "1e3/s", "1/m", "1000/s "})
    void shouldBeRefusedWhenNoRate(final String text) {
        assertThatThrownBy(() -> Rate.parse("--rate", text, EnumSet.allOf(Kind.class)))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("--rate: not a rate: " + text + " (use for example 1000/s or 10MiB/s or 2x)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2x", "1MiB/s"})
    void shouldBeRefusedWhenOfAKindThatMakesNoSenseThere(final String text) {
        assertThatThrownBy(() -> Rate.parse("--rate", text, EnumSet.of(Kind.MESSAGES)))
                .hasMessage("--rate: not a rate: " + text + " (use for example 1000/s)");
    }
}
