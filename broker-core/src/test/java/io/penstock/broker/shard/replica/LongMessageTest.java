package io.penstock.broker.shard.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.order.CommandCheck;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.replica.ModelNode.Change;
import io.penstock.broker.shard.replica.ModelNode.Plant;
import io.penstock.broker.staging.StagingPool;
import io.penstock.broker.staging.StagingShare;
import io.penstock.broker.staging.StagingSlot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Messages that are too long for one command come in pieces, and arrive once and whole, in their place among others. */
class LongMessageTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_127L);
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 3);
    private static final int SEGMENT_LENGTH = 4 << 20;
    private static final int MESSAGE_COUNT = 30;

    /** Messages stay where they are here anyway. */
    private static final StagingSlot SLOT =
            Objects.requireNonNull(new StagingPool(1 << 20).acquire(1024, new StagingShare("")));

    @Test
    void shouldApplyLongMessagesWholeAndInTheirPlace() {
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            final Random random = new Random(seed);
            final ModelLog log = new ModelLog(random, 2);
            try (ModelNode one = new ModelNode(log, 0, SEGMENT_LENGTH, Plant.NONE);
                    ModelNode other = new ModelNode(log, 1, SEGMENT_LENGTH, Plant.NONE)) {
                final List<String> published = new ArrayList<>();
                while (published.size() < MESSAGE_COUNT) {
                    final boolean isLong = random.nextInt(3) == 0;
                    final int length = isLong ? 300_000 + random.nextInt(700_000) : 20 + random.nextInt(100_000);
                    final byte[] bytes = message(published.size(), length + 3);
                    final boolean isTaken = one.publishLong(
                            0, new UnsafeBuffer(bytes), length, (port, message) -> publish(port, message, isLong));
                    if (isTaken) {
                        published.add(new String(bytes, 3, length, StandardCharsets.ISO_8859_1));
                    }
                    step(log, one, other, random);
                }
                log.calm();
                int count = 0;
                while (!one.isDone() || !other.isDone() || !log.isEmpty()) {
                    assertThat(count++).as("seed %d", seed).isLessThan(10_000);
                    step(log, one, other, random);
                }

                assertThat(one.badCommands).isEmpty();
                assertThat(one.messages.equals(published)).as("seed %d", seed).isTrue();
                assertThat(other.messages.equals(published)).as("seed %d", seed).isTrue();
                assertThat(other.records.equals(one.records))
                        .as("seed %d", seed)
                        .isTrue();
            }
        }
    }

    /** No command is longer than the engine takes, whichever message it has. */
    @Test
    void shouldHandOverNoCommandThatIsTooLong() {
        final Random random = new Random(SEED);
        final ModelLog log = new ModelLog(random, 1);
        log.calm();
        try (ModelNode node = new ModelNode(log, 0, SEGMENT_LENGTH, Plant.NONE)) {
            for (int length = CommandHeader.PIECE_LENGTH_MAX - 100;
                    length < CommandHeader.PIECE_LENGTH_MAX + 5_000;
                    length += 61) {
                final byte[] bytes = message(1, length + 3);
                while (!node.publishLong(
                        0, new UnsafeBuffer(bytes), length, (port, message) -> publish(port, message, true))) {
                    step(log, node, node, random);
                }
            }
            while (!node.isDone() || !log.isEmpty()) {
                step(log, node, node, random);
            }
            for (int i = 0; i < log.size(); i++) {
                final byte[] bytes = log.get(i).bytes();
                assertThat(CommandCheck.check(new UnsafeBuffer(bytes), 0, bytes.length, 1 << 20))
                        .isNull();
            }
        }
    }

    /** A command of an origin that goes on where another start of its node has ended is not that node's. */
    @Test
    void shouldTakeCommandsOfANewStartFromTheFirstOn() {
        final Origins origins = new Origins();
        final int origin = Origins.index(3, 2);
        assertThat(origins.isNext(origin, 7, 2)).isFalse();
        assertThat(origins.isNext(origin, 7, 1)).isTrue();
        origins.onApplied(origin, 7, 1);
        assertThat(origins.isNext(origin, 7, 1)).isFalse();
        assertThat(origins.isNext(origin, 7, 2)).isTrue();
        assertThat(origins.isNext(origin, 7, 3)).isFalse();
        assertThat(origins.isNext(origin, 8, 2)).isFalse();
        assertThat(origins.isNew(origin, 8)).isTrue();
        assertThat(origins.isNext(origin, 8, 1)).isTrue();
        origins.onApplied(origin, 8, 1);
        assertThat(origins.isNext(origin, 7, 2)).isFalse();
        assertThat(origins.isNext(Origins.index(3, 1), 1, 1)).isTrue();
    }

    /** What is handed over is bounded: after that an agent is told to wait, and loses nothing. */
    @Test
    void shouldTakeNoMoreThanItMayHaveUnderWay() {
        final Random random = new Random(SEED);
        final ModelLog log = new ModelLog(random, 1);
        log.calm();
        try (ModelNode node = new ModelNode(log, 0, SEGMENT_LENGTH, Plant.NONE)) {
            final byte[] bytes = message(1, 10_000);
            int count = 0;
            while (node.publish(0, "plain", Change.NONE, bytes)) {
                count++;
            }
            assertThat(count).isBetween(100, 210);
            while (!node.isDone() || !log.isEmpty()) {
                step(log, node, node, random);
            }
            assertThat(node.messages).hasSize(count);
            assertThat(node.publish(0, "plain", Change.NONE, bytes)).isTrue();
        }
    }

    private static boolean publish(final ShardPort port, final Publication message, final boolean isStaged) {
        return isStaged ? port.publishStaged(message, SLOT) : port.publish(message);
    }

    private static void step(final ModelLog log, final ModelNode one, final ModelNode other, final Random random) {
        log.step();
        one.cycle(random);
        other.cycle(random);
    }

    private static byte[] message(final int number, final int length) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + (number + i / 100) % 26);
        }
        return bytes;
    }
}
