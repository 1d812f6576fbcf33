package io.penstock.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
    @Test
    void shouldWriteTextAsItIsWhenFlushed() {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final PrintWriter writer = new StandardOutput(bytes, false).writer();

        writer.print("ü\n");
        assertThat(bytes.size()).isZero();
        writer.flush();

        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("ü\n");
    }

    @Test
    void shouldSayWhatTheSystemSaysWhenThereIsNoRoom() {
        final Failing sink = new Failing("No space left on device");
        final PrintWriter writer = new StandardOutput(sink, false).writer();

        assertThatThrownBy(() -> writer.println("x"))
                .isInstanceOfSatisfying(
                        CommandFailure.class, e -> assertThat(e.exitCode()).isEqualTo(Main.EXIT_FAILED))
                .hasMessage("standard output: No space left on device (what was printed is not complete)");
        assertThatThrownBy(writer::flush).isInstanceOf(CommandFailure.class);
        assertThat(sink.writeCount)
                .as("nothing is written behind what is missing")
                .isOne();
    }

    @Test
    void shouldEndQuietlyWhenTheReaderHasClosedIt() {
        assertThatThrownBy(() -> new StandardOutput(new Failing("Broken pipe"), false)
                        .writer()
                        .println("x"))
                .isInstanceOf(OutputClosedException.class);
        assertThatThrownBy(() -> new StandardOutput(new Failing("in other words"), true)
                        .writer()
                        .println("x"))
                .as("a pipe cannot fail in another way")
                .isInstanceOf(OutputClosedException.class);
    }

    private static final class Failing extends OutputStream {
        private final String reason;
        private int writeCount;

        Failing(final String reason) {
            this.reason = reason;
        }

        @Override
        public void write(final int value) throws IOException {
            writeCount++;
            throw new IOException(reason);
        }
    }
}
