package io.penstock.bench.orb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StagedSocketsTest {
    private static final int LENGTH = 16;

    @Test
    void shouldSendInPiecesOfTheBufferWhenAnArrayIsLonger() throws IOException {
        final List<Integer> writes = new ArrayList<>();
        final ByteArrayOutputStream below = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(final byte[] bytes, final int offset, final int count) {
                writes.add(count);
                super.write(bytes, offset, count);
            }
        };
        final byte[] data = bytes(50);
        try (StagedSockets.StagedOutput out = new StagedSockets.StagedOutput(below, LENGTH)) {
            out.write(data[0]);
            out.write(data, 1, 10);
            assertThat(writes).isEmpty();
            out.write(data, 11, 39);
            out.flush();
            out.flush();
        }

        assertThat(writes).containsExactly(16, 16, 16, 2);
        assertThat(below.toByteArray()).isEqualTo(data);
    }

    @Test
    void shouldReadByTheBufferWhenMoreIsAskedFor() throws IOException {
        final List<Integer> asked = new ArrayList<>();
        final byte[] data = bytes(50);
        final InputStream below = new ByteArrayInputStream(data) {
            @Override
            public synchronized int read(final byte[] bytes, final int offset, final int count) {
                asked.add(count);
                return super.read(bytes, offset, count);
            }
        };
        final byte[] read = new byte[50];
        try (StagedSockets.StagedInput in = new StagedSockets.StagedInput(below, LENGTH)) {
            for (int done = 0; done < read.length; ) {
                done += in.read(read, done, read.length - done);
            }
            assertThat(in.read(read, 0, 0)).isZero();
            assertThat(in.read(new byte[10], 0, 10)).isEqualTo(-1);
        }

        assertThat(asked).containsOnly(LENGTH);
        assertThat(read).isEqualTo(data);
    }

    @Test
    void shouldBeEqualWhenBuffersAre() {
        assertThat(new StagedSockets(5)).isEqualTo(new StagedSockets(5)).hasSameHashCodeAs(new StagedSockets(5));
        assertThat(new StagedSockets(5)).isNotEqualTo(new StagedSockets(6));
    }

    private static byte[] bytes(final int length) {
        final byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }
}
