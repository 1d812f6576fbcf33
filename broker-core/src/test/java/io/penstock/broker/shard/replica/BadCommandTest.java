package io.penstock.broker.shard.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.journal.JournalStatus;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.order.MessageEntry;
import io.penstock.broker.shard.replica.ModelNode.Change;
import io.penstock.broker.shard.replica.ModelNode.Plant;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Commands that are damaged, or refer to what is not there, are dropped by all nodes alike, and end none. */
class BadCommandTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_127L);
    private static final int COMMAND_COUNT = 3_000;
    private static final int STRANGER = 9;

    private final Random random = new Random(SEED);
    private final ModelLog log = new ModelLog(random, 2);

    @Test
    void shouldDropDamagedCommandsOnAllNodesAlike() {
        log.calm();
        try (ModelNode one = new ModelNode(log, 0, 8 * 1024, Plant.NONE);
                ModelNode other = new ModelNode(log, 1, 1 << 20, Plant.NONE)) {
            for (int i = 1; i <= COMMAND_COUNT; i++) {
                final UnsafeBuffer command = new UnsafeBuffer(new byte[2048]);
                // Each is the first of an origin's start, so that those before it, which may be dropped, do not matter.
                CommandHeader.put(command, 0, CommandHeader.TEMPLATE_BATCH, new CommandOrigin(STRANGER, 1, 0, i), 1);
                final int length = putEntries(command);
                damage(command, length);
                log.offer(command, 0, random.nextInt(20) == 0 ? random.nextInt(length) : length);
                one.publish(0, "keyed", new Change(i % 20, false, 0, false, 0, 0), text(i));
                step(one, other);
            }
            while (!one.isDone() || !other.isDone() || !log.isEmpty()) {
                step(one, other);
            }

            assertThat(one.badCommands).hasSizeGreaterThan(COMMAND_COUNT / 20).isEqualTo(other.badCommands);
            assertThat(one.records.equals(other.records)).isTrue();
            assertThat(one.messages.stream().filter(message -> message.contains("\"mine\"")))
                    .hasSize(COMMAND_COUNT);
        }
    }

    /** Bytes of its own, to have a command of which all is known. */
    @Test
    void shouldDropMessagesThatReferToNothing() {
        log.calm();
        try (ModelNode one = new ModelNode(log, 0, 8 * 1024, Plant.NONE)) {
            final UnsafeBuffer command = new UnsafeBuffer(new byte[512]);
            CommandHeader.put(command, 0, CommandHeader.TEMPLATE_BATCH, new CommandOrigin(STRANGER, 1, 0, 1), 1);
            int at = CommandHeader.LENGTH;
            final UnsafeBuffer payload = new UnsafeBuffer(text(1));
            for (int publisher : new int[] {-1, 1_000}) {
                final Publication lost = new Publication().of(0, publisher, 1).payload(payload, 0, payload.capacity());
                MessageEntry.put(command, at, lost);
                at += MessageEntry.lengthOf(lost);
            }
            final Publication staged = new Publication().of(0, 0, 0).payload(payload, 0, payload.capacity());
            MessageEntry.putStaged(command, at, staged, 5);
            at += MessageEntry.stagedLengthOf(staged);
            CommandHeader.count(command, 0, 3);
            final int before = one.records.size();
            log.offer(command, 0, at);
            for (int i = 0; i < 10; i++) {
                step(one, one);
            }

            assertThat(one.records).hasSize(before);
            assertThat(one.badCommands)
                    .containsExactly(
                            "a message of no publisher: -1",
                            "a message of no publisher: 1000",
                            "a message whose pieces have not come");
        }
    }

    /** It would differ from the others, and goes no further. */
    @Test
    void shouldLeaveTheOthersWhenACommandCannotBeApplied() {
        log.calm();
        final IllegalStateException planted = new IllegalStateException("planted");
        final Plant plant = (source, node) -> (handler, limit) -> source.read(
                (timeNs, buffer, offset, length) -> {
                    if (node.shard().counters().messages().get() == 3) {
                        throw planted;
                    }
                    return handler.onCommand(timeNs, buffer, offset, length);
                },
                limit);
        try (ModelNode one = new ModelNode(log, 0, 1 << 20, plant);
                ModelNode other = new ModelNode(log, 1, 1 << 20, Plant.NONE)) {
            for (int i = 0; i < 20; i++) {
                other.publish(0, "plain", Change.NONE, text(i));
                try {
                    step(/* one= */ other, /* other= */ one);
                } catch (final IllegalStateException e) {
                    assertThat(e).isSameAs(planted);
                }
            }

            assertThat(one.failures).containsExactly(planted);
            assertThat(one.messages).hasSize(3);
            assertThat(other.messages).hasSizeGreaterThan(3);
        }
    }

    /** It would hold up the others, as its log has no room any more. */
    @Test
    void shouldLeaveTheOthersWhenItsFilesHaveFailed() {
        log.calm();
        try (ModelNode one = new ModelNode(log, 0, 1 << 20, Plant.NONE);
                ModelNode other = new ModelNode(log, 1, 1 << 20, Plant.NONE)) {
            one.shard().counters().journalStatus().setRelease(JournalStatus.FULL);
            other.publish(0, "plain", Change.NONE, text(1));
            for (int i = 0; i < 10; i++) {
                step(one, other);
            }
            assertThat(one.failures).as("there may be room again").isEmpty();
            one.shard().counters().journalStatus().setRelease(JournalStatus.FAILED);
            other.publish(0, "plain", Change.NONE, text(2));
            for (int i = 0; i < 10; i++) {
                step(one, other);
            }

            assertThat(one.failures).hasSize(1).first().asString().contains("its files have failed");
            assertThat(one.messages).hasSize(1);
            assertThat(other.messages).hasSize(2);
        }
    }

    private int putEntries(final UnsafeBuffer command) {
        int at = CommandHeader.LENGTH;
        final int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            final byte[] key = ModelNode.key(random.nextInt(20));
            final UnsafeBuffer keys = new UnsafeBuffer(key);
            if (random.nextInt(4) == 0) {
                MessageEntry.putDelete(command, at, random.nextInt(7), keys, key.length);
                at += MessageEntry.deleteLengthOf(key.length);
                continue;
            }
            final byte[] text = ("{\"u\":\"s\",\"id\":1,\"region\":\"r" + random.nextInt(3) + "\",\"n\":"
                            + random.nextInt(9) + "}")
                    .getBytes(UTF_8);
            final Publication publication = new Publication()
                    .of(random.nextInt(7), random.nextInt(8), random.nextInt(100))
                    .payload(new UnsafeBuffer(text), 0, text.length);
            if (random.nextBoolean()) {
                publication.record(keys, 0, key.length, random.nextBoolean(), 0).from(random.nextLong(), 1);
            }
            MessageEntry.put(command, at, publication);
            at += MessageEntry.lengthOf(publication);
        }
        CommandHeader.count(command, 0, count);
        return at;
    }

    /** Changes bytes of the headers, but not who has handed it over, which is never damaged so that it is another's. */
    private void damage(final UnsafeBuffer command, final int length) {
        for (int many = random.nextInt(4); many > 0; many--) {
            int at = random.nextInt(Math.min(length, 96));
            if (at >= 8 && at < 32) {
                at = 32 + random.nextInt(40);
            }
            command.putByte(at, (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(4)));
        }
    }

    private static byte[] text(final int number) {
        return ("{\"u\":\"mine\",\"id\":" + number % 20 + ",\"region\":\"r0\",\"n\":" + number + "}").getBytes(UTF_8);
    }

    private void step(final ModelNode one, final ModelNode other) {
        log.step();
        one.cycle(random);
        other.cycle(random);
    }
}
