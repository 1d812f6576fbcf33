package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.match.Descriptor;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.format.FieldSelection;
import io.penstock.protocol.codec.DeliveryKind;
import org.junit.jupiter.api.Test;

/** Followers whose ring is full at any moment of a change. */
class LaggingFollowersTest {
    private static final int PAIR_COUNT = 2_000;
    private static final long OF_OTHERS = 99;

    @Test
    void shouldSendEachChangeOnceWhenARingIsFullInTheMiddleOfOne() {
        final FollowOptions selected = new FollowOptions(false, false, false, FieldSelection.parse("price"), 0, null);
        final FollowOptions whole = new FollowOptions(true, false, false, null, 0, null);
        try (StateShard shard = new StateShard(1)) {
            shard.follow(0, 1, selected);
            shard.follow(0, 2, 2, whole, "price >= 0");
            shard.follow(0, 3, 3, selected, "price >= 1");
            shard.follow(0, 4, 4, whole, "price < 7");
            shard.cycle();
            for (int i = 0; i < PAIR_COUNT; i++) {
                while (shard.ring.offer(Descriptor.TYPE_LIVE, OF_OTHERS, 0, 0, 0)) {
                    // Until nothing more fits.
                }
                // What is made of the second one begins a segment now and then: runs are enqueued with the first alone.
                shard.publish(0, 2 * i, 0);
                shard.publish(0, 2 * i + 1, 0);
                shard.cycle();
                while (shard.cycle() > 0) {
                    // Until all have caught up.
                }
                shard.reported.clear();
            }
            for (int feed = 1; feed <= 4; feed++) {
                assertThat(shard.enqueued)
                        .as("feed " + feed)
                        .containsEntry(feed + " " + DeliveryKind.PUBLISH.value(), 2 * PAIR_COUNT);
            }
        }
    }
}
