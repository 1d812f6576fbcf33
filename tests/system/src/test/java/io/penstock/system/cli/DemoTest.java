package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoTest {
    /** What the tables have to fit. */
    private static final int COLUMNS = 80;

    @Test
    void shouldShowEveryFilterAndCheckEveryDeliveryWhenRun() throws Exception {
        final Penstock.Result result = Penstock.runAlone("demo", "--seconds", "2");

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .contains("a broker on tcp://127.0.0.1:")
                .contains("Checked:    221,707 messages arrived, each once, in order and byte for byte")
                .contains("1,331  flights where delay > 60 AND origin IN ('JFK','SFO','ORD')")
                .contains("85  earthquakes where /properties/mag >= 4.5")
                .contains("State:      the last flight of each of 2,977 routes and 1,707 earthquakes")
                .contains("a view: delays of the last flights, by origin")
                .containsPattern("(?m)^ +ORIGIN +ROUTES +AVERAGE +LONGEST$")
                .doesNotContain("\033");
        assertThat(result.out().lines().dropWhile(line -> !line.startsWith("State:")))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS));
    }
}
