package io.penstock.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkShareTest {
    private static final long START_NS = 1_000;

    @Test
    void shouldSayPercentAndTheTimeThatIsLeftWhenTheTotalIsKnown() {
        final WorkShare share = new WorkShare(1000, START_NS);

        assertThat(share.text(250, after(10))).isEqualTo(" (25 %, 30 s left)");
        assertThat(share.text(10, after(10))).isEqualTo(" (1 %, 16 min 30 s left)");
        assertThat(share.text(1, after(10))).isEqualTo(" (0 %, 2 h 46 min left)");
        assertThat(share.text(1000, after(10))).isEqualTo(" (100 %, 0 s left)");
    }

    @Test
    void shouldNotGuessWhenItIsTooEarly() {
        final WorkShare share = new WorkShare(1000, START_NS);

        assertThat(share.text(0, after(100))).isEqualTo(" (0 %)");
        assertThat(share.text(500, START_NS + 1)).isEqualTo(" (50 %)");
    }

    @Test
    void shouldStayAtAllOfItWhenMoreIsDoneThanWasExpected() {
        assertThat(new WorkShare(10, START_NS).text(20, after(5))).isEqualTo(" (100 %, 0 s left)");
    }

    @Test
    void shouldSayNothingWhenTheTotalIsNotKnown() {
        assertThat(new WorkShare(0, START_NS).text(5, after(5))).isEmpty();
    }

    private static long after(final long seconds) {
        return START_NS + TimeUnit.SECONDS.toNanos(seconds);
    }
}
