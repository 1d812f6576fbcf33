package io.penstock.broker.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.match.Descriptor;
import io.penstock.broker.shard.match.FollowOptions;
import io.penstock.broker.shard.store.Snapshot;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the memory of deleted topics is free, and what that costs. */
class DeletedStoresTest {
    private static final int MEMORY_LENGTH = 4 << 20;
    private static final int SEGMENT_LENGTH = 64 * 1024;
    private static final UnsafeBuffer MESSAGE =
            new UnsafeBuffer(("{\"text\":\"" + "x".repeat(1_000) + "\"}").getBytes(UTF_8));

    /** Always behind, as it sends once in its interval. */
    private static final FollowOptions CONFLATED =
            new FollowOptions(true, false, false, null, TimeUnit.HOURS.toNanos(1), null);

    @Test
    void shouldRefuseNobodyWhenAFollowerIsBehindAndKeepsTheMemoryOfADeletedTopic() {
        try (StateShard shard = new StateShard(2, SEGMENT_LENGTH, MEMORY_LENGTH)) {
            shard.publish(1, 0, 0, MESSAGE);
            final int count = fill(shard, 0);
            shard.follow(1, 7, CONFLATED);
            shard.delete(0);
            shard.cycle();
            assertThat(shard.state.deletedStores().isEmpty()).isFalse();

            shard.refusedCount = 0;
            for (int i = 0; i < count; i++) {
                shard.publish(1, i, 0, MESSAGE);
            }
            assertThat(shard.refusedCount).isZero();
            assertThat(shard.state.deletedStores().isEmpty()).isTrue();
            assertThat(shard.reported).containsExactly("7 " + Descriptor.TYPE_FELL_BEHIND);
        }
    }

    @Test
    void shouldRefuseMessagesAsLongAsAReaderGoesOnWithASnapshotThatIsTooOld() {
        try (StateShard shard = new StateShard(2, SEGMENT_LENGTH, MEMORY_LENGTH)) {
            final int count = fill(shard, 0);
            final Snapshot snapshot = shard.state
                    .snapshots()
                    .open(shard.sequencer.shard().commands().newestSequence());
            shard.delete(0);
            shard.cycle();
            assertThat(snapshot.isTooOld()).isFalse();
            shard.refusedCount = 0;
            for (int i = 0; i < 10; i++) {
                shard.publish(1, i, 0, MESSAGE);
            }
            assertThat(snapshot.isTooOld()).isTrue();
            assertThat(shard.refusedCount).isEqualTo(10);
            shard.state.snapshots().close(snapshot);
            for (int i = 0; i < count; i++) {
                shard.publish(1, i, 0, MESSAGE);
            }
            assertThat(shard.refusedCount).isEqualTo(10);
        }
    }

    @Test
    void shouldLetReadersGoOnWhenTheTopicThatWasDeletedHadNoRecords() {
        try (StateShard shard = new StateShard(2, SEGMENT_LENGTH, MEMORY_LENGTH)) {
            final Snapshot snapshot = shard.state
                    .snapshots()
                    .open(shard.sequencer.shard().commands().newestSequence());
            shard.delete(0);
            fill(shard, 1);
            assertThat(shard.refusedCount).isPositive();
            assertThat(snapshot.isTooOld()).isFalse();
        }
    }

    @Test
    void shouldFreeNoMoreThanIsNeededBeforeAMessage() {
        try (StateShard shard = new StateShard(2, SEGMENT_LENGTH, MEMORY_LENGTH)) {
            assertThat(fill(shard, 0)).isGreaterThan(1_000);
            shard.delete(0);
            shard.publish(1, 1, 0, MESSAGE);
            assertThat(shard.refusedCount).isEqualTo(1);
            assertThat(shard.state.deletedStores().isEmpty()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"24, 300, 18, 30", "1, 7200, 18, 30", "200, 0, 8, 12", "1, 1, 1, 2"})
    void shouldFreeAsMuchInADutyCycleHoweverItIsSpreadOverTopics(
            final int topicCount, final int rowCount, final int cyclesMin, final int cyclesMax) {
        try (StateShard shard = new StateShard(topicCount)) {
            for (int i = 0; i < topicCount; i++) {
                for (int row = 0; row < rowCount; row++) {
                    shard.publish(i, row, 0);
                }
            }
            final Snapshot snapshot = shard.state
                    .snapshots()
                    .open(shard.sequencer.shard().commands().newestSequence());
            for (int i = 0; i < topicCount; i++) {
                shard.delete(i);
            }
            shard.cycle();
            shard.state.snapshots().close(snapshot);
            int cycles = 0;
            while (!shard.state.deletedStores().isEmpty()) {
                shard.cycle();
                cycles++;
            }
            assertThat(cycles).isBetween(cyclesMin, cyclesMax);
        }
    }

    /** Publishes keys to a topic until there is no room. Returns how many there was room for. */
    private static int fill(final StateShard shard, final int topic) {
        int count = 0;
        while (shard.refusedCount == 0) {
            shard.publish(topic, count++, 0, MESSAGE);
        }
        shard.cycle();
        return count - 1;
    }
}
