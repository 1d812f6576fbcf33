package io.penstock.transport.rdma.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.nativeaccess.DisniLibrary;
import io.penstock.transport.RequiredFlags;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said where it cannot work; in JVMs of their own. */
class DisniVerbsProviderTest {
    @Test
    void shouldNameTheNativeLibraryWhenThereIsNone() throws Exception {
        assertThat(report("-Dpenstock.native=none", RequiredFlags.ADD_EXPORTS))
                .isEqualTo(
                        "rdma: DiSNI cannot be used: native library: not there: switched off with penstock.native=none");
    }

    @Test
    void shouldSayHowToBuildItWhenTheLibraryIsMissing() throws Exception {
        assertThat(report("-Dpenstock.disni.library=/gone.so")).contains("/gone.so");
    }

    @Test
    void shouldNameTheModuleWhenTheKernelHasNoConnectionManager() throws Exception {
        assumeLibrary();
        assumeFalse(Files.exists(Path.of("/dev/infiniband/rdma_cm")), "there is one");

        assertThat(report())
                .startsWith("rdma: DiSNI cannot be used: ")
                .containsAnyOf("modprobe rdma_ucm", "install the libraries of rdma-core", "apt-get install");
    }

    private static void assumeLibrary() {
        try {
            DisniLibrary.load();
        } catch (final IOException e) {
            assumeTrue(false, e.getMessage());
        }
    }

    private static String report(final String... flags) throws Exception {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ReportMain.class.getName()));
        final Process process =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().reduce((first, last) -> last).orElseThrow();
    }

    /** Opens the provider, and prints why that fails. */
    static final class ReportMain {
        private ReportMain() {}

        public static void main(final String... arguments) {
            RequiredFlags.check();
            try {
                new DisniVerbsProvider().open().close();
                System.out.println("works");
            } catch (final IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
