package io.penstock.broker.shard.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.shard.ReplyListener;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.Shard;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.command.CreatedTopics;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.LogAppender;
import io.penstock.broker.shard.log.LogReader;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.log.PublisherTable;
import io.penstock.broker.shard.log.Reclaim;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.shard.store.StateSettings;
import io.penstock.broker.topic.JoinRule;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.broker.topic.ViewRule;
import io.penstock.broker.topic.WindowRule;
import io.penstock.format.FieldSelection;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageFormats;
import io.penstock.protocol.RecordDescriptor;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/** One node of several: a shard, its sequencer, and the ports of two I/O agents, driven by a test. */
final class ModelNode implements Consensus, ReplyListener, AutoCloseable {
    static final int AGENT_COUNT = 2;

    private final ModelLog log;
    private final int member;
    private final CommandSource source;
    private final CachedNanoClock epochClock = new CachedNanoClock();
    private final CachedNanoClock nanoClock = new CachedNanoClock();
    private final BrokerCounters counters = new BrokerCounters(64);
    private final LogWindow window;
    private final AtomicCounter demanded;
    private final AtomicCounter released;
    private final Shard shard;
    private final Sequencer sequencer;
    private final List<ShardPort> ports = new ArrayList<>();
    private final LogReader reader;
    private final Publication publication = new Publication();
    private int next;
    private int readableTo;

    /** The bytes of its records, in their order. */
    final List<String> records = new ArrayList<>();

    /** The payloads of its messages, in their order. */
    final List<String> messages = new ArrayList<>();

    /** Commands that have come back. */
    final List<ShardCommand> replies = new ArrayList<>();

    /** What was wrong with commands. */
    final List<String> badCommands = new ArrayList<>();

    /** Why it had to leave the others. */
    final List<Throwable> failures = new ArrayList<>();

    /** How often a command was not done, for want of room. */
    int waitCount;

    int duplicateCount;
    int refusedCount;

    ModelNode(final ModelLog log, final int member, final int segmentLength, final Plant plant) {
        this.log = log;
        this.member = member;
        source = plant.plantIn(this::read, this);
        window = new LogWindow(segmentLength, 4);
        final ShardCounters own = new ShardCounters(counters, 0, 1);
        demanded = own.demanded();
        released = own.released()[0];
        shard = new Shard(
                0,
                epochClock::nanoTime,
                new LogAppender(window, new Reclaim(() -> {}, own.demanded(), own.released()), own.published()),
                own,
                new TopicTable(100),
                new PublisherTable(20),
                new StateSettings(1 << 26, 1 << 20, 1 << 20, 1 << 20, 0, 1 << 20, 0),
                this::onRefused);
        reader = new LogReader(window, own.published(), 0);
        sequencer = new Sequencer(shard, epochClock::nanoTime, this);
        final AtomicCounter[] processed = new AtomicCounter[AGENT_COUNT];
        for (int i = 0; i < AGENT_COUNT; i++) {
            processed[i] = counters.newCounter("shard", "processed-" + i);
        }
        onTime();
        sequencer.replicatedOrder(Objects.requireNonNull(new ReplicatedLogs(this)
                .newLog(new OrderContext(
                        sequencer,
                        true,
                        () -> processed,
                        new CreatedTopics(100),
                        nanoClock,
                        epochClock::nanoTime,
                        agent -> {},
                        () -> {}))));
        declare();
        for (int i = 0; i < AGENT_COUNT; i++) {
            ports.add(sequencer.newPort(i, counters.newCounter("agent-" + i, "copied")));
        }
    }

    private void declare() {
        shard.commands().createTopic("plain", "json", null);
        shard.commands().createTopic("keyed", "json", StateRule.of("id", 0));
        shard.commands().createTopic("short", "json", StateRule.of(StateRule.PUBLISHER_KEY, 300_000_000));
        for (int i = 0; i < AGENT_COUNT * 3; i++) {
            shard.commands().openPublisher("p" + i);
        }
        assertThat(shard.createView(new ViewRule("sums", "keyed", "", "region, SUM(n) AS n", "region")))
                .isNull();
        assertThat(shard.createView(new ViewRule(
                        "joined",
                        "keyed",
                        "",
                        "/keyed/id, /sums/n",
                        "",
                        WindowRule.NONE,
                        new JoinRule("sums", "keyed", "sums", true, "/keyed/region = /sums/region"))))
                .isNull();
        sequencer.onDeclared();
        readRecords();
    }

    private void onTime() {
        // No two nodes have the same clock.
        epochClock.update(log.timeNs() + member * 70_000_000L);
        nanoClock.update(log.timeNs());
    }

    long clockNs() {
        return epochClock.nanoTime();
    }

    ShardPort port(final int agent) {
        return ports.get(agent);
    }

    Shard shard() {
        return shard;
    }

    /** A duty cycle of all its agents; sees some of what is decided, and makes room in the log, or does not. */
    void cycle(final Random random) {
        onTime();
        readableTo = Math.max(readableTo, log.size() - random.nextInt(4));
        ports.forEach(ShardPort::signal);
        sequencer.doWork();
        ports.forEach(ShardPort::sync);
        for (final ShardPort port : ports) {
            while (port.duplicates().poll() != null) {
                duplicateCount++;
            }
        }
        readRecords();
        if (random.nextInt(3) > 0) {
            released.setRelease(demanded.get());
        }
    }

    /** Whether it has applied everything, and has nothing under way. */
    boolean isDone() {
        return next == log.size()
                && !sequencer.isRetrying()
                && ports.stream().allMatch(port -> port.processed() == port.submitted());
    }

    /** Publishes a message, if there is room. */
    boolean publish(final int agent, final String topicName, final Change change, final byte[] payload) {
        final Topic topic = shard.topics().find(topicName);
        if (topic == null) {
            return false;
        }
        final UnsafeBuffer bytes = new UnsafeBuffer(payload);
        publication
                .of(topic.id(), change.publisher, change.publisherSequence)
                .payload(bytes, 0, payload.length)
                .headers(0)
                .from(0, 0);
        if (change.isRequest) {
            publication.request();
        }
        if (topic.state() != null) {
            final UnsafeBuffer key = new UnsafeBuffer(key(change.key));
            publication.record(key, 0, key.capacity(), change.isDelta, change.expirationNs);
        }
        return ports.get(agent).publish(publication);
    }

    /** A key in canonical form. */
    static byte[] key(final int number) {
        final KeyReader keys = new KeyReader(MessageFormats.formatFor("json"), FieldSelection.parse("id"));
        final UnsafeBuffer text = new UnsafeBuffer(("{\"id\":" + number + "}").getBytes(UTF_8));
        assertThat(keys.read(text, 0, text.capacity())).isNull();
        final byte[] key = new byte[keys.length()];
        keys.buffer().getBytes(0, key);
        return key;
    }

    /** Publishes a message to a topic without state whose bytes stay where they are. */
    boolean publishLong(final int agent, final DirectBuffer bytes, final int length, final StagedPublish with) {
        final Topic topic = Objects.requireNonNull(shard.topics().find("plain"));
        publication.of(topic.id(), 0, 0).payload(bytes, 3, length).headers(0).from(0, 0);
        return with.publish(ports.get(agent), publication);
    }

    private int read(final CommandSource.Handler handler, final int limit) {
        int count = 0;
        while (count < limit && next < readableTo) {
            final ModelLog.Decided command = log.get(next);
            final UnsafeBuffer bytes = new UnsafeBuffer(new byte[command.bytes().length + 8]);
            bytes.putBytes(8, command.bytes());
            if (!handler.onCommand(command.timeNs(), bytes, 8, command.bytes().length)) {
                waitCount++;
                break;
            }
            next++;
            count++;
        }
        return count;
    }

    private void readRecords() {
        while (reader.next(Long.MAX_VALUE)) {
            final DirectBuffer buffer = reader.buffer();
            final int offset = reader.offset();
            final int type = RecordDescriptor.type(buffer, offset);
            if (type == RecordDescriptor.TYPE_PADDING || type == RecordDescriptor.TYPE_DERIVED) {
                continue;
            }
            final byte[] bytes = new byte[RecordDescriptor.length(buffer, offset)];
            buffer.getBytes(offset, bytes);
            records.add(HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 2000)));
            if (type == RecordDescriptor.TYPE_MESSAGE) {
                messages.add(new String(
                        bytes, RecordDescriptor.HEADER_LENGTH, RecordDescriptor.messageLength(buffer, offset), UTF_8));
            }
        }
    }

    @Override
    public int member() {
        return member;
    }

    @Override
    public long incarnation() {
        return 5;
    }

    @Override
    public CommandSender sender(final int ioAgent, final Runnable wakeup) {
        return new Sender();
    }

    @Override
    public CommandSender tickSender(final int ofShard) {
        return new Sender();
    }

    @Override
    public CommandSource source(final int ofShard, final Runnable wakeup) {
        return source;
    }

    @Override
    public boolean isLeading() {
        return log.leader() == member;
    }

    @Override
    public void onFailed(final int ofShard, final Throwable reason) {
        failures.add(reason);
    }

    @Override
    public void onBadCommand(final int ofShard, final String wrong) {
        badCommands.add(wrong);
    }

    @Override
    public boolean onReply(final ShardCommand command) {
        replies.add(command);
        return true;
    }

    @Override
    public boolean onRefused(
            final Topic topic,
            final Publication refused,
            final StateRefusal reason,
            final long used,
            final long limit) {
        refusedCount++;
        return true;
    }

    @Override
    public void onAttached(final long feed, final long position) {}

    @Override
    public void close() {
        shard.free();
    }

    /** How a message changes its record, and whose it is. */
    record Change(
            int key, boolean isDelta, long expirationNs, boolean isRequest, int publisher, long publisherSequence) {
        static final Change NONE = new Change(0, false, 0, false, 0, 0);
    }

    /** Publishes a message whose bytes stay where they are. */
    @FunctionalInterface
    interface StagedPublish {
        boolean publish(ShardPort port, Publication publication);
    }

    /** A mistake of one node. */
    @FunctionalInterface
    interface Plant {
        Plant NONE = (source, node) -> source;

        CommandSource plantIn(CommandSource source, ModelNode node);
    }

    private final class Sender implements CommandSender {
        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
            return log.offer(buffer, offset, length);
        }

        @Override
        public long generation() {
            return log.generation();
        }

        @Override
        public int doWork() {
            return 0;
        }
    }
}
