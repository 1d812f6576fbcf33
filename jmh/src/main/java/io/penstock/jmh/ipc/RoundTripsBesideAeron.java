package io.penstock.jmh.ipc;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Round trips of 100 bytes between processes: client, broker, client by {@code ipc}, beside publisher, echo, publisher
 * by Aeron IPC, in turn. Nobody sleeps: the process that is not measured is stopped meanwhile. Each round prints how
 * long a cache line takes from one processor to the other and back, as a machine with virtual ones may move them.
 *
 * <pre>java --add-exports java.base/jdk.internal.misc=ALL-UNNAMED -cp jmh/target/benchmarks.jar \
 *     io.penstock.jmh.ipc.RoundTripsBesideAeron [rounds]</pre>
 */
public final class RoundTripsBesideAeron {
    private static final int ROUNDS_DEFAULT = 10;
    private static final int WARM_UP_ROUNDS = 3;
    private static final int COUNT_MAX = 2_000_000;
    private static final long SLICE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int CACHE_LINE_COUNT = 200_000;

    private RoundTripsBesideAeron() {}

    /** Sends one message and waits until it is back. */
    interface Subject extends AutoCloseable {
        void roundTrip();

        @Override
        void close();
    }

    /**
     * Measures and prints a table.
     *
     * @param args how many rounds.
     * @throws IOException          when a process does not start.
     * @throws InterruptedException when interrupted.
     */
    public static void main(final String[] args) throws IOException, InterruptedException {
        final int roundCount = args.length > 0 ? Math.max(1, Integer.parseInt(args[0])) : ROUNDS_DEFAULT;
        final double[] ratios = new double[roundCount];
        final long[] times = new long[COUNT_MAX];
        System.out.printf("%-8s%16s%16s%16s%8s%n", "round", "cache line ns", "penstock ns", "aeron ns", "ratio");
        try (Peer broker = Peer.start(BrokerPeer.class);
                Peer echo = Peer.start(AeronEchoPeer.class);
                Subject penstock = new PenstockRoundTrip(broker.address());
                Subject aeron = new AeronRoundTrip(echo.address())) {
            for (int round = -WARM_UP_ROUNDS; round < roundCount; round++) {
                echo.pause();
                broker.pause();
                final double cacheLineNs = cacheLineNs();
                broker.resume();
                final long penstockNs = medianNs(penstock, times);
                echo.resume();
                broker.pause();
                final long aeronNs = medianNs(aeron, times);
                broker.resume();
                if (round >= 0) {
                    ratios[round] = (double) penstockNs / aeronNs;
                    System.out.printf(
                            "%-8d%16.0f%16d%16d%8.2f%n", round + 1, cacheLineNs, penstockNs, aeronNs, ratios[round]);
                }
            }
        }
        Arrays.sort(ratios);
        System.out.printf(
                "median ratio %.2f (%.2f to %.2f)%n", ratios[roundCount / 2], ratios[0], ratios[roundCount - 1]);
    }

    private static long medianNs(final Subject subject, final long[] times) {
        final long endNs = System.nanoTime() + SLICE_NS;
        int count = 0;
        for (long sentNs = System.nanoTime(); sentNs - endNs < 0 && count < times.length; count++) {
            subject.roundTrip();
            final long nowNs = System.nanoTime();
            times[count] = nowNs - sentNs;
            sentNs = nowNs;
        }
        Arrays.sort(times, 0, count);
        return times[count / 2];
    }

    private static double cacheLineNs() throws InterruptedException {
        final AtomicInteger turn = new AtomicInteger();
        final Thread other = new Thread(() -> takeTurns(turn, 1));
        other.start();
        final long startNs = System.nanoTime();
        takeTurns(turn, 0);
        final long ns = System.nanoTime() - startNs;
        other.join();
        return (double) ns / CACHE_LINE_COUNT;
    }

    private static void takeTurns(final AtomicInteger turn, final int own) {
        for (int i = 0; i < CACHE_LINE_COUNT; i++) {
            while (turn.get() != own) {
                Thread.onSpinWait();
            }
            turn.set(1 - own);
        }
    }
}
