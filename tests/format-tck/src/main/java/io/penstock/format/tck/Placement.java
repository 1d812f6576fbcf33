package io.penstock.format.tck;

import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A message somewhere in a buffer, with other bytes before and, unless it ends there, behind it. */
final class Placement {
    private static final int MARGIN = 17;

    private final String name;
    private final MutableDirectBuffer buffer;
    private final int offset;
    private final int length;

    private Placement(
            final String name,
            final MutableDirectBuffer buffer,
            final int offset,
            final byte[] message,
            final int surrounding) {
        this.name = name + " at " + offset + " among " + surrounding;
        this.buffer = buffer;
        this.offset = offset;
        this.length = message.length;
        buffer.setMemory(0, buffer.capacity(), (byte) surrounding);
        buffer.putBytes(offset, message);
    }

    /** On the heap, with the same byte all around. */
    static Placement among(final byte[] message, final int offset, final int surrounding) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[offset + message.length + MARGIN]);
        return new Placement("array", buffer, offset, message, surrounding);
    }

    /** At one offset of buffers of all kinds. */
    static List<Placement> everywhere(final byte[] message, final int offset, final int surrounding) {
        final int end = offset + message.length;
        return List.of(
                among(message, offset, surrounding),
                new Placement("array end", new UnsafeBuffer(new byte[end]), offset, message, surrounding),
                new Placement("direct", direct(end + MARGIN), offset, message, surrounding),
                new Placement("direct end", direct(end), offset, message, surrounding),
                new Placement("array slice", slice(end), offset, message, surrounding),
                new Placement("expandable", new ExpandableArrayBuffer(end + MARGIN), offset, message, surrounding));
    }

    private static UnsafeBuffer direct(final int capacity) {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    }

    private static UnsafeBuffer slice(final int capacity) {
        return new UnsafeBuffer(new byte[capacity + 2 * MARGIN], MARGIN, capacity);
    }

    MutableDirectBuffer buffer() {
        return buffer;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    @Override
    public String toString() {
        return name;
    }
}
