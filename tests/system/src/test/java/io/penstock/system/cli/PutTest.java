package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PutTest {
    @TempDir
    private Path folder;

    @Test
    void shouldMergeFilesAndListTheSink() throws Exception {
        final byte[] bytes = new byte[300_001];
        new Random(5).nextBytes(bytes);
        final Path one = Files.write(folder.resolve("one.dat"), bytes);
        final Path two = Files.write(folder.resolve("two.dat"), new byte[] {1, 2, 3});
        final String sinks = folder.resolve("sinks").toString();
        try (Penstock broker = Penstock.start(
                "serve", "--listen", "tcp://127.0.0.1:0", "--set", "sinks.directory=" + sinks, "--sink", "events")) {
            final String endpoint = broker.awaitLine("listening on ").substring("listening on ".length());

            final Penstock.Result put = Penstock.run(
                    "put", "events", one.toString(), two.toString(), "--block-size", "64KiB", "-b", endpoint);
            assertThat(put.exitCode()).as(put.err()).isZero();
            assertThat(put.out()).startsWith("stored 6 blocks, 300,004 bytes of 2 files in events:");
            assertThat(Files.readAllBytes(folder.resolve("sinks/events")))
                    .startsWith(bytes)
                    .endsWith(1, 2, 3);

            final Penstock.Result piped =
                    Penstock.runWithInput("hello", "put", "events", "-", "--json", "--producers", "2", "-b", endpoint);
            assertThat(piped.exitCode()).as(piped.err()).isZero();
            assertThat(piped.out()).contains("\"blocks\":1,\"bytes\":5");

            final Penstock.Result unknown = Penstock.run("put", "nothing", one.toString(), "-b", endpoint);
            assertThat(unknown.exitCode()).isEqualTo(1);
            assertThat(unknown.err()).contains("no such sink: nothing (use one of events)");
        }
        assertThat(Penstock.run("put", "events", folder.resolve("none").toString())
                        .exitCode())
                .isEqualTo(2);
        assertThat(Penstock.run("put", "events", one.toString(), "--block-size", "x")
                        .exitCode())
                .isEqualTo(2);

        final Penstock.Result list = Penstock.run("sink", "ls", sinks, "--json");
        assertThat(list.out()).startsWith("{\"file\":\"events\",\"bytes\":300009,\"blocks\":7,\"producers\":2,");
        final Penstock.Result blocks = Penstock.run("sink", "ls", sinks, "events");
        assertThat(blocks.out().lines()).hasSize(7).first().asString().startsWith("1  at 0, 65536 bytes, crc32c ");
        assertThat(Penstock.run("sink", "verify", sinks).out()).isEqualTo("events: 7 blocks, 300,009 bytes");

        final byte[] damaged = Files.readAllBytes(folder.resolve("sinks/events"));
        damaged[70_000] ^= 1;
        Files.write(folder.resolve("sinks/events"), damaged);
        final Penstock.Result verified = Penstock.run("sink", "verify", sinks, "events");
        assertThat(verified.exitCode()).isEqualTo(1);
        assertThat(verified.out()).contains("block 2 of ", "is damaged: bytes 65536 to 131072", ", 1 damaged");
        assertThat(Penstock.run("sink", "verify", sinks, "nothing").exitCode()).isEqualTo(2);
    }

    @Test
    @Tag("one-jdk")
    void shouldMeasureWhenAsked() throws Exception {
        final Penstock.Result result = Penstock.measure(
                "put",
                "--producers",
                "1,2",
                "--block-sizes",
                "64KiB",
                "--transport",
                "ipc",
                "--seconds",
                "1",
                "--warm-up",
                "0",
                "--json",
                "--directory",
                folder.toString());

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out().lines()).hasSize(2);
        assertThat(result.out()).contains("\"transport\":\"ipc\",\"block\":\"64KiB\",\"producers\":2");
    }
}
