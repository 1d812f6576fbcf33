package io.penstock.orbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.BridgeConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** C++ programs with omniORB. */
@Timeout(180)
class OmniOrbClientTest {
    private static final Path CHECK = Path.of("src/test/cpp/check.cc");
    private static final String PLAIN = "plain";
    private static final String NOT_ASCII = "grün-日本";

    @TempDir
    private static Path build;

    private static Path check = CHECK;

    @TempDir
    private Path folder;

    @BeforeAll
    static void compile() throws Exception {
        OmniOrb.assumeInstalled();
        check = OmniOrb.compile(CHECK, build);
    }

    @Test
    void shouldDoEverythingWhenThePeerIsGlassfish() throws Exception {
        try (ServedBroker broker = new ServedBroker();
                GlassfishPeer peer = GlassfishPeer.launch(0, 65_536, BridgeConfig.defaults(), broker.endpoint())) {
            assertPasses(peer.reference(), NOT_ASCII);
        }
    }

    private void assertPasses(final String reference, final String topic, final String... options) throws Exception {
        final List<String> command = new ArrayList<>(List.of(check.toString(), reference, topic));
        command.addAll(List.of(options));
        assertThat(ForeignProgram.run(folder, command)).contains("done", "ok: taken 16777216", "ok: topic " + topic);
    }
}
