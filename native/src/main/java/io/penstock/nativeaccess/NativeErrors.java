package io.penstock.nativeaccess;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The texts of what the native library refuses. Any thread. */
public final class NativeErrors {
    private static final int CAPACITY = 256;

    private NativeErrors() {}

    /**
     * The system's text for a negative result.
     *
     * @param access that gave it.
     * @param result below 0.
     * @return for example {@code Bad file descriptor (errno 9)}.
     */
    public static String text(final NativeAccess access, final long result) {
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
        final int error = (int) -result;
        final int length = access.errorText(error, buffer.addressOffset(), CAPACITY);
        final String text = length < 0 ? "unknown error" : buffer.getStringWithoutLengthUtf8(0, length);
        return text + " (errno " + error + ")";
    }
}
