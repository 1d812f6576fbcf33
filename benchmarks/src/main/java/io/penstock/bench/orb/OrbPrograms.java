package io.penstock.bench.orb;

import io.penstock.standalone.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the programs of other ORBs are. {@code ./penstock} builds them and says so by the environment. */
final class OrbPrograms {
    static final String OMNIORB_VARIABLE = "PENSTOCK_OMNIORB";
    static final String GLASSFISH_VARIABLE = "PENSTOCK_GLASSFISH";

    @Option(
            names = "--omniorb",
            paramLabel = "PROGRAM",
            defaultValue = "${env:" + OMNIORB_VARIABLE + "}",
            description =
                    "That calls by omniORB: orb_load of jmh/src/main/cpp/build.sh (default: what ./penstock builds).")
    private @Nullable Path omniorb;

    @Option(
            names = "--glassfish",
            paramLabel = "JAR",
            defaultValue = "${env:" + GLASSFISH_VARIABLE + "}",
            description =
                    "That serves by GlassFish's ORB: orb-peer.jar of tests/orbs (default: what ./penstock builds).")
    private @Nullable Path glassfish;

    /** Returns what is missing for CORBA; null when everything is there. */
    @Nullable
    String missing() {
        if (omniorb == null) {
            return "--omniorb: no program that calls by CORBA (make one: sh jmh/src/main/cpp/build.sh FOLDER)";
        }
        if (glassfish == null) {
            return "--glassfish: no jar to measure the bridge beside (make one: mvn package -pl tests/orbs -am)";
        }
        return null;
    }

    /** Refuses what is named and is not there. */
    void check() {
        if (omniorb != null && !Files.isExecutable(omniorb)) {
            throw CommandFailure.badInput(
                    "--omniorb: no program: " + omniorb + " (make one: sh jmh/src/main/cpp/build.sh FOLDER)");
        }
        if (glassfish != null && !Files.isReadable(glassfish)) {
            throw CommandFailure.badInput(
                    "--glassfish: no jar: " + glassfish + " (make one: mvn package -pl tests/orbs -am)");
        }
    }

    Path omniorb() {
        return there(omniorb);
    }

    Path glassfish() {
        return there(glassfish);
    }

    private Path there(final @Nullable Path program) {
        final String missing = missing();
        if (program == null || missing != null) {
            throw CommandFailure.badInput(String.valueOf(missing));
        }
        return program.toAbsolutePath();
    }
}
