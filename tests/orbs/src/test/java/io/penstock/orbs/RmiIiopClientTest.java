package io.penstock.orbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.BridgeConfig;
import io.penstock.bridge.rmiiiop.RmiIiopConfig;
import io.penstock.bridge.rmiiiop.RmiIiopServer;
import io.penstock.orb.PenstockBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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
    void shouldDoEverythingButBeCalled(final Path java) throws Exception {
        try (ServedBroker broker = new ServedBroker();
                RmiIiopServer server =
                        RmiIiopServer.launch(RmiIiopConfig.onPort(0), BridgeConfig.defaults(), broker.endpoint())) {
            assertPasses(java, server.reference(), 1024);
            assertPasses(java, "corbaloc:iiop:1.2@127.0.0.1:" + server.port() + "/" + RmiIiopServer.KEY, 65_536);
        }
    }

    private void assertPasses(final Path java, final String reference, final int fragmentLength) throws Exception {
        final List<String> command = ForeignProgram.java(folder, java, RmiIiopClient.class, JARS, PenstockBroker.class);
        command.add(reference);
        GlassfishOrb.properties(0, fragmentLength).forEach((name, value) -> command.add(name + "=" + value));

        assertThat(ForeignProgram.run(folder, command)).contains("done", "ok: taken 16777216");
    }
}
