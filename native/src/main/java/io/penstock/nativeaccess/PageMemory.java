package io.penstock.nativeaccess;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * Zeroed memory outside of Java's heap that begins at a page. With the native library the system gives it, and gives each page
 * when it is first touched, so that the memory may still be placed, and asked to be in huge pages, at no cost. Without the library
 * it is a direct buffer, whose pages are there already. Used by one thread at a time.
 */
public final class PageMemory {
    /** Of the pages that addresses are aligned to, in bytes. */
    public static final int PAGE_LENGTH = 4096;

    /** What has mapped it; null for a direct buffer. */
    private final @Nullable NativeAccess access;

    private final ByteBuffer whole;
    private final ByteBuffer buffer;

    private boolean isFree;

    private PageMemory(
            final @Nullable NativeAccess access, final ByteBuffer whole, final int length, final int alignment) {
        this.access = access;
        this.whole = whole;
        final int offset = (alignment - whole.alignmentOffset(0, alignment)) & (alignment - 1);
        buffer = whole.slice(offset, length);
    }

    /**
     * Takes memory.
     *
     * @param length    in bytes.
     * @param alignment of its address in bytes, a power of two of at least {@link #PAGE_LENGTH}.
     * @return the memory, to be given back with {@link #free()}.
     * @throws OutOfMemoryError when there is none.
     */
    public static PageMemory allocate(final int length, final int alignment) {
        final int taken = Math.addExact(length, alignment);
        final NativeLibrary library = NativeLibrary.get();
        if (library.isAvailable()) {
            final NativeAccess access = library.access();
            final long address = access.memoryMap(-1, taken, 0);
            if (address > 0) {
                return new PageMemory(access, buffer0(address, taken), length, alignment);
            }
        }
        return new PageMemory(null, ByteBuffer.allocateDirect(taken), length, alignment);
    }

    /**
     * The memory.
     *
     * @return a direct buffer of the length asked for; not to be touched any more when the memory was given back.
     */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Gives the memory back. Nobody may read or write it from then on. Idempotent. */
    public void free() {
        if (isFree) {
            return;
        }
        isFree = true;
        if (access == null) {
            BufferUtil.free(whole);
        } else {
            final int unmapped = access.memoryUnmap(BufferUtil.address(whole), whole.capacity());
            assert unmapped == 0 : NativeErrors.text(access, unmapped);
        }
    }

    private static native ByteBuffer buffer0(long address, long length);
}
