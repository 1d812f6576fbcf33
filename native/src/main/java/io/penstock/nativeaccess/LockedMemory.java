package io.penstock.nativeaccess;

import java.io.IOException;

/** Keeps memory from being swapped out, or says what the system's limit is. Any thread. */
public final class LockedMemory {
    private LockedMemory() {}

    /**
     * Locks memory; all its pages are there afterwards.
     *
     * @param access  to do it with.
     * @param address of the memory, which the caller owns.
     * @param length  in bytes.
     * @throws IOException when the system refuses, naming the limit and how to raise it.
     */
    public static void lock(final NativeAccess access, final long address, final long length) throws IOException {
        final int result = access.memoryLock(address, length);
        if (result < 0) {
            final long limit = access.memoryLockLimit();
            throw new IOException("memory: cannot be locked: " + length + " bytes: " + NativeErrors.text(access, result)
                    + (limit == Long.MAX_VALUE
                            ? " (there is no limit: is all of it mapped, and is there as much memory?)"
                            : " (RLIMIT_MEMLOCK is " + limit + " bytes: raise it with ulimit -l, or with LimitMEMLOCK="
                                    + " in a systemd unit)"));
        }
    }
}
