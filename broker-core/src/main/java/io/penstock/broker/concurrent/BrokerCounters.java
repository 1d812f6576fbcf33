package io.penstock.broker.concurrent;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/**
 * The broker's counters, in one off-heap block. Counters are made while the broker starts, by the thread that starts
 * it; each is then written by one agent, and read by any thread.
 */
public final class BrokerCounters {
    private final CountersManager counters;
    private final List<LatencyHistogram> histograms = new CopyOnWriteArrayList<>();

    /**
     * Makes room for counters.
     *
     * @param countMax bound of counters.
     */
    public BrokerCounters(final int countMax) {
        counters = new CountersManager(
                new UnsafeBuffer(ByteBuffer.allocateDirect(countMax * CountersReader.METADATA_LENGTH)),
                new UnsafeBuffer(ByteBuffer.allocateDirect(countMax * CountersReader.COUNTER_LENGTH)),
                UTF_8);
    }

    /**
     * Makes a counter that starts at 0.
     *
     * @param owner of the counter: {@code io-0}, {@code shard-0}, {@code replayer}, {@code broker}.
     * @param name  of what it counts, unique for its owner.
     * @return the counter.
     */
    public AtomicCounter newCounter(final String owner, final String name) {
        return counters.newCounter(owner + "." + name);
    }

    /**
     * Makes a histogram without anything in it.
     *
     * @param owner of it, as of a counter, or the role of a thread.
     * @param name  of what takes time, unique for its owner.
     * @return the histogram, to be written by one thread.
     */
    public LatencyHistogram newHistogram(final String owner, final String name) {
        final LatencyHistogram made = new LatencyHistogram(owner, name);
        histograms.add(made);
        return made;
    }

    /**
     * What the histograms have counted so far.
     *
     * @return in the order in which they were made. Any thread.
     */
    public List<LatencyHistogram.Snapshot> histograms() {
        return histograms.stream().map(LatencyHistogram::snapshot).toList();
    }

    /**
     * The view for readers.
     *
     * @return a reader that any thread may use.
     */
    public CountersReader reader() {
        return counters;
    }

    /**
     * Adds up the counters of a name over their owners.
     *
     * @param name of the counters.
     * @return the sum; 0 when there are none.
     */
    public long sum(final String name) {
        final String suffix = "." + name;
        final long[] sum = new long[1];
        counters.forEach((value, id, label) -> {
            if (label.endsWith(suffix)) {
                sum[0] += value;
            }
        });
        return sum[0];
    }
}
