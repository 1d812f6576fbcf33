package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunnableJarTest {
    @Test
    void shouldSayVersionAndNothingElseWhenRunWithoutFlags() throws Exception {
        final Penstock.Result result = Penstock.runAlone("--version");

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).startsWith("Penstock ").contains("on Java " + Runtime.version());
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void shouldShowHelpAndFailWhenThereIsNoCommand() throws Exception {
        final Penstock.Result result = Penstock.runAlone();

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("Usage: penstock", "Examples:");
    }

    @Test
    void shouldNameTheWordAndTheRemedyWhenACommandIsUnknown() throws Exception {
        final Penstock.Result result = Penstock.runAlone("sevre");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("'sevre'", "penstock --help");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bench", "bench --help", "bench orb --quick", "bench --no-such-option 1 -- x"})
    void shouldSayHowToGetTheBenchmarksWhenTheirJarIsNotThere(final String arguments) throws Exception {
        final Penstock.Result result = Penstock.runAlone(arguments.split(" ", -1));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .isEqualTo("penstock bench: penstock-benchmarks.jar: not found (put it beside penstock.jar, or on the"
                        + " class path; in the sources, ./penstock bench builds it)");
    }

    @Test
    void shouldListTheBenchmarksWhenTheirJarIsNotThere() throws Exception {
        final Penstock.Result result = Penstock.runAlone("--help");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).containsPattern("(?m)^  bench +Measures .*penstock-benchmarks\\.jar");
    }

    @Test
    void shouldRunTheBenchmarksWhenTheirJarIsOnTheClassPath() throws Exception {
        final List<String> command = new ArrayList<>(Penstock.java());
        command.addAll(List.of(
                "-cp", Penstock.jar() + ":" + Penstock.benchmarksJar(), "io.penstock.standalone.Main", "bench", "-h"));
        try (Penstock penstock = Penstock.start(Penstock.processOf(command))) {
            final Penstock.Result result = penstock.await();

            assertThat(result.exitCode()).as(result.err()).isZero();
            assertThat(result.out()).contains("Usage: penstock bench", "Examples:");
        }
    }

    @Test
    void shouldHaveNothingOfTheRunnableJarWhenTheJarOfTheBenchmarks() throws Exception {
        final Set<String> benchmarks = Penstock.entries(Penstock.benchmarksJar());
        benchmarks.removeAll(Set.of("META-INF/MANIFEST.MF", "META-INF/LICENSE"));

        assertThat(benchmarks)
                .contains("io/penstock/bench/BenchCommand.class")
                .doesNotContainAnyElementsOf(Penstock.entries(Penstock.jar()));
        assertThat(Penstock.entries(Penstock.jar())).noneMatch(name -> name.contains("/bench/"));
    }

    @Test
    void shouldCarryWhatTheJvmNeedsWhenReadAsAManifest() throws Exception {
        assertThat(Penstock.manifest())
                .contains(
                        "Main-Class: io.penstock.standalone.Main",
                        "Add-Exports: java.base/jdk.internal.misc java.base/sun.nio.ch",
                        "Enable-Native-Access: ALL-UNNAMED",
                        "Class-Path: penstock-benchmarks.jar",
                        "Multi-Release: true");
    }

    @Test
    void shouldPassVerificationAndBeFitForArchivesWhenClassesOfJava5HaveStackMaps() throws Exception {
        final List<String> names = Penstock.entries(Penstock.jar()).stream()
                .filter(name -> name.startsWith("picocli/") && name.endsWith(".class"))
                .toList();
        assertThat(names).hasSizeGreaterThan(100);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {Penstock.jar().toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            for (final String name : names) {
                try (InputStream in = loader.getResourceAsStream(name)) {
                    assertThat(in.readNBytes(8)[7]).as("version of " + name).isGreaterThanOrEqualTo((byte) 50);
                }
                // Links the class: this is where it is verified.
                Class.forName(name.replace('/', '.').replaceFirst("\\.class$", ""), true, loader);
            }
        }
    }
}
