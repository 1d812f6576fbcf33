package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
class IpcTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"", "?wait=futex"})
    void shouldDeliverThroughSharedMemoryWhenProgramsAreProcessesOfTheirOwn(final String options) throws Exception {
        final String endpoint = "ipc:" + folder.resolve("broker") + options;
        try (Penstock broker = Penstock.start("serve", "--listen", endpoint)) {
            assertThat(broker.awaitLine("listening on ")).endsWith(endpoint);
            try (Penstock subscriber = Penstock.start("subscribe", "t", "-n", "2", "-b", endpoint)) {
                subscriber.awaitErrorLine("subscribed to t");

                final Penstock.Result published =
                        Penstock.runAloneWithInput("{\"n\":1}\n{\"n\":2}\n", "publish", "t", "-b", endpoint);

                assertThat(published.exitCode()).as(published.err()).isZero();
                assertThat(subscriber.await().out()).isEqualTo("{\"n\":1}\n{\"n\":2}");
            }
            final Penstock.Result second = Penstock.runAlone("serve", "--listen", endpoint);
            assertThat(second.exitCode()).isNotZero();
            assertThat(second.err()).contains("cannot listen: already in use");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ipc", "ipc_futex"})
    void shouldMeasureWhenTheTransportIsSharedMemory(final String transport) throws Exception {
        final Penstock.Result result =
                Penstock.measure("--transport", transport, "--seconds", "1", "--warm-up", "0.2", "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("\"transport\":\"" + transport + "\"");
    }
}
