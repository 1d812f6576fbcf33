package io.penstock.nativeaccess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageMemoryTest {
    @BeforeEach
    void exportForBuffers() {
        assumeTrue(InternalPackages.export("jdk.internal.misc", PageMemoryTest.class.getModule()));
    }

    @ParameterizedTest
    @CsvSource({"1, 4096", "4096, 4096", "12288, 65536", "2097152, 2097152"})
    void shouldBeZeroedAndAligned(final int length, final int alignment) {
        final PageMemory memory = PageMemory.allocate(length, alignment);
        try {
            final ByteBuffer buffer = memory.buffer();
            assertThat(buffer.isDirect()).isTrue();
            assertThat(buffer.capacity()).isEqualTo(length);
            assertThat(BufferUtil.address(buffer) % alignment).isZero();
            for (int i = 0; i < length; i++) {
                assertThat(buffer.get(i)).isZero();
                buffer.put(i, (byte) -1);
            }
        } finally {
            memory.free();
        }
    }

    @Test
    void shouldGiveBackWhatItTookOnce() {
        final PageMemory memory = PageMemory.allocate(4096, 4096);
        memory.free();
        final PageMemory next = PageMemory.allocate(4096, 4096);
        try {
            memory.free();
            next.buffer().putLong(0, 1);
            assertThat(next.buffer().getLong(0)).isEqualTo(1);
        } finally {
            next.free();
        }
    }

    @Test
    void shouldRefuseMoreThanABufferHas() {
        assertThatThrownBy(() -> PageMemory.allocate(Integer.MAX_VALUE, 4096)).isInstanceOf(ArithmeticException.class);
    }
}
