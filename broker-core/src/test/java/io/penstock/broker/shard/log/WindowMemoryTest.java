package io.penstock.broker.shard.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.nativeaccess.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowMemoryTest {
    private static final int HUGE_PAGE_LENGTH = 2 * 1024 * 1024;

    @ParameterizedTest
    @CsvSource({"16384, 4096, false", "16384, 4096, true", "4194304, 2097152, false", "4194304, 2097152, true"})
    void shouldBeginAtAPageWithZeroedMemory(final int segmentLength, final int alignment, final boolean isHuge) {
        final WindowMemory memory =
                WindowMemory.allocate(new WindowSettings(segmentLength, 3, isHuge, WindowSettings.ANY_NODE));
        try {
            assertThat(memory.segments()).hasSize(3);
            for (final UnsafeBuffer each : memory.segments()) {
                assertThat(each.capacity()).isEqualTo(segmentLength);
                assertThat(each.addressOffset() % alignment).isZero();
                assertThat(Objects.requireNonNull(each.byteBuffer()).capacity()).isEqualTo(segmentLength);
                assertThat(each.getLong(0) | each.getLong(segmentLength - Long.BYTES))
                        .isZero();
            }
        } finally {
            memory.free();
        }
    }

    @Test
    void shouldConsistOfHugePagesWhenTheSystemHasThem() throws IOException {
        assumeTrue(NativeLibrary.get().isAvailable());
        final Path switches = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        assumeTrue(Files.isReadable(switches) && !Files.readString(switches).contains("[never]"));
        final WindowMemory memory =
                WindowMemory.allocate(new WindowSettings(4 * HUGE_PAGE_LENGTH, 3, true, WindowSettings.ANY_NODE));
        try {
            for (final UnsafeBuffer each : memory.segments()) {
                assertThat(hugeKib(each.addressOffset())).isGreaterThanOrEqualTo(HUGE_PAGE_LENGTH / 1024);
            }
        } finally {
            memory.free();
        }
    }

    /** How much of the mapping that an address lies in is huge pages. */
    private static long hugeKib(final long address) throws IOException {
        boolean isInside = false;
        for (final String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                final String[] bounds = line.substring(0, line.indexOf(' ')).split("-", 2);
                isInside = Long.parseUnsignedLong(bounds[0], 16) <= address
                        && address < Long.parseUnsignedLong(bounds[1], 16);
            } else if (isInside && line.startsWith("AnonHugePages:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return 0;
    }

    @Test
    void shouldLieOnTheNodeThatIsNamed() {
        assumeTrue(NativeLibrary.get().isAvailable());
        final WindowMemory memory = WindowMemory.allocate(new WindowSettings(HUGE_PAGE_LENGTH, 3, false, 0));
        try {
            for (final UnsafeBuffer each : memory.segments()) {
                assertThat(NativeLibrary.get().access().memoryNode(each.addressOffset()))
                        .isZero();
            }
        } finally {
            memory.free();
        }
    }

    @Test
    void shouldRefuseANodeThatIsNotThere() {
        assumeTrue(NativeLibrary.get().isAvailable());
        assertThatThrownBy(() -> WindowMemory.allocate(new WindowSettings(16_384, 3, false, 900)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("window.node: no memory on node 900 of ");
    }
}
