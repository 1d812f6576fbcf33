package io.penstock.orbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Bridge;
import io.penstock.bridge.config.BridgeConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-ORBmaxGIOPVersion 1.2",
                "-ORBmaxGIOPVersion 1.1",
                "-ORBoneCallPerConnection 0 -ORBmaxGIOPConnectionPerServer 1",
                "-ORBstrictIIOP 1"
            })
    void shouldDoEverythingWhateverItsOptionsAre(final String options) throws Exception {
        try (ServedBroker broker = new ServedBroker();
                Bridge bridge = Bridge.launch(BridgeConfig.onIiopPort(0), broker.endpoint())) {
            assertPasses(bridge.ior(), NOT_ASCII, options);
        }
    }

    @Test
    void shouldFindTheGuestsWhenAskedByTheirName() throws Exception {
        try (ServedBroker broker = new ServedBroker();
                Bridge bridge = Bridge.launch(BridgeConfig.onIiopPort(0), broker.endpoint())) {
            assertPasses(corbaloc(bridge), NOT_ASCII, "-ORBmaxGIOPVersion 1.2");
        }
    }

    /** It has no fragments, and says nothing about its characters. */
    @Test
    void shouldDoEverythingWhenItSpeaksTheOldestProtocol() throws Exception {
        try (ServedBroker broker = new ServedBroker();
                Bridge bridge = Bridge.launch(BridgeConfig.onIiopPort(0), broker.endpoint())) {
            assertPasses(bridge.ior(), PLAIN, "-ORBmaxGIOPVersion 1.0");
        }
    }

    @Test
    void shouldPrintWhatItTakesIsCalledForAndFindsWhenTheExample() throws Exception {
        final Path orders = OmniOrb.makeExample(build);
        try (ServedBroker broker = new ServedBroker();
                Bridge bridge = Bridge.launch(BridgeConfig.onIiopPort(0), broker.endpoint())) {
            assertThat(ForeignProgram.run(folder, List.of(orders.toString(), corbaloc(bridge))))
                    .containsExactlyInAnyOrder(
                            "taken: {\"symbol\": \"IBM\", \"price\": 101.5}",
                            "taken: {\"symbol\": \"SAP\", \"price\": 120.25}",
                            "called: {\"symbol\": \"IBM\", \"price\": 101.5}",
                            "called: {\"symbol\": \"SAP\", \"price\": 120.25}",
                            "found: {\"symbol\": \"IBM\", \"price\": 99.5}",
                            "found: {\"symbol\": \"SAP\", \"price\": 120.25}");
        }
    }

    @Test
    void shouldCountCallsWhenItIsTheLoadOfTheBenchmark() throws Exception {
        final Path load = OmniOrb.makeLoad(build);
        try (ServedBroker broker = new ServedBroker();
                Bridge bridge = Bridge.launch(BridgeConfig.onIiopPort(0), broker.endpoint())) {
            for (final String operation : List.of("echo", "publish")) {
                final List<String> output = ForeignProgram.run(
                        folder, List.of(load.toString(), bridge.ior(), operation, "4", "2", "1024", "0.1", "0.3"));

                assertThat(output).hasSize(1);
                assertThat(output.get(0))
                        .matches("\\{\"calls\": [1-9].*\"errors\": 0, \"p50Us\": [1-9].*\"histogram\": \\[\\[.*]]}");
            }
        }
    }

    private static String corbaloc(final Bridge bridge) {
        return "corbaloc:iiop:1.2@127.0.0.1:" + bridge.iiopPort() + "/PenstockBroker";
    }

    /** The peer that ours is measured beside serves the same. */
    @Test
    void shouldDoEverythingWhenThePeerIsGlassfish() throws Exception {
        try (ServedBroker broker = new ServedBroker();
                GlassfishPeer peer = GlassfishPeer.launch(0, 65_536, BridgeConfig.defaults(), broker.endpoint())) {
            assertPasses(peer.reference(), NOT_ASCII, "-ORBmaxGIOPVersion 1.2");
        }
    }

    private void assertPasses(final String reference, final String topic, final String options) throws Exception {
        final List<String> command = new ArrayList<>(List.of(check.toString(), reference, topic));
        Pattern.compile(" ").splitAsStream(options).forEach(command::add);
        assertThat(ForeignProgram.run(folder, command)).contains("done", "ok: taken 16777216", "ok: topic " + topic);
    }
}
