package io.penstock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runs can only fail if the comparison can. */
class TallyTest {
    @TempDir
    private Path folder;

    @Test
    void shouldFindNothingWhenTheLogHoldsWhatWasAcknowledgedAndMore() {
        final Tally tally = LogContents.of(2, record(0, 1), record(0, 2), record(0, 3), record(1, 1))
                .compare(acknowledged(2, 1));

        assertThat(tally).isEqualTo(new Tally(3, 4, 0, 0));
        assertThat(tally.isGood()).isTrue();
    }

    @Test
    void shouldCountAsLostWhenAnAcknowledgedMessageIsMissing() {
        assertThat(LogContents.of(2, record(0, 1), record(1, 1)).compare(acknowledged(3, 1)))
                .isEqualTo(new Tally(4, 2, 2, 0));
        assertThat(LogContents.of(2).compare(acknowledged(3, 0)).isGood()).isFalse();
    }

    @Test
    void shouldCountAsLostWhenThereIsAHoleBeforeAMessage() {
        assertThat(LogContents.of(2, record(0, 1), record(0, 3)).compare(acknowledged(1, 0)))
                .isEqualTo(new Tally(1, 2, 1, 0));
    }

    @Test
    void shouldCountAsDuplicatedWhenAMessageIsThereTwice() {
        assertThat(LogContents.of(2, record(0, 1), record(0, 2), record(0, 1)).compare(acknowledged(2, 0)))
                .isEqualTo(new Tally(2, 3, 0, 1));
    }

    @Test
    void shouldBelieveNoMoreThanItHasHeardWhenALineIsCutOff() throws IOException {
        final Path heard = folder.resolve("heard");
        Files.writeString(heard, "boot\na 0 12\na 1 7\na 0 345\na 1 \na x 9\n");

        final Acknowledged read = Acknowledged.read(heard, 2);

        assertThat(read.highest(0)).isEqualTo(345);
        assertThat(read.highest(1)).isEqualTo(7);
    }

    @Test
    void shouldRefuseAnAcknowledgementWhenTheOneBeforeIsMissing() {
        final Acknowledged acknowledged = new Acknowledged(1);

        assertThat(acknowledged.add(0, 1)).isTrue();
        assertThat(acknowledged.add(0, 3)).isFalse();
        assertThat(acknowledged.highest(0)).isEqualTo(1);
    }

    private static long[] record(final long publisher, final long sequence) {
        return new long[] {publisher, sequence};
    }

    private static Acknowledged acknowledged(final long first, final long second) {
        final Acknowledged acknowledged = new Acknowledged(2);
        for (long i = 1; i <= first; i++) {
            acknowledged.add(0, i);
        }
        for (long i = 1; i <= second; i++) {
            acknowledged.add(1, i);
        }
        return acknowledged;
    }
}
