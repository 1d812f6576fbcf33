package io.penstock.orbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Bridge;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.orbs.idl.PenstockBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** GlassFish's ORB, with what idlj makes of the contract. */
@Timeout(180)
class GlassfishClientTest {
    static final String JARS = "/org/glassfish/";

    private static final int[] FRAGMENT_LENGTHS = {1024, 4096, 65_536};

    @TempDir
    private Path folder;

    static Stream<Path> javas() {
        return ForeignProgram.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void shouldDoEverythingWhateverItsFragmentsAre(final Path java) throws Exception {
        try (ServedBroker broker = new ServedBroker();
                Bridge bridge = Bridge.launch(BridgeConfig.onIiopPort(0), broker.endpoint())) {
            final List<String> output = run(java, bridge.ior(), FRAGMENT_LENGTHS);

            assertThat(output).contains("done");
            assertThat(output.stream().filter("ok: taken 16777216"::equals)).hasSize(FRAGMENT_LENGTHS.length);
        }
    }

    @Test
    void shouldFindTheGuestsWhenAskedByTheirName() throws Exception {
        try (ServedBroker broker = new ServedBroker();
                Bridge bridge = Bridge.launch(BridgeConfig.onIiopPort(0), broker.endpoint())) {
            final String reference = "corbaloc:iiop:1.2@127.0.0.1:" + bridge.iiopPort() + "/PenstockBroker";

            assertThat(run(javas().findFirst().orElseThrow(), reference, 4096)).contains("done");
        }
    }

    private List<String> run(final Path java, final String reference, final int... fragmentLengths) throws Exception {
        final List<String> command = ForeignProgram.java(folder, java, IdlClient.class, JARS, PenstockBroker.class);
        command.add(reference);
        for (final int length : fragmentLengths) {
            if (length != fragmentLengths[0]) {
                command.add("--");
            }
            GlassfishOrb.properties(0, length).forEach((name, value) -> command.add(name + "=" + value));
        }
        return ForeignProgram.run(folder, command);
    }
}
