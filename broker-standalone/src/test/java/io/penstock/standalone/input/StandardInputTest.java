package io.penstock.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.standalone.CommandFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardInputTest {
    private static final String READ_ONLY = "pos:\t0\nflags:\t0100000\nmnt_id:\t1\n";
    private static final String WRITE_ONLY = "pos:\t0\nflags:\t0100001\nmnt_id:\t1\n";

    @TempDir
    Path folder;

    private Path java;
    private Path descriptor;

    @BeforeEach
    void make() throws IOException {
        java = Files.createDirectories(folder.resolve("java"));
        descriptor = Files.createDirectories(folder.resolve("fd")).resolve("0");
    }

    @Test
    void shouldBeClosedWhenItsDescriptorIsOfJavasOwnFile() throws IOException {
        assertThat(isClosed(READ_ONLY)).as("no descriptor").isTrue();
        link(java.toRealPath().resolve("lib/modules"));
        assertThat(isClosed(READ_ONLY)).isTrue();
        link(java.toRealPath().resolve("lib/server/classes.jsa"));
        assertThat(isClosed(READ_ONLY)).isTrue();
    }

    @Test
    void shouldBeClosedWhenItCannotBeRead() throws IOException {
        link(Path.of("/dev/null"));

        assertThat(isClosed(WRITE_ONLY)).isTrue();
        assertThat(isClosed(READ_ONLY)).isFalse();
    }

    @Test
    void shouldBeOpenWhenItIsSomebodysFile() throws IOException {
        for (final Path file : new Path[] {Path.of("pipe:[1]"), folder.resolve("orders"), java.resolve("release")}) {
            link(file);
            assertThat(isClosed(READ_ONLY)).as("%s", file).isFalse();
        }
    }

    @Test
    void shouldEndAfterOneEndWhenSomebodyTypes() {
        final Typed typed = new Typed("abc");

        assertThat(StandardInput.readMessage(typed, 10)).asString(UTF_8).isEqualTo("abc");
        assertThat(typed.endCount).isOne();
    }

    @Test
    void shouldRefuseAMessageThatIsTooLong() {
        assertThat(StandardInput.readMessage(new Typed("abc"), 3)).hasSize(3);
        assertThatThrownBy(() -> StandardInput.readMessage(new Typed("abcd"), 3))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("more than 3 bytes");
    }

    private boolean isClosed(final String flags) throws IOException {
        return StandardInput.isClosed(descriptor, Files.writeString(folder.resolve("flags"), flags), java);
    }

    private void link(final Path to) throws IOException {
        Files.deleteIfExists(descriptor);
        Files.createSymbolicLink(descriptor, to);
    }

    /** A terminal: it can be read on after each end. */
    private static final class Typed extends ByteArrayInputStream {
        private int endCount;

        Typed(final String text) {
            super(text.getBytes(UTF_8));
        }

        @Override
        public synchronized int read() {
            return counted(super.read());
        }

        @Override
        public synchronized int read(final byte[] to, final int offset, final int length) {
            return counted(super.read(to, offset, length));
        }

        private int counted(final int count) {
            endCount += count < 0 ? 1 : 0;
            return count;
        }
    }
}
