package io.penstock.transport.rdma.disni;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.util.MemBuf;
import com.ibm.disni.util.MemoryAllocation;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpareBuffersTest {
    private static final int LENGTH = 4096;

    @Test
    void shouldUseAllBuffersAgainWhenManyOfALengthWereFreed() throws IOException {
        SpareBuffers.install();
        SpareBuffers.install();

        final Set<Long> first = takeAndFree(100, LENGTH);

        assertThat(first).hasSize(100);
        assertThat(takeAndFree(100, LENGTH)).isEqualTo(first);
        assertThat(takeAndFree(10, LENGTH / 2)).doesNotContainAnyElementsOf(first);
    }

    @Test
    void shouldKeepNoMoreThanTheBoundWhenVeryManyWereFreed() throws IOException {
        SpareBuffers.install();

        final Set<Long> first = takeAndFree(20, 1024 * 1024);

        final Set<Long> second = takeAndFree(20, 1024 * 1024);
        second.retainAll(first);
        assertThat(second).hasSizeBetween(1, 16);
    }

    private static Set<Long> takeAndFree(final int count, final int length) {
        final MemBuf[] buffers = new MemBuf[count];
        final Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < count; i++) {
            buffers[i] = MemoryAllocation.getInstance().allocate(length);
            addresses.add(buffers[i].address());
        }
        for (final MemBuf buffer : buffers) {
            buffer.free();
        }
        return addresses;
    }
}
