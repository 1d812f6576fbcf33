package io.penstock.broker.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.shard.log.LogReader;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.Publication;
import io.penstock.protocol.RecordDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What I/O agents may rely on, whatever gives their messages an order. */
class OrderedLogTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_127L);
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 5);
    private static final int AGENT_COUNT = 3;
    private static final int MESSAGE_COUNT = 500;

    private final UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final Publication publication = new Publication();

    enum Kind {
        DIRECT,
        INBOX
    }

    @ParameterizedTest
    @EnumSource
    void shouldApplyTheMessagesOfEachAgentOnceAndInTheirOrder(final Kind kind) {
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            try (StateShard shard = new StateShard(2)) {
                final List<ShardPort> ports = ports(kind, shard);
                final List<List<String>> applied = new ArrayList<>();
                ports.forEach(port -> applied.add(new ArrayList<>()));
                final List<String> records = new ArrayList<>();
                final long start = shard.sequencer.shard().published().get();
                for (int i = 0; i < MESSAGE_COUNT; i++) {
                    final int agent = random.nextInt(AGENT_COUNT);
                    final String text = agent + " " + i;
                    while (!publish(shard, ports.get(agent), random.nextInt(2), 0, text)) {
                        cycle(shard, ports);
                    }
                    applied.get(agent).add(text);
                    if (random.nextInt(20) == 0) {
                        cycle(shard, ports);
                    }
                }
                cycle(shard, ports);

                read(shard, start, records);
                for (int agent = 0; agent < AGENT_COUNT; agent++) {
                    final String mark = agent + " ";
                    assertThat(records.stream().filter(text -> text.startsWith(mark)))
                            .as("agent %d, seed %d", agent, seed)
                            .containsExactlyElementsOf(applied.get(agent));
                    assertThat(ports.get(agent).processed())
                            .as("agent %d, seed %d", agent, seed)
                            .isEqualTo(ports.get(agent).submitted());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSayWhichSequenceEachMessageHas(final Kind kind) {
        try (StateShard shard = new StateShard(1)) {
            final List<ShardPort> ports = ports(kind, shard);
            final long before = shard.sequencer.shard().commands().newestSequence();
            for (int i = 0; i < AGENT_COUNT; i++) {
                assertThat(publish(shard, ports.get(i), 0, 0, "message")).isTrue();
            }
            cycle(shard, ports);

            for (int i = 0; i < AGENT_COUNT; i++) {
                assertThat(ports.get(i).appliedSequence(1)).isEqualTo(before + 1 + i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldApplyASequenceOfAPublisherOnceWhicheverAgentBringsIt(final Kind kind) {
        try (StateShard shard = new StateShard(1)) {
            final List<ShardPort> ports = ports(kind, shard);
            final int publisher = shard.sequencer.shard().commands().openPublisher("publisher");
            shard.cycle();
            final long before = shard.sequencer.shard().commands().newestSequence();
            for (int i = 0; i < AGENT_COUNT; i++) {
                for (long sequence = 1; sequence <= 1 + i; sequence++) {
                    assertThat(publish(shard, ports.get(i), 0, publisher, sequence, "message"))
                            .isTrue();
                }
            }
            cycle(shard, ports);

            assertThat(shard.sequencer.shard().commands().newestSequence()).isEqualTo(before + AGENT_COUNT);
            assertThat(ports.get(0).duplicates().poll()).isNull();
            for (int i = 1; i < AGENT_COUNT; i++) {
                assertThat(ports.get(i).duplicates().poll()).isEqualTo(new Duplicates.Run(publisher, 1, i));
                assertThat(ports.get(i).appliedSequence(i)).isZero();
                assertThat(ports.get(i).appliedSequence(i + 1L)).isEqualTo(before + 1 + i);
                assertThat(ports.get(i).duplicates().poll()).isNull();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLoseNothingWhenThereIsNoRoom(final Kind kind) {
        try (StateShard shard = new StateShard(1, 16 * 1024, 1 << 26)) {
            final List<ShardPort> ports = ports(kind, shard);
            final String text = "x".repeat(500);
            int refusedCount = 0;
            for (int i = 0; i < MESSAGE_COUNT; i++) {
                while (!publish(shard, ports.get(i % AGENT_COUNT), 0, 0, text)) {
                    refusedCount++;
                    cycle(shard, ports);
                }
            }
            while (ports.stream().anyMatch(port -> port.processed() < port.submitted())) {
                cycle(shard, ports);
            }

            assertThat(refusedCount).isPositive();
            assertThat(shard.sequencer.shard().counters().messages().get()).isEqualTo(MESSAGE_COUNT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDeleteWhatHasExpired(final Kind kind) {
        try (StateShard shard = new StateShard(1)) {
            final List<ShardPort> ports = ports(kind, shard);
            key.putInt(0, 1);
            final UnsafeBuffer message = new UnsafeBuffer("message".getBytes(UTF_8));
            publication
                    .of(shard.topics.get(0).id(), 0, 0)
                    .payload(message, 0, message.capacity())
                    .record(key, 0, key.capacity(), false, 10)
                    .from(0, 0);
            assertThat(ports.get(0).publish(publication)).isTrue();
            cycle(shard, ports);
            assertThat(shard.state.topics().get(0).store().liveCount()).isOne();
            shard.clock.advance(10);
            cycle(shard, ports);

            assertThat(shard.state.topics().get(0).store().liveCount()).isZero();
        }
    }

    private static List<ShardPort> ports(final Kind kind, final StateShard shard) {
        final BrokerCounters counters = new BrokerCounters(2 * AGENT_COUNT);
        final AtomicCounter[] processed = new AtomicCounter[AGENT_COUNT];
        for (int i = 0; i < processed.length; i++) {
            processed[i] = counters.newCounter("shard", "processed-" + i);
        }
        if (kind == Kind.INBOX) {
            final Inbox inbox = new Inbox(16 * 1024, processed, agent -> {});
            shard.sequencer.order(new InboxLog(inbox, shard.clock::nanoTime, () -> {}));
        }
        final List<ShardPort> ports = new ArrayList<>();
        for (int i = 0; i < AGENT_COUNT; i++) {
            ports.add(shard.sequencer.newPort(i, counters.newCounter("agent-" + i, "copied")));
        }
        return ports;
    }

    private static void cycle(final StateShard shard, final List<ShardPort> ports) {
        ports.forEach(ShardPort::signal);
        shard.cycle();
        ports.forEach(ShardPort::sync);
    }

    private boolean publish(
            final StateShard shard, final ShardPort port, final int topic, final int publisher, final String text) {
        return publish(shard, port, topic, publisher, 0, text);
    }

    private boolean publish(
            final StateShard shard,
            final ShardPort port,
            final int topic,
            final int publisher,
            final long publisherSequence,
            final String text) {
        final UnsafeBuffer message = new UnsafeBuffer(text.getBytes(UTF_8));
        key.putInt(0, text.hashCode() & 0xFF);
        publication
                .of(shard.topics.get(topic).id(), publisher, publisherSequence)
                .payload(message, 0, message.capacity())
                .record(key, 0, key.capacity(), false, 0)
                .from(0, 0);
        return port.publish(publication);
    }

    /** Messages of the log from a position on. */
    private static void read(final StateShard shard, final long start, final List<String> texts) {
        final LogWindow window = shard.sequencer.shard().window();
        final LogReader reader = new LogReader(window, shard.sequencer.shard().published(), start);
        while (reader.next(Long.MAX_VALUE)) {
            if (RecordDescriptor.type(reader.buffer(), reader.offset()) == RecordDescriptor.TYPE_MESSAGE) {
                texts.add(reader.buffer()
                        .getStringWithoutLengthUtf8(
                                reader.offset() + RecordDescriptor.HEADER_LENGTH,
                                RecordDescriptor.messageLength(reader.buffer(), reader.offset())));
            }
        }
    }
}
