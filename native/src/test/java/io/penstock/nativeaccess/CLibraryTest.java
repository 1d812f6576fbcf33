package io.penstock.nativeaccess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The libraries' tests in C, which run with the compiler's sanitizers; the programs are made by the build. */
class CLibraryTest {
    private static final Path FOLDER = Path.of(System.getProperty("penstock.native.test", "target/native-test"));

    @TestFactory
    Stream<DynamicTest> shouldPass() throws Exception {
        return run(FOLDER.resolve("library-test"));
    }

    @TestFactory
    Stream<DynamicTest> shouldPassForTheNativeMethodsOfDisni() throws Exception {
        return run(FOLDER.resolve("disni-test"));
    }

    private static Stream<DynamicTest> run(final Path program) throws Exception {
        if (!Files.exists(program)) {
            // As a test of its own, so that it is counted.
            return Stream.of(DynamicTest.dynamicTest("left out", () -> assumeTrue(false, "the build said why")));
        }
        final Process process =
                new ProcessBuilder(program.toString()).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        final int exitCode = process.waitFor();
        return Stream.concat(
                output.lines()
                        .map(line -> DynamicTest.dynamicTest(
                                line, () -> assertThat(line).startsWith("ok "))),
                Stream.of(DynamicTest.dynamicTest(
                        "ends well", () -> assertThat(exitCode).as(output).isZero())));
    }
}
