package io.penstock.bench.match;

import io.penstock.bench.embedded.ResidentMemory;
import java.lang.management.ManagementFactory;

/** The memory that this process uses. */
final class UsedMemory {
    private static final int COLLECTIONS = 3;

    private UsedMemory() {}

    /** Bytes of live objects on the heap, after it was collected, and of all memory outside it; NaN when not known. */
    static double length() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + ResidentMemory.outsideHeap();
    }
}
