package io.penstock.jmh.format;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The lines of a file of example data, end to end, once in an array and once outside the heap. Each call of {@link #next}
 * moves to the next message, round and round, so that no branch predictor learns one message by heart.
 */
final class Messages {
    private static final int COUNT = 512;

    private final byte[] array;
    private final UnsafeBuffer buffer;
    private final int[] offsets = new int[COUNT];
    private final int[] lengths = new int[COUNT];
    private int index;

    /**
     * Loads messages.
     *
     * @param name of the file in {@code examples/data}, which has at least 512 lines.
     */
    Messages(final String name) {
        try (InputStream stream = Messages.class.getResourceAsStream("/data/" + name)) {
            array = Objects.requireNonNull(stream, name).readAllBytes();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(array.length));
        buffer.putBytes(0, array);
        int offset = 0;
        for (int i = 0; i < COUNT; i++) {
            offsets[i] = offset;
            while (array[offset] != '\n') {
                offset++;
            }
            lengths[i] = offset - offsets[i];
            offset++;
        }
    }

    void next() {
        index = (index + 1) % COUNT;
    }

    byte[] array() {
        return array;
    }

    DirectBuffer buffer() {
        return buffer;
    }

    int offset() {
        return offsets[index];
    }

    int length() {
        return lengths[index];
    }
}
