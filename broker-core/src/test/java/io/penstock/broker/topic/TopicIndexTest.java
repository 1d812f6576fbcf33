package io.penstock.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicIndexTest {
    private static final int OFFSET = 3;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 15, 16, 17, 23, 24, 25, 255})
    void shouldDistinguishNamesThatDifferInOneByte(final int length) {
        final byte[] name = new byte[length];
        new Random(length).nextBytes(name);
        // As long as it has to be: a byte more would be out of bounds.
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[OFFSET + length]);
        buffer.putBytes(OFFSET, name);

        assertThat(TopicIndex.equal(new UnsafeBuffer(name), buffer, OFFSET, length))
                .isTrue();
        for (int i = 0; i < length; i++) {
            buffer.putByte(OFFSET + i, (byte) (name[i] + 1));
            assertThat(TopicIndex.equal(new UnsafeBuffer(name), buffer, OFFSET, length))
                    .as("byte %d", i)
                    .isFalse();
            buffer.putByte(OFFSET + i, name[i]);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8, 9})
    void shouldDistinguishNamesOfOtherLengths(final int length) {
        final UnsafeBuffer zeros = new UnsafeBuffer(new byte[length + 1]);

        assertThat(TopicIndex.equal(new UnsafeBuffer(new byte[length]), zeros, 0, length + 1))
                .isFalse();
        assertThat(TopicIndex.equal(new UnsafeBuffer(new byte[length]), zeros, 0, length - 1))
                .isFalse();
    }
}
