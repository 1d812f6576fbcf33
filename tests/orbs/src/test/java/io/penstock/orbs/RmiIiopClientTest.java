package io.penstock.orbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.rmiiiop.RmiIiopConfig;
import io.penstock.bridge.rmiiiop.RmiIiopServer;
import io.penstock.orb.PenstockBroker;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** GlassFish's ORB, with the contract's Java interface and stubs that it makes itself. */
@Timeout(180)
class RmiIiopClientTest {
    private static final String JARS = GlassfishClientTest.JARS + "|/org/ow2/asm/";

    @TempDir
    private Path folder;

    static Stream<Path> javas() {
        return ForeignProgram.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void shouldDoEverything(final Path java) throws Exception {
        try (ServedBroker broker = new ServedBroker();
                RmiIiopServer server =
                        RmiIiopServer.launch(RmiIiopConfig.onPort(0), BridgeConfig.defaults(), broker.endpoint())) {
            final String byName = "corbaloc:iiop:1.2@127.0.0.1:" + server.port() + "/" + RmiIiopServer.KEY;

            assertPasses(java, byName, 65_536);
        }
    }

    @Test
    void shouldDoEverythingWhenServedByAProgramOfItsOwn() throws Exception {
        final Path java = javas().findFirst().orElseThrow();
        try (ServedBroker broker = new ServedBroker()) {
            final Process process = new ProcessBuilder(
                            java.toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "io.penstock.bridge.rmiiiop.Main",
                            "broker=" + broker.ipcEndpoint(),
                            "port=0")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(output.readLine())
                        .matches("RMI-IIOP clients on 127.0.0.1:[1-9]\\d*, for " + broker.ipcEndpoint());
                assertPasses(java, output.readLine(), 1024);
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void shouldSayWhatItTakesWhenGivenSomethingElse() throws Exception {
        final Process process = new ProcessBuilder(
                        javas().findFirst().orElseThrow().toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.penstock.bridge.rmiiiop.Main",
                        "prot=1")
                .redirectErrorStream(true)
                .start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(output).contains("prot=1: not a setting (use broker=URI, port=N");
    }

    private void assertPasses(final Path java, final String reference, final int fragmentLength) throws Exception {
        final List<String> command = ForeignProgram.java(folder, java, RmiIiopClient.class, JARS, PenstockBroker.class);
        command.add(reference);
        GlassfishOrb.properties(0, fragmentLength).forEach((name, value) -> command.add(name + "=" + value));

        assertThat(ForeignProgram.run(folder, command)).contains("done", "ok: taken 16777216", "ok: called 16777216");
    }
}
