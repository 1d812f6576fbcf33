package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a process of the runnable jar says on standard error while it serves. */
@Timeout(120)
class EventsTest {
    private static final String LISTENING = "listening on ";

    @TempDir
    private Path folder;

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldReadItsConfigurationAgainWhenHungUp() throws Exception {
        assumeThat(ignoresHangUp())
                .as("whoever started the tests has SIGHUP ignored, as nohup does, and so has the broker")
                .isFalse();
        final Path file = folder.resolve("penstock.yaml");
        Files.writeString(file, "listen: tcp://127.0.0.1:0\nlog:\n  level: info\n");
        try (Penstock broker = Penstock.start("serve", file.toString())) {
            final String endpoint = broker.awaitLine(LISTENING).substring(LISTENING.length());
            Files.writeString(
                    file, "listen: tcp://127.0.0.1:0\nlog:\n  level: debug\nformatDefault: binary\nshardCount: 2\n");
            hangUp(broker);
            broker.awaitErrorLines(
                    "INFO broker signal signal=HUP action=reload",
                    "settingChanged key=formatDefault before=json after=binary",
                    "restartNeeded key=shardCount before=1 after=2",
                    "reloaded applied=1 needRestart=1 refused=0",
                    "INFO broker settingChanged key=log.level before=info after=debug");
            Files.writeString(file, "listen: tcp://127.0.0.1:0\nlog:\n  level: dbug\n");
            hangUp(broker);
            final String refused = broker.awaitErrorLine("WARNING broker reloadRefused what=configuration reason=");
            assertThat(refused).contains("penstock.yaml:3: log.level: no such choice: dbug");

            assertThat(Penstock.runAlone("ping", "-n", "1", "-b", endpoint).exitCode())
                    .isZero();
            broker.terminate();
            assertThat(broker.await().exitCode()).isZero();
        }
    }

    @Test
    void shouldSayItAsTextWhenNothingElseIsConfigured() throws Exception {
        try (Penstock broker = Penstock.start("serve", "--listen", "tcp://127.0.0.1:0")) {
            broker.awaitLine(LISTENING);
            broker.terminate();
            final Penstock.Result result = broker.await();

            assertThat(result.err().lines())
                    .filteredOn(line -> !line.contains(" broker longDutyCycle "))
                    .isNotEmpty()
                    .allMatch(
                            line -> line.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z INFO broker .*"))
                    .anyMatch(line -> line.contains(" settings section=window "))
                    .anyMatch(line -> line.endsWith(" stopped messages=0 delivered=0"));
        }
    }

    @Test
    void shouldSayItAsJsonAndOnlyWhatMattersWhenConfigured() throws Exception {
        final Path file = folder.resolve("penstock.yaml");
        Files.writeString(
                file,
                "listen: tcp://127.0.0.1:0\nlog:\n  format: json\n  level: warning\nsessions:\n  sessionCountMax: 1\n");
        try (Penstock broker = Penstock.start("serve", file.toString())) {
            final String endpoint = broker.awaitLine(LISTENING).substring(LISTENING.length());
            try (Penstock holder = Penstock.start("subscribe", "t", "-b", endpoint)) {
                holder.awaitErrorLine("subscribed to t");
                Penstock.runAlone("ping", "-n", "1", "-b", endpoint);
            }
            broker.terminate();
            final Penstock.Result result = broker.await();

            assertThat(result.err().lines())
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("{\"time\":\"") && line.contains("\"level\":\"WARNING\""))
                    .anyMatch(line ->
                            line.contains("\"area\":\"transport\",\"event\":\"connectionRefused\",\"peer\":\"tcp:"));
        }
    }

    private static void hangUp(final Penstock broker) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-HUP", String.valueOf(broker.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Whether this process was started with SIGHUP ignored: its children inherit that, and a JVM does not change it. */
    private static boolean ignoresHangUp() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(
                                        line.substring("SigIgn:".length()).strip(), 16)
                                & 1)
                        != 0);
    }
}
