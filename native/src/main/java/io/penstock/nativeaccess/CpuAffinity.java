package io.penstock.nativeaccess;

import java.util.ArrayList;
import java.util.List;

/** Which CPUs threads run on. CPUs have the kernel's numbers, from 0. Any thread; each method is about its caller. */
public final class CpuAffinity {
    private final NativeAccess access;

    /**
     * Affinity of the threads of this process.
     *
     * @param access to the system.
     */
    public CpuAffinity(final NativeAccess access) {
        this.access = access;
    }

    /**
     * The CPUs that the calling thread may run on: of a thread that is not pinned, those that the process was given.
     *
     * @return in ascending order.
     */
    public List<Integer> available() {
        final List<Integer> cpus = new ArrayList<>();
        for (int cpu = access.cpuNext(0); cpu >= 0; cpu = access.cpuNext(cpu + 1)) {
            cpus.add(cpu);
        }
        return cpus;
    }

    /**
     * Lets the calling thread run on one CPU only, from now on. Threads that it starts begin there, too.
     *
     * @param cpu to run on.
     * @throws IllegalArgumentException when the system refuses: there is no such CPU, or the process was not given it.
     */
    public void pin(final int cpu) {
        final int result = access.cpuPin(cpu);
        if (result < 0) {
            throw new IllegalArgumentException("cpu: cannot be had: " + cpu + ": " + NativeErrors.text(access, result));
        }
    }

    /**
     * The calling thread's number in the kernel, under which tools show it.
     *
     * @return as in {@code /proc/self/task}.
     */
    public int threadId() {
        return access.threadId();
    }
}
