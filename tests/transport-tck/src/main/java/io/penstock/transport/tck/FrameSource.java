package io.penstock.transport.tck;

import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Bytes from which frames are cut, so that a receiver can distinguish all frames and check every byte. */
final class FrameSource {
    static final int LENGTH_MAX = 16 * 1024 * 1024;

    /** A prime, so that consecutive frames start at bytes that have nothing to do with each other. */
    private static final int STRIDE = 7919;

    private static final int START_COUNT = 1024;

    /** On the heap, which every transport must take as well as memory. */
    private static final UnsafeBuffer BYTES = new UnsafeBuffer(random(LENGTH_MAX + STRIDE * START_COUNT));

    private FrameSource() {}

    private static byte[] random(final int length) {
        final byte[] bytes = new byte[length];
        new Random(42).nextBytes(bytes);
        return bytes;
    }

    static DirectBuffer bytes() {
        return BYTES;
    }

    /** Where the frame of that number starts. */
    static int offsetOf(final int frameNumber) {
        return (frameNumber & (START_COUNT - 1)) * STRIDE;
    }
}
