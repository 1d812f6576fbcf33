package io.penstock.standalone.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.standalone.CommandFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineReaderTest {
    private static final int LINE_LENGTH_MAX = 200_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|''",
                "a|1:a",
                "a\\n|1:a",
                "a\\nb|1:a 2:b",
                "a\\r\\nb\\r\\n|1:a 2:b",
                "\\n\\na\\n\\nb\\n\\n|3:a 5:b",
                "\\r\\n\\r\\na|3:a",
            })
    void shouldGiveLinesWithTheirNumbersWhenReadToTheEnd(final String text, final String lines) throws IOException {
        final byte[] bytes = text.replace("\\n", "\n").replace("\\r", "\r").getBytes(StandardCharsets.UTF_8);

        assertThat(String.join(" ", read(new ByteArrayInputStream(bytes)))).isEqualTo(lines);
    }

    @Test
    void shouldGiveTheSameLinesWhenInputComesInPieces() throws IOException {
        final long seed = Long.getLong("penstock.seed", 42);
        final Random random = new Random(seed);
        for (int run = 0; run < 50; run++) {
            final List<String> expected = new ArrayList<>();
            final StringBuilder text = new StringBuilder();
            for (int line = 1; line <= 30; line++) {
                final String content = "x".repeat(random.nextInt(4) * random.nextInt(40_000));
                text.append(content).append('\n');
                if (!content.isEmpty()) {
                    expected.add(line + ":" + content);
                }
            }
            final byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);

            assertThat(read(new Pieces(bytes, random))).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void shouldNameTheFileWhenItCannotBeRead() throws IOException {
        final InputStream directory = Files.newInputStream(Path.of("/"));

        assertThatThrownBy(() -> new LineReader(directory, "/", LINE_LENGTH_MAX).next())
                .isInstanceOf(CommandFailure.class)
                .hasMessage("/: cannot be read: Is a directory (give a file whose disk is good)");
    }

    @Test
    void shouldNameFileAndLineWhenALineIsTooLong() {
        final byte[] bytes = ("short\n" + "x".repeat(LINE_LENGTH_MAX + 1)).getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> read(new ByteArrayInputStream(bytes)))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith("in.ndjson:2: longer than 200000 bytes");
    }

    private static List<String> read(final InputStream in) throws IOException {
        final LineReader reader = new LineReader(in, "in.ndjson", LINE_LENGTH_MAX);
        final List<String> lines = new ArrayList<>();
        while (reader.next()) {
            lines.add(reader.lineNumber() + ":"
                    + reader.buffer().getStringWithoutLengthUtf8(reader.offset(), reader.length()));
        }
        return lines;
    }

    /** Gives the bytes in pieces of random length. */
    private static final class Pieces extends ByteArrayInputStream {
        private final Random random;

        private Pieces(final byte[] bytes, final Random random) {
            super(bytes);
            this.random = random;
        }

        @Override
        public synchronized int read(final byte[] buffer, final int offset, final int length) {
            return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(50_000)));
        }
    }
}
