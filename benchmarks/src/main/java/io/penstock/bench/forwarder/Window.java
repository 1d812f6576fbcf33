package io.penstock.bench.forwarder;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A ring of bytes that every message is copied into once. Confined to the forwarder's thread. */
final class Window {
    private static final int LENGTH = 64 * 1024 * 1024;
    private static final int MASK = LENGTH - 1;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
    private final UnsafeBuffer view = new UnsafeBuffer(bytes);
    private long released;
    private long end;

    /** Touches its memory, so that no page fault is measured. */
    Window() {
        view.setMemory(0, LENGTH, (byte) 1);
    }

    /** Where the next message goes, in bytes since the start. */
    long end() {
        return end;
    }

    /** Whether so many bytes can be appended. */
    boolean hasRoom(final int length) {
        return LENGTH - (end - released) >= length;
    }

    /** Appends bytes. There must be room for them. */
    void append(final UnsafeBuffer source, final int offset, final int length) {
        final int at = (int) (end & MASK);
        final int first = Math.min(length, LENGTH - at);
        view.putBytes(at, source, offset, first);
        if (first < length) {
            view.putBytes(0, source, offset + first, length - first);
        }
        end += length;
    }

    /** What is before a position may be overwritten. */
    void release(final long position) {
        released = position;
    }

    /** The bytes from a position on that lie together, at most so many. */
    ByteBuffer slice(final long position, final int lengthMax) {
        final int at = (int) (position & MASK);
        final int length = (int) Math.min(Math.min(lengthMax, end - position), LENGTH - at);
        return bytes.limit(at + length).position(at);
    }
}
