package io.penstock.broker.shard.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.command.CreatedTopics;
import io.penstock.broker.shard.command.Delete;
import io.penstock.broker.shard.command.DeleteKey;
import io.penstock.broker.shard.command.DeleteTopic;
import io.penstock.broker.shard.command.OpenPublisher;
import io.penstock.broker.shard.command.OpenTopic;
import io.penstock.broker.shard.command.ResetPublisher;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.replica.ModelNode.Change;
import io.penstock.broker.shard.replica.ModelNode.Plant;
import io.penstock.broker.shard.store.FoundVersions;
import io.penstock.broker.topic.StateRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Nodes whose logs have room at different times, with clocks of their own, make the same records of the same commands; and what
 * clients hand over is applied once and in their order, whatever becomes of commands under way.
 */
class CommandPathsTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_127L);
    private static final int SEED_COUNT = Integer.getInteger("penstock.seeds", 5);
    private static final int STEP_COUNT = 1_500;
    private static final int CALM_COUNT_MAX = 20_000;
    /** Nobody makes room in the log, or all room there is. */
    private static final Random KEPT = new Chosen(0);

    private static final Random RELEASED = new Chosen(1);
    private static final int[] SEGMENT_LENGTHS = {8 * 1024, 16 * 1024, 1 << 20};

    @Test
    void shouldMakeTheSameRecordsOnAllNodesAndApplyEachMessageOnce() {
        int waitCount = 0;
        int repeatedCount = 0;
        for (long seed = SEED; seed < SEED + SEED_COUNT; seed++) {
            try (Run run = new Run(seed, Plant.NONE)) {
                run.run();
                run.check();
                waitCount += run.nodes.get(0).waitCount;
                repeatedCount += run.log.repeatedCount();
                assertThat(run.nodes.get(2).waitCount).isLessThan(run.nodes.get(0).waitCount);
            }
        }
        assertThat(waitCount).as("commands without room").isGreaterThan(10 * SEED_COUNT);
        assertThat(repeatedCount).as("repeated commands").isPositive();
    }

    /** A command of messages, deltas and deletes, of which each record is once the one that there is no room for. */
    @Test
    void shouldMakeTheSameRecordsWhereverTheLogHasNoRoom() {
        final Set<Integer> places = new HashSet<>();
        for (int shift = 0; shift < 400; shift++) {
            final ModelLog log = new ModelLog(new Random(SEED), 2);
            log.calm();
            try (ModelNode one = new ModelNode(log, 0, 8 * 1024, Plant.NONE);
                    ModelNode other = new ModelNode(log, 1, 1 << 20, Plant.NONE)) {
                for (int i = 0; i < 50; i++) {
                    assertThat(one.publish(0, "plain", Change.NONE, filler(400)))
                            .isTrue();
                }
                for (int i = 0; i < shift; i++) {
                    assertThat(one.publish(0, "plain", Change.NONE, filler(1))).isTrue();
                }
                run(log, one, other, KEPT);
                if (one.waitCount > 0) {
                    break;
                }
                final int before = one.records.size();
                for (int i = 0; i < 20; i++) {
                    final int key = i % 7;
                    final byte[] text =
                            ("{\"id\":" + key + ",\"region\":\"r" + i % 2 + "\",\"n\":" + i + "}").getBytes(UTF_8);
                    final Change change = new Change(key, i % 3 == 2, i % 5 == 0 ? 50_000_000 : 0, false, 0, 0);
                    assertThat(one.publish(0, "keyed", change, text)).isTrue();
                    if (i % 4 == 3) {
                        assertThat(one.port(0).offer(Run.deleteKey(one, 0, key)))
                                .isTrue();
                    }
                }
                run(log, one, other, KEPT);
                if (one.waitCount > 0) {
                    places.add(one.records.size() - before);
                }
                while (!one.isDone() || !other.isDone() || one.records.size() != other.records.size()) {
                    run(log, one, other, RELEASED);
                }
                assertThat(Run.difference(one.records, other.records))
                        .as("shift %d", shift)
                        .isEmpty();
            }
        }
        // 25 changes, and rows of two views for them.
        assertThat(places).hasSizeGreaterThan(30);
    }

    private static void run(final ModelLog log, final ModelNode one, final ModelNode other, final Random random) {
        for (int i = 0; i < 10; i++) {
            log.step();
            one.cycle(random);
            other.cycle(RELEASED);
        }
    }

    private static byte[] filler(final int length) {
        return ("{\"x\":\"" + "x".repeat(length) + "\"}").getBytes(UTF_8);
    }

    @Test
    void shouldFindNodesThatApplyRepeatedCommands() {
        assertIsFound((source, node) -> (handler, limit) -> source.read(new Renumbered(handler, false), limit));
    }

    @Test
    void shouldFindNodesThatApplyACommandAgainWhenThereWasNoRoom() {
        assertIsFound((source, node) -> {
            final Renumbered again = new Renumbered((timeNs, buffer, offset, length) -> true, true);
            return (handler, limit) -> {
                again.to = handler;
                return source.read(again, limit);
            };
        });
    }

    @Test
    void shouldFindNodesThatUseTheirOwnClock() {
        assertIsFound((source, node) -> (handler, limit) -> source.read(
                (timeNs, buffer, offset, length) -> handler.onCommand(node.clockNs(), buffer, offset, length), limit));
    }

    private static void assertIsFound(final Plant plant) {
        assertThatThrownBy(() -> {
                    for (long seed = SEED; seed < SEED + 3; seed++) {
                        try (Run run = new Run(seed, plant)) {
                            run.run();
                            run.check();
                        }
                    }
                })
                .isInstanceOfAny(AssertionError.class, RuntimeException.class);
    }

    /** Sees all that is decided, and makes room as it is said. */
    private static final class Chosen extends Random {
        private static final long serialVersionUID = 1L;
        private final int ofRoom;

        Chosen(final int ofRoom) {
            super(0);
            this.ofRoom = ofRoom;
        }

        @Override
        public int nextInt(final int bound) {
            return bound == 3 ? ofRoom : 0;
        }
    }

    /** Gives commands numbers that are always next, so that none is dropped; or applies those again that had no room. */
    private static final class Renumbered implements CommandSource.Handler {
        private static final int ORIGIN_OFFSET = 8;
        private static final int NUMBER_OFFSET = 24;
        private final Map<Integer, Long> numbers = new HashMap<>();
        private final boolean onlyWithoutRoom;
        private CommandSource.Handler to;
        private boolean isOpen;
        private boolean isAgain;

        Renumbered(final CommandSource.Handler to, final boolean onlyWithoutRoom) {
            this.to = to;
            this.onlyWithoutRoom = onlyWithoutRoom;
        }

        @Override
        public boolean onCommand(final long timeNs, final DirectBuffer buffer, final int offset, final int length) {
            final int origin = buffer.getInt(offset + ORIGIN_OFFSET);
            final long number = buffer.getLong(offset + NUMBER_OFFSET);
            final long last = numbers.getOrDefault(origin, 0L);
            final boolean isNew = number > last || !onlyWithoutRoom;
            final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
            copy.putBytes(0, buffer, offset, length);
            return onlyWithoutRoom
                    ? again(timeNs, copy, length)
                    : renumbered(timeNs, copy, origin, last + (isOpen ? 0 : 1), isNew);
        }

        private boolean renumbered(
                final long timeNs, final UnsafeBuffer copy, final int origin, final long number, final boolean isNew) {
            copy.putLong(NUMBER_OFFSET, number);
            numbers.put(origin, number);
            isOpen = !to.onCommand(timeNs, copy, 0, copy.capacity());
            return !isOpen && isNew;
        }

        private boolean again(final long timeNs, final UnsafeBuffer copy, final int length) {
            final boolean isDone = to.onCommand(timeNs, copy, 0, length);
            isAgain |= !isDone;
            if (isDone && isAgain) {
                isAgain = false;
                // As from another origin, so that it is not dropped.
                copy.putShort(ORIGIN_OFFSET, (short) 29);
                copy.putLong(NUMBER_OFFSET, numbers.merge(0, 1L, Long::sum));
                return to.onCommand(timeNs, copy, 0, length);
            }
            return isDone;
        }
    }

    /** Some nodes, what their clients do, and what is to come of it. */
    private static final class Run implements AutoCloseable {
        private final long seed;
        private final Random random;
        private final ModelLog log;
        private final List<ModelNode> nodes = new ArrayList<>();
        private final List<List<String>> published = new ArrayList<>();
        private final long[] publisherSequences = new long[20];
        private final CreatedTopics createdTopics = new CreatedTopics(1_000);
        private int commandCount;
        private int duplicateCount;
        private int messageCount;

        Run(final long seed, final Plant plant) {
            this.seed = seed;
            random = new Random(seed);
            log = new ModelLog(random, SEGMENT_LENGTHS.length);
            for (int member = 0; member < SEGMENT_LENGTHS.length; member++) {
                nodes.add(new ModelNode(log, member, SEGMENT_LENGTHS[member], member == 0 ? plant : Plant.NONE));
            }
            for (int i = 0; i < SEGMENT_LENGTHS.length * ModelNode.AGENT_COUNT; i++) {
                published.add(new ArrayList<>());
            }
        }

        void run() {
            for (int i = 0; i < STEP_COUNT; i++) {
                for (int many = random.nextInt(6); many > 0; many--) {
                    act();
                }
                if (random.nextInt(3) == 0) {
                    log.step();
                }
                nodes.get(random.nextInt(nodes.size())).cycle(random);
            }
            log.calm();
            int count = 0;
            while (!isDone()) {
                assertThat(count++).as("calm steps, seed %d", seed).isLessThan(CALM_COUNT_MAX);
                log.step();
                nodes.forEach(node -> node.cycle(random));
            }
        }

        private boolean isDone() {
            return log.isEmpty()
                    && nodes.stream().allMatch(ModelNode::isDone)
                    && nodes.stream().mapToInt(node -> node.replies.size()).sum() == commandCount
                    && nodes.stream()
                                    .mapToInt(node -> node.shard().topics().snapshot().length)
                                    .distinct()
                                    .count()
                            == 1;
        }

        private void act() {
            final int member = random.nextInt(nodes.size());
            final int agent = random.nextInt(ModelNode.AGENT_COUNT);
            final ModelNode node = nodes.get(member);
            final ShardPort port = node.port(agent);
            final int origin = member * ModelNode.AGENT_COUNT + agent;
            final int key = random.nextInt(20);
            switch (random.nextInt(16)) {
                case 0 -> offer(port, openTopic());
                case 1 -> offer(port, new DeleteTopic(agent, 1, "t" + random.nextInt(5), createdTopics, null));
                case 2 -> offer(port, new OpenPublisher(agent, 1, 0, "q" + random.nextInt(5), "who"));
                case 3 -> offer(port, new ResetPublisher(agent, 1, "q" + random.nextInt(5), 1, null));
                case 4 -> offer(port, deleteKey(node, agent, key));
                case 5 -> offer(port, random.nextBoolean() ? deleteKeys(agent) : deleteFound(node, agent));
                case 6 -> publish(node, agent, origin, "short", new Change(key, false, 0, false, 0, 0));
                case 7 -> publish(node, agent, origin, "keyed", new Change(key, true, 0, false, 0, 0));
                case 8 -> publish(node, agent, origin, "plain", new Change(0, false, 0, true, 0, 0));
                case 9, 10 -> publishNamed(node, agent, origin);
                case 11 -> node.publish(agent, "t" + random.nextInt(5), Change.NONE, "{\"t\":1}".getBytes(UTF_8));
                case 12 -> publish(node, agent, origin, "keyed", new Change(key, false, expirationNs(), false, 0, 0));
                default -> publish(node, agent, origin, "keyed", new Change(key, false, 0, false, 0, 0));
            }
        }

        private long expirationNs() {
            return 1L + random.nextInt(500_000_000);
        }

        private void offer(final ShardPort port, final ShardCommand command) {
            if (port.offer(command)) {
                commandCount++;
            }
        }

        private ShardCommand openTopic() {
            final boolean isCounted = random.nextBoolean();
            return new OpenTopic(
                    0,
                    1,
                    isCounted ? "who" : "",
                    "t" + random.nextInt(5),
                    "json",
                    random.nextBoolean() ? StateRule.of(StateRule.PUBLISHER_KEY, 0) : null,
                    createdTopics);
        }

        private static ShardCommand deleteKey(final ModelNode node, final int agent, final int key) {
            final DeleteKey delete = new DeleteKey(agent, 1);
            final UnsafeBuffer bytes = new UnsafeBuffer(ModelNode.key(key));
            delete.set(1, 0, node.shard().topics().find("keyed").id(), bytes, 0, bytes.capacity());
            return delete;
        }

        /** Some are so many that they are several commands. */
        private ShardCommand deleteKeys(final int agent) {
            final List<byte[]> keys = new ArrayList<>();
            final int count = random.nextInt(8) == 0 ? 1_300 : 3;
            for (int i = 0; i < count; i++) {
                keys.add(ModelNode.key(random.nextInt(20)));
            }
            return new Delete(agent, 1, "keyed", keys);
        }

        /** Of versions that are not the newest any more, most of the time, so that the filter decides. */
        private ShardCommand deleteFound(final ModelNode node, final int agent) {
            final FoundVersions found = new FoundVersions();
            final int count = random.nextInt(8) == 0 ? 1_300 : 5;
            for (int i = 0; i < count; i++) {
                final UnsafeBuffer key = new UnsafeBuffer(ModelNode.key(random.nextInt(20)));
                found.add(node.records.size() - random.nextInt(50), key, 0, key.capacity());
            }
            final Filter filter = FilterCompiler.compile("n > 80", FilterLimits.DEFAULTS);
            return new Delete(agent, 1, node.shard().topics().find("keyed"), found, filter.text(), filter);
        }

        private void publish(
                final ModelNode node, final int agent, final int origin, final String topic, final Change change) {
            final String text = "{\"u\":\"" + origin + ":" + messageCount + "\",\"id\":" + change.key()
                    + ",\"region\":\"r" + random.nextInt(3) + "\",\"n\":" + random.nextInt(100) + ",\"pad\":\""
                    + "x".repeat(random.nextInt(400)) + "\"}";
            if (node.publish(agent, topic, change, text.getBytes(UTF_8))) {
                published.get(origin).add(origin + ":" + messageCount);
                messageCount++;
            }
        }

        /** Each origin has a publisher; some of its messages come again, and are dropped. */
        private void publishNamed(final ModelNode node, final int agent, final int origin) {
            final int publisher = origin + 1;
            final long last = publisherSequences[publisher];
            if (last > 0 && random.nextInt(4) == 0) {
                if (node.publish(agent, "plain", new Change(0, false, 0, false, publisher, last), new byte[] {'1'})) {
                    duplicateCount++;
                }
                return;
            }
            final int before = messageCount;
            publish(node, agent, origin, "plain", new Change(0, false, 0, false, publisher, last + 1));
            publisherSequences[publisher] += messageCount - before;
        }

        void check() {
            final ModelNode first = nodes.get(1);
            for (final ModelNode node : nodes) {
                assertThat(node.badCommands).as("seed %d", seed).isEmpty();
                assertThat(node.refusedCount).as("refused, seed %d", seed).isZero();
                assertThat(difference(node.records, first.records))
                        .as("records, seed %d", seed)
                        .isEmpty();
                assertThat(node.shard().publishers().lastSequences())
                        .as("publishers, seed %d", seed)
                        .isEqualTo(first.shard().publishers().lastSequences());
            }
            final List<List<String>> applied = new ArrayList<>();
            published.forEach(each -> applied.add(new ArrayList<>()));
            for (final String message : first.messages) {
                final int at = message.indexOf("\"u\":\"");
                if (at == 1 && message.contains("\"pad\"")) {
                    final String id = message.substring(at + 5, message.indexOf('"', at + 5));
                    applied.get(Integer.parseInt(id.substring(0, id.indexOf(':'))))
                            .add(id);
                }
            }
            assertThat(applied).as("applied, seed %d", seed).isEqualTo(published);
            assertThat(first.messages).as("duplicates, seed %d", seed).doesNotContain("1");
            assertThat(nodes.stream()
                            .mapToLong(
                                    node -> node.shard().counters().duplicates().get())
                            .distinct()
                            .toArray())
                    .as("duplicates of each node, seed %d", seed)
                    .containsExactly(duplicateCount);
        }

        /** Where two lists begin to differ, and how; empty when they do not. */
        private static String difference(final List<String> some, final List<String> others) {
            for (int i = 0; i < Math.max(some.size(), others.size()); i++) {
                final String one = i < some.size() ? some.get(i) : "none";
                final String other = i < others.size() ? others.get(i) : "none";
                if (!one.equals(other)) {
                    return "at " + i + " of " + some.size() + " and " + others.size() + ": " + one + " and " + other;
                }
            }
            return "";
        }

        @Override
        public void close() {
            nodes.forEach(ModelNode::close);
        }
    }
}
