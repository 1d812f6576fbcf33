package io.penstock.broker.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.match.FollowOptions;
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

    private static long versionLength(final StateShard shard, final int topic) {
        return shard.state.topics().get(topic).store().versionLength();
    }
}
