package io.penstock.broker.sink;

import io.penstock.broker.concurrent.BrokerCounters;
import org.agrona.concurrent.status.AtomicCounter;

/** Counters of the broker's sinks. Written by the sink agent; any thread may read. */
final class SinkCounters {
    private final AtomicCounter stored;
    private final AtomicCounter storedBytes;
    private final AtomicCounter repeated;
    private final AtomicCounter refused;
    private final AtomicCounter memoryUsed;
    private final AtomicCounter writers;
    private final AtomicCounter commits;

    SinkCounters(final BrokerCounters counters) {
        stored = counters.newCounter("sinks", "blocksStored");
        storedBytes = counters.newCounter("sinks", "blockBytesStored");
        repeated = counters.newCounter("sinks", "blocksRepeated");
        refused = counters.newCounter("sinks", "blocksRefused");
        memoryUsed = counters.newCounter("sinks", "blockMemoryUsed");
        writers = counters.newCounter("sinks", "sinkWriters");
        commits = counters.newCounter("sinks", "sinkCommits");
    }

    /** Counts the answer for a block, which is stored or refused. */
    void onAnswer(final SinkReply answer) {
        if (answer instanceof SinkReply.Stored done) {
            (done.number() == 0 ? repeated : stored).incrementRelease();
            storedBytes.getAndAddRelease(
                    done.number() == 0 ? 0 : done.transfer().length());
        } else {
            refused.incrementRelease();
        }
    }

    void onCommit() {
        commits.incrementRelease();
    }

    void memoryUsed(final long length) {
        memoryUsed.setRelease(length);
    }

    void writerCount(final int count) {
        writers.setRelease(count);
    }
}
