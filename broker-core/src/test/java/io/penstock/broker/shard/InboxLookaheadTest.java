package io.penstock.broker.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.store.StateStore;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.Test;

/** Messages come out of an inbox as they went in, whatever is looked at before. */
class InboxLookaheadTest {
    private static final int INBOX_LENGTH = 64 * 1024;
    private static final int MANY = 100_000;

    private final UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final UnsafeBuffer message = new UnsafeBuffer("{\"price\":1}".getBytes(UTF_8));
    private final Publication publication = new Publication();
    private final AtomicCounter[] processed = {new ShardCounters(new BrokerCounters(64), 0, 1).demanded()};
    private final Inbox inbox = new Inbox(INBOX_LENGTH, processed, agent -> {});

    @Test
    void shouldApplyEachMessageOnceWhenTheRingGoesRoundManyTimes() {
        try (StateShard shard = new StateShard(2)) {
            int offered = 0;
            int read = 0;
            while (read < MANY) {
                while (offered < MANY && offer(shard, offered)) {
                    offered++;
                }
                final int limit = 1 + read % 77;
                final int count = inbox.read(shard.sequencer.shard(), limit);
                assertThat(count).isBetween(0, limit);
                read += count;
                shard.cycle();
            }
            assertThat(inbox.read(shard.sequencer.shard(), 10)).isZero();
            final StateStore store = shard.state.topics().get(1).store();
            assertThat(store.liveCount()).isEqualTo(500);
            assertThat(shard.state.topics().get(0).store().liveCount()).isEqualTo(500);
            assertThat(shard.sequencer.shard().counters().messages().get()).isEqualTo(MANY);
        }
    }

    @Test
    void shouldGoOnWithTheSameMessageWhenTheLogHadNoRoom() {
        try (StateShard shard = new StateShard(1, 16 * 1024, 1 << 26)) {
            int read = 0;
            for (int i = 0; i < 3_000; i++) {
                while (!offer(shard, i)) {
                    // The log has room for some of what is in the ring.
                    read += inbox.read(shard.sequencer.shard(), Integer.MAX_VALUE);
                    shard.cycle();
                }
            }
            for (int i = 0; i < 3_000 && read < 3_000; i++) {
                read += inbox.read(shard.sequencer.shard(), Integer.MAX_VALUE);
                shard.cycle();
            }
            assertThat(read).isEqualTo(3_000);
            assertThat(shard.sequencer.shard().counters().messages().get()).isEqualTo(3_000);
        }
    }

    /** Two of three change a record; the topics take turns. */
    private boolean offer(final StateShard shard, final int number) {
        final int topic = number % shard.topics.size();
        publication.of(shard.topics.get(topic).id(), 0, 0).payload(message, 0, message.capacity());
        if (number % 3 != 0 || shard.topics.size() == 1) {
            key.putInt(0, number % 1_000);
            publication.record(key, 0, Integer.BYTES, false, 0).from(0, 0);
        }
        return inbox.offer(0, publication);
    }
}
