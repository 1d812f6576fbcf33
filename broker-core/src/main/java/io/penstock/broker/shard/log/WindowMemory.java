package io.penstock.broker.shard.log;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.nativeaccess.NativeLibrary;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The memory of one window: segments that begin at a page, on the NUMA node and in pages of the size that the settings ask
 * for, touched so that no page fault comes later. Transports register whole segments with their devices.
 */
final class WindowMemory {
    private static final int PAGE_LENGTH = 4096;
    private static final int HUGE_PAGE_LENGTH = 2 * 1024 * 1024;

    private final ByteBuffer[] allocations;
    private final UnsafeBuffer[] segments;

    private WindowMemory(final int segmentCount) {
        allocations = new ByteBuffer[segmentCount];
        segments = new UnsafeBuffer[segmentCount];
    }

    /**
     * Takes it from the system.
     *
     * @param settings how much, and where.
     * @return zeroed memory, to be freed by {@link #free()}.
     * @throws IllegalArgumentException when the node is not one of this machine.
     */
    static WindowMemory allocate(final WindowSettings settings) {
        final WindowMemory memory = new WindowMemory(settings.segmentCount());
        boolean isMade = false;
        try {
            for (int i = 0; i < memory.segments.length; i++) {
                memory.add(i, settings);
            }
            isMade = true;
        } finally {
            if (!isMade) {
                memory.free();
            }
        }
        return memory;
    }

    private void add(final int index, final WindowSettings settings) {
        final int length = settings.segmentLength();
        final int alignment = length >= HUGE_PAGE_LENGTH ? HUGE_PAGE_LENGTH : PAGE_LENGTH;
        final ByteBuffer allocation = ByteBuffer.allocateDirect(length + alignment);
        allocations[index] = allocation;
        final long address = BufferUtil.address(allocation);
        final ByteBuffer segment = allocation.slice((int) (BitUtil.align(address, alignment) - address), length);
        segments[index] = new UnsafeBuffer(segment);
        prepare(segments[index], settings);
        for (int offset = 0; offset < length; offset += PAGE_LENGTH) {
            segments[index].putByte(offset, (byte) 0);
        }
    }

    /** Pages that came with the allocation, which zeroed it, are moved or given back. */
    private static void prepare(final UnsafeBuffer segment, final WindowSettings settings) {
        if (settings.node() != WindowSettings.ANY_NODE) {
            final NativeLibrary library = NativeLibrary.get();
            if (!library.isAvailable()) {
                throw new IllegalArgumentException("window.node: needs the native library: " + library.report()
                        + " (use " + WindowSettings.ANY_NODE + " to leave it to the system)");
            }
            final NativeAccess access = library.access();
            final long result = access.memoryPlace(segment.addressOffset(), segment.capacity(), settings.node());
            if (result < 0) {
                throw new IllegalArgumentException("window.node: no memory on node " + settings.node() + " of "
                        + access.nodeCount() + ": " + NativeErrors.text(access, result)
                        + " (nodes are counted from 0; use " + WindowSettings.ANY_NODE
                        + " to leave it to the system)");
            }
        }
        if (settings.isHuge()
                && segment.capacity() >= HUGE_PAGE_LENGTH
                && NativeLibrary.get().isAvailable()) {
            // A wish: a system without them gives other pages.
            final int unused =
                    NativeLibrary.get().access().memoryAdviseHuge(segment.addressOffset(), segment.capacity());
        }
    }

    UnsafeBuffer[] segments() {
        return segments;
    }

    /** Gives it back. Nobody may read or write it from then on. */
    void free() {
        for (int i = 0; i < allocations.length; i++) {
            if (allocations[i] != null) {
                BufferUtil.free(allocations[i]);
            }
        }
    }
}
