package io.penstock.broker.shard.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.nativeaccess.NativeLibrary;
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
