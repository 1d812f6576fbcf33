package io.penstock.nativeaccess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Which binding is chosen, and what is said when there is none. */
class NativeLibraryTest {
    private static final String AUTO = "auto";

    @TempDir
    private Path folder;

    @Test
    void shouldUseTheBestBindingWhenNoneIsAskedFor() {
        assumeLibrary();
        final int feature = Runtime.version().feature();
        final Binding expected = feature >= 22 ? Binding.FOREIGN : feature == 17 ? Binding.INCUBATOR : Binding.JNI;

        final NativeLibrary library = NativeLibrary.open(AUTO, "");

        assertThat(library.access().binding()).isEqualTo(expected);
        assertThat(library.report()).startsWith("native library: " + expected + " binding, META-INF/native/linux-");
    }

    @Test
    void shouldUseJniWhenAskedTo() {
        assumeLibrary();

        assertThat(NativeLibrary.open("jni", "").access().binding()).isEqualTo(Binding.JNI);
    }

    @Test
    void shouldSayWhatABindingNeedsWhenThisJavaHasItNot() {
        assumeLibrary();
        final boolean isOld = Runtime.version().feature() < 22;

        final NativeLibrary library = NativeLibrary.open(isOld ? "foreign" : "incubator", "");

        assertThat(library.isAvailable()).isFalse();
        assertThat(library.report())
                .endsWith(
                        isOld
                                ? " (foreign: needs Java 22 or newer)"
                                : " (incubator: needs Java 17 with --add-modules jdk.incubator.foreign)");
        assertThatThrownBy(library::access)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(library.report());
    }

    @Test
    void shouldBeAbsentWhenSwitchedOffOrAskedForSomethingElse() {
        assertThat(NativeLibrary.open("none", "").report())
                .isEqualTo("native library: not there: switched off with penstock.native=none");
        assertThat(NativeLibrary.open("jna", "").report())
                .isEqualTo("native library: not there: penstock.native: no such choice: jna"
                        + " (use auto, foreign, incubator, jni or none)");
    }

    @Test
    void shouldBeAbsentWhenTheFileGivenIsMissingOrNoLibrary() throws Exception {
        final Path text = Files.writeString(folder.resolve("text.so"), "no library");

        assertThat(NativeLibrary.open(AUTO, folder.resolve("gone.so").toString())
                        .report())
                .startsWith("native library: not there: ")
                .contains("gone.so")
                .endsWith("(give a file that is there, or leave the property out)");
        assertThat(report("-Dpenstock.native.library=" + text))
                .startsWith("native library: not there: ")
                .contains("text.so");
    }

    @Test
    void shouldNameThePlaceWhenTheJarHasNoLibraryForTheMachine() throws Exception {
        assertThat(report("-Dos.arch=riscv64"))
                .startsWith(
                        "native library: not there: not in the jar: META-INF/native/linux-riscv64/libpenstock.so (");
        assertThat(report("-Dos.name=Plan 9"))
                .startsWith("native library: not there: there is none for Plan 9 on ")
                .endsWith(" (it is for Linux)");
    }

    @Test
    void shouldLeaveNoFileBehindWhenLoaded() throws Exception {
        assumeLibrary();

        assertThat(report("-Djava.io.tmpdir=" + folder)).contains(" binding, META-INF/native/linux-");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldSayWhatToDoWhenThereIsNoPlaceToUnpackTo() throws Exception {
        assumeLibrary();

        assertThat(report("-Djava.io.tmpdir=" + folder.resolve("gone")))
                .startsWith("native library: not there: cannot be unpacked: ")
                .contains("(set -Djava.io.tmpdir to a directory ");
    }

    @Test
    void shouldTakeBindingAndFileFromPropertiesWhenGiven() throws Exception {
        assumeLibrary();
        final String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        final Path copy = folder.resolve("other name.so");
        Files.copy(Path.of("target/classes/META-INF/native/linux-" + machine + "/libpenstock.so"), copy);

        assertThat(report("-Dpenstock.native=JNI", "-Dpenstock.native.library=" + copy))
                .isEqualTo("native library: jni binding, " + copy);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_25)
    void shouldBeAbsentWhenTheProgramForbidsNativeAccess() throws Exception {
        assumeLibrary();

        assertThat(report("--illegal-native-access=deny"))
                .startsWith("native library: not there: ")
                .endsWith(" (start Java with --enable-native-access=ALL-UNNAMED)");
    }

    @Test
    void shouldRefuseALibraryWhenItWasMadeOfOtherSignatures() throws Exception {
        assumeLibrary();
        final Path source = folder.resolve("other.c");
        Files.writeString(source, """
                int penstock_version(void) { return 1; }
                int Java_io_penstock_nativeaccess_JniAccess_version0(void *env, void *type) { return 1; }
                """);
        final Path library = folder.resolve("other.so");
        run(List.of("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString()));

        final String report = report("-Dpenstock.native.library=" + library);

        assertThat(report)
                .startsWith("native library: not there: " + library + " (")
                .contains("jni: the library is another one: version 1, not " + NativeAccess.VERSION)
                .contains(
                        Runtime.version().feature() >= 22
                                ? "foreign: the library is another one: version 1, not " + NativeAccess.VERSION
                                : "foreign: needs Java 22 or newer");
    }

    @Test
    void shouldBindInAnyWayThatThisJavaHasWhenCompared() {
        assumeLibrary();

        assertThat(NativeLibrary.bind(Binding.JNI).probe(1, 1, 1)).isEqualTo(9);
        assertThatThrownBy(() ->
                        NativeLibrary.bind(Runtime.version().feature() < 22 ? Binding.FOREIGN : Binding.INCUBATOR))
                .isInstanceOf(LinkageError.class)
                .hasMessageStartingWith("needs Java ");
    }

    private static void assumeLibrary() {
        assumeTrue(NativeLibrary.get().isAvailable(), () -> NativeLibrary.get().report());
    }

    /** What a JVM of its own says that is started with some flags. */
    private static String report(final String... flags) throws Exception {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ReportMain.class.getName()));
        return run(command).reduce((first, last) -> last).orElseThrow();
    }

    private static Stream<String> run(final List<String> command) throws Exception {
        final Process process =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output.lines();
    }

    /** Prints the report as the last line. */
    static final class ReportMain {
        private ReportMain() {}

        public static void main(final String... arguments) {
            System.out.println(NativeLibrary.get().report());
        }
    }
}
