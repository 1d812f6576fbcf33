package io.penstock.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigPrinterTest {
    @TempDir
    private Path folder;

    @Test
    void shouldBeReadAsTheSameWhenPrinted() throws IOException {
        final ConfigSource source = source("""
            listen: [ "tcp://127.0.0.1:0", "inproc:a" ]
            threading: dedicated
            cpus: [2, 4]
            window: { segmentLength: 64MiB }
            topics:
              - { name: 'a"\\b\\..*', pattern: true, format: binary }
              - { name: orders, key: id, expirationMs: 5000 }
            views:
              - { name: v, source: orders, select: id }
              - { name: w, select: /o/id, join: { left: orders, leftName: o, right: v, type: left, on: /o/id = /v/id } }
            sinks: { directory: /data, files: [ { name: s } ] }
            log: { level: debug }
            bridge: { leaseMs: 70000 }
            """);
        final String printed = printed(source);
        final ConfigSource again = source(printed);

        assertThat(again.config()).isEqualTo(source.config());
        assertThat(again.bridge()).isEqualTo(source.bridge());
        assertThat(again.log()).isEqualTo(source.log());
        assertThat(printed)
                .contains("\n  segmentLength: 67108864\n")
                .contains("\n  - name: \"orders\"\n    pattern: false\n");
    }

    private static String printed(final ConfigSource source) {
        return new ConfigPrinter()
                .add(source.config())
                .add("bridge", source.bridge())
                .add("log", source.log())
                .toString();
    }

    private ConfigSource source(final String yaml) throws IOException {
        final Path file = folder.resolve("penstock.yaml");
        Files.writeString(file, yaml);
        return new ConfigSource().file(file);
    }
}
