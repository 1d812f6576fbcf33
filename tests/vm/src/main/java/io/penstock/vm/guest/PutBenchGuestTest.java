package io.penstock.vm.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.vm.Guest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code penstock bench put} over the device: producers in processes of their own. 240 of the longest blocks, and the
 * connections for them, are more than the guest's memory.
 */
public class PutBenchGuestTest {
    private static final int LIMIT_S = 900;

    @TempDir
    private Path directory;

    /** Measured for as long as each producer needs to deliver more than once. */
    @ParameterizedTest
    @CsvSource({
        "64KiB, 1, 5", "64KiB, 8, 5", "64KiB, 60, 15", "64KiB, 240, 40",
        "2MiB, 1, 5", "2MiB, 8, 10", "2MiB, 60, 40", "2MiB, 240, 60",
        "8MiB, 1, 10", "8MiB, 8, 20", "8MiB, 60, 90",
    })
    void shouldMeasure(final String blockSize, final int producerCount, final int seconds) throws Exception {
        try (Program bench = Program.start(
                LIMIT_S,
                "bench",
                "put",
                "--transport=rdma",
                "--address=" + Guest.ADDRESS,
                "--producers=" + producerCount,
                "--block-sizes=" + blockSize,
                "--blocks=1",
                "--seconds=" + seconds,
                "--warm-up=5",
                "--json",
                "--directory=" + directory)) {
            final List<String> lines = bench.end();
            System.out.println("bench put: " + lines);
            assertThat(lines)
                    .singleElement()
                    .asString()
                    .contains("\"transport\":\"rdma\",\"block\":\"" + blockSize + "\",\"producers\":" + producerCount)
                    .doesNotContain("\"mb_per_s\":0,");
        }
    }
}
