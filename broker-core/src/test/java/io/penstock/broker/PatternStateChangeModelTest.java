package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Permissions;
import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Generated changes of permissions between generated messages, for subscriptions to patterns that begin with the state: of topics
 * with state the client is sent it again, of the others each message once, with one moment of each change. Long form: {@code
 * -Dpenstock.patternChangeSeeds=2000}.
 */
@Timeout(600)
class PatternStateChangeModelTest {
    private static final int SEEDS = Integer.getInteger("penstock.patternChangeSeeds", 60);
    private static final int STEPS = 60;
    private static final int IDS = 12;

    /** Padding of messages that are sent in parts. */
    private static final int LONG = 90_000;

    private static final List<String> KEYED = List.of("k1", "k2", "k3");
    private static final List<String> TOPICS = List.of("k1", "k2", "p1", "p2", "k3");

    private static final Map<String, Predicate<Message>> CONDITIONS = Map.of(
            "", each -> true,
            "desk = 'E'", each -> each.desk.equals("E"),
            "desk = 'W'", each -> each.desk.equals("W"),
            "v > 2", each -> each.v > 2,
            "desk = 'E' OR v = 1", each -> each.desk.equals("E") || each.v == 1,
            "FALSE", each -> false);

    private static final List<String> NAMES =
            CONDITIONS.keySet().stream().sorted().toList();

    private Random random = new Random();
    private TestBroker test;
    private StateClient root;
    private Follower trader;
    private int topicCount = TOPICS.size() - 1;
    private boolean isSmall;
    private final List<Message> published = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final Map<String, Map<Integer, Message>> records = new TreeMap<>();

    private record Message(int number, String topic, int id, String desk, int v, int padding) {
        @Override
        public String toString() {
            return "{\"n\":" + number + ",\"id\":" + id + ",\"desk\":\"" + desk + "\",\"v\":" + v + ",\"pad\":\""
                    + "x".repeat(padding) + "\"}";
        }
    }

    /** The condition that holds from then on, how many messages there were, and how many were handed over before. */
    private record Change(String condition, int publishedCount, int handedOver) {}

    static List<Integer> seeds() {
        final List<Integer> seeds = new ArrayList<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldShowWhatMayBeSeen(final int seed) {
        random = new Random(seed);
        changes.add(new Change("", 0, 0));
        // Those that lag too far are sent the state again in any case, and lose messages of topics without.
        isSmall = seed % 4 == 3;
        test = GuardedBroker.start(
                permissions(""),
                builder -> builder.window(new WindowConfig(isSmall ? 256 * 1024 : 2 * 1024 * 1024, 4))
                        .sessions(TestBroker.sessions(1024, isSmall ? 60 * 1024 : 256 * 1024))
                        .shardCount(1 + seed % 3)
                        .topic(TopicConfig.keyed("k1", "json", "id"))
                        .topic(TopicConfig.keyed("k2", "json", "id")));
        root = new StateClient(test, "root");
        trader = new Follower(test);
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
            }
            trader.paused = false;
            root.flush();
            test.settle();
            test.advance(20);
            test.settle();
            check();
        } finally {
            test.close();
        }
    }

    private static Permissions permissions(final String condition) {
        return traders(allow("list create stat", "*", ""), allow("read", "*", condition));
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0, 1 -> subscribe();
            case 2 -> change();
            case 3 -> {
                change();
                publish(random.nextInt(3));
                change();
            }
            case 4 -> trader.paused = random.nextInt(3) > 0;
            case 5 -> test.cycle();
            case 6 -> test.settle();
            case 7 -> declare();
            case 8 -> publish(random.nextInt(isSmall ? 3_000 : 400));
            case 9 -> delete();
            default -> publish(random.nextInt(8));
        }
    }

    private void declare() {
        if (topicCount < TOPICS.size()) {
            root.declare(TOPICS.get(topicCount), "id", 0);
            topicCount++;
        }
    }

    private void publish(final int count) {
        for (int i = 0; i < count; i++) {
            final String topic = TOPICS.get(random.nextInt(topicCount));
            // A page of records that is half sent is sent to its end: pages here have no long ones.
            final boolean isLong = !KEYED.contains(topic) && random.nextInt(50) == 0;
            final int padding = isLong ? isSmall ? 20_000 : LONG : random.nextInt(200);
            final Message message = new Message(
                    published.size(),
                    topic,
                    random.nextInt(IDS),
                    random.nextBoolean() ? "E" : "W",
                    random.nextInt(4),
                    padding);
            published.add(message);
            records.computeIfAbsent(topic, of -> new HashMap<>()).put(message.id, message);
            root.publish(message.topic, message.toString());
        }
    }

    private void delete() {
        final String topic = KEYED.get(random.nextInt(2));
        final int id = random.nextInt(IDS);
        root.delete(topic, "id = " + id);
        records.getOrDefault(topic, new HashMap<>()).remove(id);
    }

    private void change() {
        final String condition = NAMES.get(random.nextInt(NAMES.size()));
        test.broker.permissions(permissions(condition));
        test.broker.invoke();
        assertThat(test.broker.arePermissionsApplied()).isTrue();
        changes.add(new Change(condition, published.size(), (int) test.broker.counter("messagesDelivered")));
    }

    private void subscribe() {
        if (trader.readers.size() == 4) {
            return;
        }
        root.flush();
        trader.paused = false;
        final long id = trader.readers.size() + 1L;
        final String pattern = random.nextInt(3) == 0 ? "k.*" : "[kp].*";
        final String filter = random.nextInt(3) == 0 ? "v > 1" : "";
        trader.readers.put(id, new Reader(id, pattern, filter, changes.size() - 1, published.size()));
        final SubscribeRequest request = SubscribeRequest.pattern(pattern).sow().filter(filter);
        if (random.nextBoolean()) {
            trader.subscribe(id, request);
        } else {
            // A change may come before its state was sent, and before its shards have answered.
            trader.paused = random.nextBoolean();
            trader.offer(() -> trader.session.offerSubscribe(id, request));
            if (random.nextBoolean()) {
                change();
            }
            test.settle();
        }
    }

    private void check() {
        assertThat(trader.errors).isEmpty();
        final String condition = changes.get(changes.size() - 1).condition;
        for (final Reader reader : trader.readers.values()) {
            for (final String topic : TOPICS) {
                if (KEYED.contains(topic)) {
                    final Map<Integer, Message> visible = new TreeMap<>(records.getOrDefault(topic, Map.of()));
                    visible.values()
                            .removeIf(each -> !reader.wants(each)
                                    || !CONDITIONS.get(condition).test(each));
                    assertThat(reader.mirrors.getOrDefault(topic, Map.of()))
                            .as("%s, %s, %s", reader, topic, changes)
                            .containsAllEntriesOf(visible);
                } else if (reader.isAbout(topic)) {
                    check(reader, topic);
                }
            }
        }
    }

    private void check(final Reader reader, final String topic) {
        final List<Integer> delivered = reader.messages.getOrDefault(topic, List.of());
        assertThat(delivered).as("%s", reader).isSorted().doesNotHaveDuplicates();
        if (isSmall) {
            return;
        }
        final boolean[] isPossible = new boolean[changes.size()];
        isPossible[reader.change] = true;
        for (int number = reader.from; number < published.size(); number++) {
            for (int i = 0; i + 1 < isPossible.length; i++) {
                isPossible[i + 1] |= isPossible[i];
                isPossible[i] &= number < changes.get(i + 1).publishedCount;
            }
            final Message message = published.get(number);
            if (message.topic.equals(topic)) {
                boolean isAny = false;
                for (int i = 0; i < isPossible.length; i++) {
                    final boolean isDue = reader.wants(message)
                            && CONDITIONS.get(changes.get(i).condition).test(message);
                    isPossible[i] &= isDue == delivered.contains(number);
                    isAny |= isPossible[i];
                }
                assertThat(isAny)
                        .as(
                                "%s: %s, message %d of %d, %s, after %s",
                                reader, topic, number, published.size(), delivered, changes)
                        .isTrue();
            }
        }
    }

    /** A subscription, and what it shows. */
    private static final class Reader {
        final long id;
        final String pattern;
        final String filter;
        final int change;
        final int from;
        final Map<String, Map<Integer, Message>> mirrors = new TreeMap<>();
        final Map<String, Long> stateSequences = new HashMap<>();
        final Map<String, List<Integer>> messages = new TreeMap<>();

        Reader(final long id, final String pattern, final String filter, final int change, final int from) {
            this.id = id;
            this.pattern = pattern;
            this.filter = filter;
            this.change = change;
            this.from = from;
        }

        boolean isAbout(final String topic) {
            return topic.matches(pattern);
        }

        boolean wants(final Message message) {
            return isAbout(message.topic) && (filter.isEmpty() || message.v > 1);
        }

        @Override
        public String toString() {
            return id + " " + pattern + " where " + filter + " after change " + change + " from " + from;
        }
    }

    /** Keeps what each subscription shows, and refuses what it may not be shown. */
    private final class Follower extends StateClient {
        final Map<Long, Reader> readers = new TreeMap<>();
        private int count;

        Follower(final TestBroker broker) {
            super(broker, "trader-E");
        }

        @Override
        public void onGroupBegin(
                final long commandId, final long queryId, final String topic, final int shard, final long sequence) {
            final Reader reader = readers.get(queryId);
            reader.mirrors.put(topic, new TreeMap<>());
            reader.stateSequences.put(topic, sequence);
        }

        @Override
        public boolean onRecord(
                final RecordKind kind,
                final long subscriptionId,
                final String topic,
                final int shard,
                final long sequence,
                final long timestampNs,
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final int keyLength) {
            if (paused) {
                return false;
            }
            final Reader reader = readers.get(subscriptionId);
            final String text = buffer.getStringWithoutLengthUtf8(offset, length);
            final Message message = published.get(Integer.parseInt(text.substring(5, text.indexOf(','))));
            final String what = reader + ", " + kind + " " + topic + " " + message.number + " handed over as " + count
                    + ", " + changes;
            // The rest of a record that was half sent is sent.
            final boolean isLong = message.padding == LONG;
            final boolean isVisible = CONDITIONS.get(conditionAt(count++)).test(message);
            assertThat(reader.wants(message) && (isVisible || isLong)).as(what).isTrue();
            if (!KEYED.contains(topic)) {
                assertThat(kind).isEqualTo(RecordKind.MESSAGE);
                reader.messages.computeIfAbsent(topic, of -> new ArrayList<>()).add(message.number);
                return true;
            }
            final Map<Integer, Message> mirror = reader.mirrors.computeIfAbsent(topic, of -> new TreeMap<>());
            final Message known = mirror.put(message.id, message);
            assertThat(known == null || known.number < message.number)
                    .as(what + " after " + known)
                    .isTrue();
            if (kind == RecordKind.MESSAGE) {
                assertThat(sequence).as(what).isGreaterThan(reader.stateSequences.getOrDefault(topic, 0L));
            }
            return true;
        }

        /** The condition that held when a record was handed over. */
        private String conditionAt(final int index) {
            String condition = "";
            for (final Change change : changes) {
                if (change.handedOver <= index) {
                    condition = change.condition;
                }
            }
            return condition;
        }
    }
}
