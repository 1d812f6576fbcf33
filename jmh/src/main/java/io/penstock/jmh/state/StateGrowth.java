package io.penstock.jmh.state;

import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateStore;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts new keys, ten million by default, and prints how long the puts took: percentiles, the worst, and how many took
 * longer than 100 µs; beside the same of an empty loop, which shows what the machine alone does to a thread. Times are
 * of the thread's processor, so that they count what a put does, page faults included, and not what others do meanwhile;
 * reading that clock costs what the empty loop shows.
 */
public final class StateGrowth {
    private static final int KEY_COUNT_DEFAULT = 10_000_000;
    private static final int KEY_LENGTH = 10;
    private static final int FIRST_KEY = 1_000_000_000;
    private static final int MESSAGE_LENGTH = 100;
    private static final int SLOW_NS = 100_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private StateGrowth() {}

    /**
     * Runs it.
     *
     * @param args count of keys.
     */
    public static void main(final String[] args) {
        final int keyCount = args.length == 0 ? KEY_COUNT_DEFAULT : Integer.parseInt(args[0]);
        final int[] times = new int[keyCount];
        for (int round = 0; round < 2; round++) {
            loop(times);
            print("empty loop", times);
            puts(times, false);
            print("put of a new key", times);
            puts(times, true);
            print("put of a new key, chunks prepared", times);
        }
    }

    private static void loop(final int[] times) {
        for (int i = 0; i < times.length; i++) {
            final long startNs = THREADS.getCurrentThreadCpuTime();
            times[i] = (int) (THREADS.getCurrentThreadCpuTime() - startNs);
        }
    }

    private static void puts(final int[] times, final boolean isPrepared) {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH]);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        try (StateMemory memory = new StateMemory(4L << 30, StateMemory.CHUNK_LENGTH_DEFAULT);
                StateStore store = new StateStore(memory, new Snapshots(), 1 << 20)) {
            for (int i = 0; i < times.length; i++) {
                if (isPrepared) {
                    memory.prepare();
                }
                key.putNaturalIntAscii(0, FIRST_KEY + i);
                final long startNs = THREADS.getCurrentThreadCpuTime();
                final int row = store.find(key, 0, KEY_LENGTH);
                if (!store.hasRoom(row, KEY_LENGTH, MESSAGE_LENGTH)) {
                    throw new IllegalStateException("no room");
                }
                store.put(row, key, 0, KEY_LENGTH, message, 0, MESSAGE_LENGTH, 0, i, i, Long.MAX_VALUE);
                times[i] = (int) (THREADS.getCurrentThreadCpuTime() - startNs);
            }
        }
    }

    private static void print(final String subject, final int[] times) {
        Arrays.sort(times);
        int slowCount = 0;
        while (slowCount < times.length && times[times.length - 1 - slowCount] > SLOW_NS) {
            slowCount++;
        }
        System.out.printf(
                "%s: p50 %d ns, p99 %d, p99.99 %d, p99.999 %d, max %d; %d of %d above %d ns%n",
                subject,
                times[times.length / 2],
                at(times, 0.99),
                at(times, 0.9999),
                at(times, 0.99999),
                times[times.length - 1],
                slowCount,
                times.length,
                SLOW_NS);
    }

    private static int at(final int[] sorted, final double quantile) {
        return sorted[(int) (quantile * (sorted.length - 1))];
    }
}
