package io.penstock.broker.shard.log;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.nativeaccess.PageMemory;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one window: segments that begin at a page, on the NUMA node and in pages of the size that the settings ask
 * for, touched so that no page fault comes later. Transports register whole segments with their devices.
 */
final class WindowMemory {
    private static final int HUGE_PAGE_LENGTH = 2 * 1024 * 1024;

    private final @Nullable PageMemory[] pages;
    private final UnsafeBuffer[] segments;

    private WindowMemory(final int segmentCount) {
        pages = new PageMemory[segmentCount];
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
        final int alignment = length >= HUGE_PAGE_LENGTH ? HUGE_PAGE_LENGTH : PageMemory.PAGE_LENGTH;
        final PageMemory memory = PageMemory.allocate(length, alignment);
        pages[index] = memory;
        segments[index] = new UnsafeBuffer(memory.buffer());
        prepare(segments[index], settings);
        for (int offset = 0; offset < length; offset += PageMemory.PAGE_LENGTH) {
            segments[index].putByte(offset, (byte) 0);
        }
    }

    /** Before the pages are touched, where the system gives them by and by. Those that are there are moved or given back. */
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
        for (final PageMemory each : pages) {
            if (each != null) {
                each.free();
            }
        }
    }
}
