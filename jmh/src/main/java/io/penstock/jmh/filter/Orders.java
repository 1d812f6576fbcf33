package io.penstock.jmh.filter;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;

/** The lines of a file of {@code examples/data}, one after the other and round again. */
public final class Orders {
    private final byte[] bytes;
    private final UnsafeBuffer buffer;
    private final int[] ends;
    private int index;
    private int offset;
    private int length;

    /**
     * Loads a file.
     *
     * @param name of the file.
     */
    public Orders(final String name) {
        try (InputStream file = Orders.class.getResourceAsStream("/data/" + name)) {
            if (file == null) {
                throw new IllegalArgumentException("benchmark: no such data: " + name);
            }
            bytes = file.readAllBytes();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        buffer = new UnsafeBuffer(bytes);
        ends = IntStream.range(0, bytes.length).filter(i -> bytes[i] == '\n').toArray();
    }

    /** Moves to the next message. */
    public void next() {
        index = index + 1 == ends.length ? 0 : index + 1;
        offset = index == 0 ? 0 : ends[index - 1] + 1;
        length = ends[index] - offset;
    }

    byte[] array() {
        return bytes;
    }

    /**
     * How many there are.
     *
     * @return the count of lines.
     */
    public int count() {
        return ends.length;
    }

    /**
     * The buffer that holds the message.
     *
     * @return the buffer, with all messages.
     */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /**
     * Where the message starts.
     *
     * @return offset in bytes.
     */
    public int offset() {
        return offset;
    }

    /**
     * How long the message is.
     *
     * @return length in bytes.
     */
    public int length() {
        return length;
    }
}
