package io.penstock.orbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.penstock.bridge.Bridge;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.orbs.idl.PenstockBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JacORB, with the stubs that idlj makes. It is on the class path in the profile {@code jacorb} alone. */
@Timeout(180)
class JacorbClientTest {
    private static final String JARS = "/org/jacorb/|/org/slf4j/|/org/jboss/spec/";

    @TempDir
    private Path folder;

    static Stream<Path> javas() {
        return ForeignProgram.javas();
    }

    @BeforeAll
    static void assumeThere() {
        final boolean isMissing = ForeignProgram.onClassPath("/org/jacorb/").isEmpty();
        if (isMissing) {
            System.out.println("SKIPPED: JacORB's client: not on the class path (mvn test -Pjacorb -pl tests/orbs -am"
                    + " -Dtest=JacorbClientTest -Dsurefire.failIfNoSpecifiedTests=false)");
        }
        assumeFalse(isMissing, "JacORB is not on the class path (use the profile jacorb)");
    }

    @ParameterizedTest
    @MethodSource("javas")
    void shouldDoEverythingWhenJacorb(final Path java) throws Exception {
        try (ServedBroker broker = new ServedBroker();
                Bridge bridge = Bridge.launch(BridgeConfig.onIiopPort(0), broker.endpoint())) {
            final List<String> command = ForeignProgram.java(folder, java, IdlClient.class, JARS, PenstockBroker.class);
            command.addAll(List.of(
                    bridge.ior(),
                    "org.omg.CORBA.ORBClass=org.jacorb.orb.ORB",
                    "org.omg.CORBA.ORBSingletonClass=org.jacorb.orb.ORBSingleton",
                    "OAIAddr=127.0.0.1",
                    "jacorb.codeset=on",
                    "jacorb.native_char_codeset=UTF8"));

            assertThat(ForeignProgram.run(folder, command)).contains("done", "ok: taken 16777216");
        }
    }
}
