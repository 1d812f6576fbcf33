package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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

    @Test
    void shouldCarryWhatTheJvmNeedsWhenReadAsAManifest() throws Exception {
        assertThat(Penstock.manifest())
                .contains(
                        "Main-Class: io.penstock.standalone.Main",
                        "Add-Exports: java.base/jdk.internal.misc java.base/sun.nio.ch",
                        "Enable-Native-Access: ALL-UNNAMED",
                        "Multi-Release: true");
    }
}
