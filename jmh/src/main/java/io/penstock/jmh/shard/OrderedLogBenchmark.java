package io.penstock.jmh.shard;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.shard.DirectLog;
import io.penstock.broker.shard.Inbox;
import io.penstock.broker.shard.InboxLog;
import io.penstock.broker.shard.ReplyListener;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.Shard;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.log.PublisherTable;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.shard.store.StateSettings;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A message of 100 bytes from its I/O agent through the order of a shard into its log, in batches, on one thread: what each
 * order costs, and a duty cycle without messages.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgsAppend = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class OrderedLogBenchmark {
    private static final int BATCH_LENGTH = 64;
    private static final int MESSAGE_LENGTH = 100;
    private static final int SEGMENT_LENGTH = 1 << 20;

    /** How messages come to the sequencer. */
    public enum Order {
        /** In the call of the I/O agent. */
        DIRECT,
        /** Through the ring. */
        INBOX
    }

    /** Which one is measured. */
    @Param({"DIRECT", "INBOX"})
    public Order order = Order.DIRECT;

    private final BrokerCounters counters = new BrokerCounters(64);
    private final ShardCounters own = new ShardCounters(counters, 0, 1);
    private final Sequencer sequencer = sequencer();
    private final Publication publication = new Publication();
    private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(MESSAGE_LENGTH));
    private ShardPort port = sequencer.newPort(0, counters.newCounter("io-0", "copied"));
    private int topicId;

    /** Makes the order and a topic. */
    @Setup
    public void begin() {
        if (order == Order.INBOX) {
            final AtomicCounter[] processed = {counters.newCounter("shard-0", "processed")};
            final Inbox inbox = new Inbox(1 << 20, processed, agent -> {});
            sequencer.order(new InboxLog(inbox, SystemEpochNanoClock.INSTANCE, () -> {}));
        } else {
            sequencer.order(new DirectLog());
        }
        port = sequencer.newPort(0, counters.newCounter("io-0", "copied"));
        final Topic topic = Objects.requireNonNull(sequencer.shard().commands().createTopic("topic", "binary", null));
        topicId = topic.id();
        sequencer.doWork();
    }

    /** Gives the memory back. */
    @TearDown
    public void close() {
        sequencer.shard().free();
    }

    /**
     * A batch of messages.
     *
     * @return count of messages that were processed.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH_LENGTH)
    public long publish() {
        for (int i = 0; i < BATCH_LENGTH; i++) {
            publication.of(topicId, 0, 0).payload(message, 0, MESSAGE_LENGTH);
            while (!port.publish(publication)) {
                cycle();
            }
        }
        cycle();
        return port.processed();
    }

    /**
     * A duty cycle without messages.
     *
     * @return work done.
     */
    @Benchmark
    public int idle() {
        return sequencer.doWork();
    }

    private void cycle() {
        port.signal();
        sequencer.doWork();
        port.sync();
        own.released()[0].setRelease(own.demanded().get());
    }

    private Sequencer sequencer() {
        final Shard shard = new Shard(
                0,
                SystemEpochNanoClock.INSTANCE,
                new LogAppender(
                        new LogWindow(SEGMENT_LENGTH, 4),
                        new Reclaim(() -> {}, own.demanded(), own.released()),
                        own.published()),
                own,
                new TopicTable(10),
                new PublisherTable(10),
                new StateSettings(1 << 26, 1 << 20, 1 << 20, 1024, 0, 1 << 20, 0),
                (topic, refused, reason, used, limit) -> true);
        return new Sequencer(shard, SystemEpochNanoClock.INSTANCE, new NoReplies());
    }

    /** There are no clients. */
    private static final class NoReplies implements ReplyListener {
        @Override
        public boolean onReply(final ShardCommand command) {
            return true;
        }

        @Override
        public boolean onRefused(
                final Topic topic,
                final Publication refused,
                final StateRefusal reason,
                final long used,
                final long limit) {
            return true;
        }

        @Override
        public void onAttached(final long feed, final long position) {}
    }
}
