package io.penstock.orbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.BridgeConfig;
import io.penstock.orbs.idl.PenstockBroker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
    void shouldDoEverythingWhenThePeerIsGlassfishAsWell(final Path java) throws Exception {
        try (ServedBroker broker = new ServedBroker();
                GlassfishPeer peer = GlassfishPeer.launch(0, 65_536, BridgeConfig.defaults(), broker.endpoint())) {
            final List<String> command = command(java, peer.reference(), FRAGMENT_LENGTHS);

            assertThat(ForeignProgram.run(folder, command)).contains("done", "ok: taken 16777216");
        }
    }

    private List<String> command(final Path java, final String reference, final int... fragmentLengths)
            throws Exception {
        final List<String> command =
                ForeignProgram.java(folder, java, IdlClient.class, JARS, PenstockBroker.class);
        command.add(reference);
        for (final int length : fragmentLengths) {
            command.addAll(command.indexOf(reference) == command.size() - 1 ? List.of() : List.of("--"));
            GlassfishOrb.properties(0, length).forEach((name, value) -> command.add(name + "=" + value));
        }
        return command;
    }
}
