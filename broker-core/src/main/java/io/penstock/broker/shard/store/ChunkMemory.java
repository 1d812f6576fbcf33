package io.penstock.broker.shard.store;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.nativeaccess.NativeLibrary;
import org.agrona.UnsafeApi;
import org.jspecify.annotations.Nullable;

/**
 * The system's memory for chunks of one length. With the native library, chunks of whole huge pages are mapped: they begin at such
 * a page, so that nothing of them is lost, the system is asked for huge pages, and what is given back goes to the system at once.
 * Else they come from the system's allocator. Immutable; any thread.
 */
final class ChunkMemory {
    /** Of a huge page, in bytes. */
    static final int HUGE_PAGE_LENGTH = 2 << 20;

    private static final int TOUCH_STRIDE = 4096;

    private final int length;
    private final @Nullable NativeAccess access;

    private ChunkMemory(final int length, final @Nullable NativeAccess access) {
        this.length = length;
        this.access = access;
    }

    /** Memory in the best way that there is. */
    static ChunkMemory of(final int length) {
        final boolean isMapped =
                length % HUGE_PAGE_LENGTH == 0 && NativeLibrary.get().isAvailable();
        return new ChunkMemory(length, isMapped ? NativeLibrary.get().access() : null);
    }

    /** Memory of the system's allocator. */
    static ChunkMemory allocated(final int length) {
        return new ChunkMemory(length, null);
    }

    boolean isMapped() {
        return access != null;
    }

    /**
     * Takes a chunk.
     *
     * @return address.
     */
    long take() {
        final NativeAccess mapping = access;
        return mapping == null ? UnsafeApi.allocateMemory(length) : map(mapping);
    }

    /**
     * Takes a chunk and touches it, so that no page fault comes later.
     *
     * @return address.
     */
    long takeTouched() {
        final long address = take();
        for (int offset = 0; offset < length; offset += TOUCH_STRIDE) {
            UnsafeApi.putByte(address + offset, (byte) 0);
        }
        return address;
    }

    /** Gives a chunk back. */
    void give(final long address) {
        if (access == null) {
            UnsafeApi.freeMemory(address);
        } else {
            access.memoryUnmap(address, length);
        }
    }

    /** Maps more than is needed, and gives back what lies before the first huge page and after the last one. */
    private long map(final NativeAccess mapping) {
        final long mapped = mapping.memoryMap(-1, (long) length + HUGE_PAGE_LENGTH, 0);
        if (mapped < 0) {
            throw new OutOfMemoryError("state: no memory for a chunk: " + NativeErrors.text(mapping, mapped));
        }
        final long address = (mapped + HUGE_PAGE_LENGTH - 1) & -HUGE_PAGE_LENGTH;
        if (address > mapped) {
            mapping.memoryUnmap(mapped, address - mapped);
        }
        final long rest = mapped + HUGE_PAGE_LENGTH - address;
        if (rest > 0) {
            mapping.memoryUnmap(address + length, rest);
        }
        // A wish: a system without them gives other pages.
        final int unused = mapping.memoryAdviseHuge(address, length);
        return address;
    }
}
