package io.penstock.orbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Compiles C++ programs with omniORB, where it is installed. */
final class OmniOrb {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path IDL = ROOT.resolve("orb-bridge-client/src/main/resources/io/penstock/orb/Penstock.idl");
    private static final Path HEADERS = Path.of("/usr/include/omniORB4/CORBA.h");

    private OmniOrb() {}

    /** Skips the calling test where there is no compiler or no omniORB, and says what is missing. */
    static void assumeInstalled() {
        for (final String program : List.of("g++", "make", "omniidl")) {
            assume(isOnPath(program), program);
        }
        assume(Files.exists(HEADERS), HEADERS.toString());
    }

    private static void assume(final boolean isThere, final String what) {
        if (!isThere) {
            System.out.println("SKIPPED: omniORB's clients: missing: " + what
                    + " (apt-get install g++ make omniidl libomniorb4-dev)");
        }
        assumeTrue(isThere, "missing: " + what);
    }

    private static boolean isOnPath(final String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /**
     * Compiles a program of one source, and the contract.
     *
     * @param source of the program.
     * @param folder for the result.
     * @return the program.
     */
    static Path compile(final Path source, final Path folder) throws IOException, InterruptedException {
        assertThat(ForeignProgram.run(folder, List.of("omniidl", "-bcxx", "-C" + folder, IDL.toString())))
                .isEmpty();
        final Path program = folder.resolve("program");
        assertThat(ForeignProgram.run(
                        folder,
                        List.of(
                                "g++",
                                "-Wall",
                                "-Wextra",
                                "-Werror",
                                "-isystem",
                                folder.toString(),
                                "-o",
                                program.toString(),
                                source.toString(),
                                folder.resolve("PenstockSK.cc").toString(),
                                "-lomniORB4",
                                "-lomnithread",
                                "-lpthread")))
                .isEmpty();
        return program;
    }

    /** Builds the example as its users do, elsewhere. */
    static Path makeExample(final Path folder) throws IOException, InterruptedException {
        final List<String> output = ForeignProgram.run(
                folder,
                List.of(
                        "make",
                        "-C",
                        ROOT.resolve("examples/cpp").toString(),
                        "CXXFLAGS=-Wall -Wextra -Werror",
                        "OUT=" + folder));
        assertThat(output).noneMatch(line -> line.contains("warning"));
        return folder.resolve("orders");
    }

    /** Builds the load of the benchmark. */
    static Path makeLoad(final Path folder) throws IOException, InterruptedException {
        final String script = ROOT.resolve("jmh/src/main/cpp/build.sh").toString();
        assertThat(ForeignProgram.run(folder, List.of("sh", script, folder.toString())))
                .isEmpty();
        return folder.resolve("orb_load");
    }
}
