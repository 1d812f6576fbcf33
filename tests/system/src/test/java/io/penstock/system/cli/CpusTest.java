package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The runnable jar pins its threads, by the native library that is packed into it. */
class CpusTest {
    private static final Pattern PLACEMENT = Pattern.compile("(\\S+) on CPU (\\d+) \\(thread (\\d+)\\)");

    @Test
    void shouldSayAndDoWhereThreadsRunWhenCpusAreGiven() throws Exception {
        assumeTrue(hasLibrary(), "the jar was built without a C compiler");
        try (Penstock broker = Penstock.start(
                "serve",
                "--listen",
                "inproc:cpus",
                "--threading",
                "dedicated",
                "--set",
                "log.level=error",
                "--set",
                "cpus=" + firstCpu())) {
            final Matcher placement = PLACEMENT.matcher(broker.awaitLine("sequencer-0 on CPU "));

            assertThat(placement.matches()).isTrue();
            broker.awaitLine("listening on ");
            final Path status = Path.of("/proc", "" + broker.pid(), "task", placement.group(3), "status");
            assertThat(Files.readString(status))
                    .contains("Name:\tpenstock-sequen\n", "Cpus_allowed_list:\t" + firstCpu() + "\n");
            broker.terminate();
            final Penstock.Result result = broker.await();
            assertThat(result.err()).isEmpty();
            assertThat(result.exitCode()).isZero();
        }
    }

    @Test
    void shouldSayWhatIsMissingWhenThereIsNoNativeLibrary() throws Exception {
        try (Penstock broker = Penstock.startWith(
                List.of("-Dpenstock.native=none"), "serve", "--listen", "inproc:cpus", "--set", "cpus=0")) {
            final Penstock.Result result = broker.await();

            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err())
                    .isEqualTo("penstock serve: cpus: threads cannot be pinned: native library: not there: switched off"
                            + " with penstock.native=none (leave cpus out to let the kernel place them)");
        }
    }

    @Test
    void shouldNameTheCpuWhenItIsNotThere() throws Exception {
        assumeTrue(hasLibrary(), "the jar was built without a C compiler");

        final Penstock.Result result = Penstock.runAlone("serve", "--listen", "inproc:cpus", "--set", "cpus=8000");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).startsWith("penstock serve: cpus: not available to this process: 8000 (use some of [");
    }

    private static boolean hasLibrary() throws Exception {
        try (JarFile jar = new JarFile(Penstock.jar().toFile())) {
            return jar.stream().anyMatch(each -> each.getName().endsWith("/libpenstock.so"));
        }
    }

    /** The first CPU that this process may run on. */
    private static String firstCpu() throws Exception {
        final Matcher first =
                Pattern.compile("Cpus_allowed_list:\\s*(\\d+)").matcher(Files.readString(Path.of("/proc/self/status")));
        assertThat(first.find()).isTrue();
        return first.group(1);
    }
}
