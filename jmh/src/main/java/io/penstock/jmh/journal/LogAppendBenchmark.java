package io.penstock.jmh.journal;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.LogReader;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.protocol.RecordDescriptor;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One record appended to a window of the default length, published and released, and the same read back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class LogAppendBenchmark {
    private static final int SEGMENT_LENGTH = 32 * 1024 * 1024;
    private static final int SEGMENT_COUNT = 4;
    private static final int PAYLOAD_LENGTH_MAX = 1024;

    /** Bytes of payload. */
    @Param({"32", "100", "1024"})
    public int payloadLength;

    private final BrokerCounters counters = new BrokerCounters(64);
    private final AtomicCounter demanded = counters.newCounter("benchmark", "demanded");
    private final AtomicCounter published = counters.newCounter("benchmark", "published");
    private final Reclaim reclaim = new Reclaim(() -> {}, demanded, counters.newCounter("benchmark", "released"));
    private final LogWindow window = new LogWindow(SEGMENT_LENGTH, SEGMENT_COUNT);
    private final LogAppender appender = new LogAppender(window, reclaim, published);
    private final LogReader reader = new LogReader(window, published, 0);
    private final Publication publication = new Publication();
    private final UnsafeBuffer payload = new UnsafeBuffer(ByteBuffer.allocateDirect(PAYLOAD_LENGTH_MAX));

    /**
     * Appends and publishes.
     *
     * @return position of the record.
     */
    @Benchmark
    public long append() {
        final long position = appender.append(
                RecordDescriptor.TYPE_MESSAGE, 1, publication.of(1, 0, 0).payload(payload, 0, payloadLength));
        appender.commit();
        appender.publish();
        if (reclaim.isDue(0)) {
            reclaim.release(0, reclaim.demanded());
        }
        return position;
    }

    /**
     * Appends, publishes, and reads the record that was appended.
     *
     * @return sequence of the record.
     */
    @Benchmark
    public long appendAndRead() {
        append();
        return reader.next(Long.MAX_VALUE) ? RecordDescriptor.sequence(reader.buffer(), reader.offset()) : 0;
    }
}
