package io.penstock.vm.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.vm.Guest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code penstock bench put} over the device: producers in processes of their own. What does not fit the guest's memory is
 * skipped: with 4 GiB in use peers were not heard of for minutes, and their connections ended.
 */
public class PutBenchGuestTest {
    private static final int LIMIT_S = 900;
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final Pattern TOTAL = Pattern.compile("^MemTotal: *([0-9]+) kB", Pattern.MULTILINE);

    @TempDir
    private Path directory;

    /** Measured for as long as each producer needs to deliver more than once. */
    @ParameterizedTest
    @CsvSource({
        "64KiB, 1, 5, 0", "64KiB, 8, 5, 0", "64KiB, 60, 15, 0", "64KiB, 240, 40, 0",
        "2MiB, 1, 5, 0", "2MiB, 8, 10, 0", "2MiB, 60, 40, 0", "2MiB, 240, 60, 10",
        "8MiB, 1, 10, 0", "8MiB, 8, 20, 0", "8MiB, 60, 60, 10", "8MiB, 240, 120, 10",
    })
    void shouldMeasure(final String blockSize, final int producerCount, final int seconds, final int neededGib)
            throws Exception {
        final long memoryGib = memoryGib();
        assumeTrue(
                memoryGib >= neededGib,
                () -> "it needs " + neededGib + " GiB of the guest's memory, which has " + memoryGib
                        + " (give memory=12288)");
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

    private static long memoryGib() throws IOException {
        final Matcher total = TOTAL.matcher(Files.readString(MEMORY));
        assertThat(total.find()).isTrue();
        return Long.parseLong(total.group(1)) >> 20;
    }
}
