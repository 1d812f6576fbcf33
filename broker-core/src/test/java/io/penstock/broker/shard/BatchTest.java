package io.penstock.broker.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.ViewRule;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What the changes of one batch keep of the state before them. */
class BatchTest {
    /** A view looks at what a record was before, after it is replaced; nobody else needs that here. */
    @Test
    void shouldKeepWhatAViewLooksAtUntilTheBatchEnds() {
        try (StateShard shard = new StateShard(2)) {
            final String wrong = shard.sequencer
                    .shard()
                    .createView(new ViewRule("view", shard.topics.get(0).name(), "price > 0", "price", ""));
            assertThat(wrong).isNull();
            final UnsafeBuffer message = new UnsafeBuffer("{\"price\":1}".getBytes(UTF_8));
            for (int topic = 0; topic < 2; topic++) {
                shard.publish(topic, 1, 0, message);
                shard.cycle();
                shard.publish(topic, 1, 0, message);
                assertThat(versionLength(shard, topic) > 0)
                        .as("topic %d", topic)
                        .isEqualTo(topic == 0);
                shard.cycle();
                assertThat(versionLength(shard, topic)).isZero();
            }
        }
    }

    /**
     * Former versions are kept for followers only until the changes are enqueued, which happens before room runs out.
     */
    @Test
    void shouldTakeUpdatesInOneBatchThatItTakesOneByOneWhenSomebodyFollows() {
        try (StateShard shard = new StateShard(1, 1 << 20, 1 << 20)) {
            shard.follow(0, 1, new FollowOptions(true, false, false, null, 0, null));
            final UnsafeBuffer message =
                    new UnsafeBuffer(("{\"price\":1,\"pad\":\"" + "x".repeat(900) + "\"}").getBytes(UTF_8));
            for (int i = 0; i < 2_000; i++) {
                shard.publish(0, 1, 0, message);
                assertThat(shard.state.isRefused()).as("update %d", i).isFalse();
            }
        }
    }

    /** The rows come later, when the log has room; what they are, and when, depends on the changes alone. */
    @Test
    void shouldGiveRowsOfAViewTheTimeOfTheirCauseWhenTheLogHadNoRoom() {
        try (StateShard shard = new StateShard(1, 16 * 1024, 1 << 26)) {
            assertThat(shard.sequencer
                            .shard()
                            .createView(new ViewRule("view", shard.topics.get(0).name(), "price > 0", "price", "")))
                    .isNull();
            shard.cycle();
            shard.clock.advance(1_000);
            final long timeNs = shard.clock.nanoTime();
            int count = 0;
            while (apply(shard, count)) {
                count++;
            }
            // Nobody lets go of the log meanwhile.
            shard.sequencer.doWork();
            final StateStore rows = shard.state.topics().get(1).store();
            assertThat(rows.liveCount()).isLessThan(count);
            do {
                shard.clock.advance(1_000);
                shard.cycle();
            } while (shard.sequencer.isRetrying());

            assertThat(rows.liveCount()).isEqualTo(count);
            for (int row = 0; row < count; row++) {
                assertThat(Version.timestampNs(rows.newest(row)))
                        .as("row %d", row)
                        .isEqualTo(timeNs);
            }
            assertThat(apply(shard, 0)).isTrue();
            shard.cycle();
            assertThat(Version.timestampNs(rows.newest(0))).isEqualTo(shard.clock.nanoTime());
        }
    }

    private static boolean apply(final StateShard shard, final int number) {
        final UnsafeBuffer message =
                new UnsafeBuffer(("{\"price\":1,\"pad\":\"" + "x".repeat(500) + "\"}").getBytes(UTF_8));
        final UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
        key.putInt(0, number);
        return shard.sequencer
                .shard()
                .apply(new Publication()
                        .of(shard.topics.get(0).id(), 0, 0)
                        .payload(message, 0, message.capacity())
                        .record(key, 0, Integer.BYTES, false, 0)
                        .from(0, 0));
    }

    private static long versionLength(final StateShard shard, final int topic) {
        return shard.state.topics().get(topic).store().versionLength();
    }
}
