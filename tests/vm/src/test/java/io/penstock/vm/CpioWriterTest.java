package io.penstock.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpioWriterTest {
    @Test
    void shouldWriteWhatAKernelReads(@TempDir final Path folder) throws IOException {
        final Path file = folder.resolve("archive");
        try (CpioWriter out = new CpioWriter(file)) {
            out.folder("bin");
            out.file("init", "hello".getBytes(StandardCharsets.US_ASCII));
        }

        final String written = Files.readString(file, StandardCharsets.ISO_8859_1);

        final String header = "070701" + "00000002" + "000081ed" + "00000000".repeat(2) + "00000001" + "00000000"
                + "00000005" + "00000000".repeat(4) + "00000005" + "00000000";
        assertThat(written).startsWith("070701" + "00000001" + "000041ed");
        assertThat(written).contains(header + "init\0\0" + "hello\0\0\0" + "070701");
        assertThat(written).contains("TRAILER!!!");
        assertThat(written.length() % 4).isZero();
    }
}
