package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Permissions;
import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Generated changes of permissions between generated changes of records, for all ways to follow state, and slow clients,
 * against a model. Long form: {@code -Dpenstock.stateChangeSeeds=2000}.
 */
@Timeout(600)
class StateChangeModelTest {
    private static final int SEEDS = Integer.getInteger("penstock.stateChangeSeeds", 60);
    private static final int STEPS = 60;
    private static final int IDS = 12;

    private static final Map<String, Predicate<Map<String, @Nullable Object>>> CONDITIONS = Map.of(
            "",
            each -> true,
            "desk = 'E'",
            each -> "E".equals(each.get("desk")),
            "desk = 'W'",
            each -> "W".equals(each.get("desk")),
            "v > 2",
            each -> each.get("v") instanceof Double v && v > 2,
            "desk = 'E' OR v = 1",
            each -> "E".equals(each.get("desk")) || Double.valueOf(1).equals(each.get("v")),
            "FALSE",
            each -> false);

    /** Ways to follow; by their place the number of the subscription. */
    private static final List<SubscribeRequest> WAYS = List.of(
            SubscribeRequest.topic("o").sow().oof(),
            SubscribeRequest.topic("o").sow().oof().delta(),
            SubscribeRequest.topic("o").sow().oof().conflation(Duration.ofMillis(20)),
            SubscribeRequest.topic("o").sow().oof().delta().conflation(Duration.ofMillis(50)),
            SubscribeRequest.topic("o").sow().oof().filter("v > 1"),
            SubscribeRequest.topic("o").sow().delta(),
            SubscribeRequest.topic("o").sow(),
            SubscribeRequest.topic("o").oof());

    private static final List<String> NAMES =
            CONDITIONS.keySet().stream().sorted().toList();

    @TempDir
    Path directory;

    private Random random = new Random();
    private TestBroker test;
    private StateClient root;
    private Follower trader;
    private final Map<String, Map<String, @Nullable Object>> records = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private int publishedCount;

    private record Change(String condition, int handedOver) {}

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
        final boolean isJournaled = random.nextInt(4) == 0;
        changes.add(new Change("", 0));
        test = GuardedBroker.start(
                permissions(""),
                builder -> (isJournaled
                                ? builder.journal(JournalConfig.in(directory.toString())
                                        .withFileLength(64 * 1024)
                                        .withSnapshots(0, 0))
                                : builder)
                        .topic(TopicConfig.keyed("o", "json", "id")));
        root = new StateClient(test, "root");
        trader = new Follower(test);
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
            }
            trader.paused = false;
            root.flush();
            test.settle();
            test.advance(120);
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
            case 4 -> trader.paused = random.nextInt(3) == 0;
            case 5 -> test.cycle();
            case 6 -> test.settle();
            case 7 -> test.advance(10);
            case 8 -> publish(random.nextInt(150));
            case 9 -> delete();
            default -> publish(random.nextInt(8));
        }
    }

    private void publish(final int count) {
        for (int i = 0; i < count; i++) {
            final int padding = random.nextInt(60) == 0 ? 9_000 : random.nextInt(200);
            final String text = "{\"id\":" + random.nextInt(IDS) + ",\"desk\":\"" + (random.nextBoolean() ? "E" : "W")
                    + "\",\"v\":" + random.nextInt(4) + ",\"n\":" + publishedCount++ + ",\"pad\":\""
                    + "x".repeat(padding) + "\"}";
            final Map<String, @Nullable Object> fields = ModelJson.parse(text);
            records.put(key(fields), fields);
            root.publish("o", text);
        }
    }

    private void delete() {
        final String id = String.valueOf(random.nextInt(IDS));
        root.delete("o", "id = " + id);
        records.remove(String.valueOf(Double.valueOf(id)));
    }

    private static String key(final Map<String, @Nullable Object> fields) {
        return String.valueOf(fields.get("id"));
    }

    private void change() {
        final String condition = NAMES.get(random.nextInt(NAMES.size()));
        test.broker.permissions(permissions(condition));
        test.broker.invoke();
        assertThat(test.broker.arePermissionsApplied()).isTrue();
        changes.add(new Change(condition, (int) test.broker.counter("messagesDelivered")));
    }

    private void subscribe() {
        final int way = random.nextInt(WAYS.size());
        if (trader.mirrors.containsKey((long) way)) {
            return;
        }
        root.flush();
        trader.paused = false;
        trader.mirrors.put((long) way, new HashMap<>());
        trader.subscribe(way + 100, WAYS.get(way));
    }

    private boolean isVisible(final Map<String, @Nullable Object> fields, final String condition, final long way) {
        return Predicates.of(condition).test(fields) && (way != 4 || (fields.get("v") instanceof Double v && v > 1));
    }

    /** Whether a way is without notices of what disappears. */
    private static boolean isUntold(final long way) {
        return way == 5 || way == 6;
    }

    private static final class Predicates {
        static Predicate<Map<String, @Nullable Object>> of(final String condition) {
            final Predicate<Map<String, @Nullable Object>> found = CONDITIONS.get(condition);
            if (found == null) {
                throw new IllegalArgumentException(condition);
            }
            return found;
        }
    }

    private void check() {
        assertThat(trader.errors).isEmpty();
        final String condition = changes.get(changes.size() - 1).condition;
        trader.mirrors.forEach((way, mirror) -> {
            final Map<String, Map<String, @Nullable Object>> visible = new TreeMap<>(records);
            visible.values().removeIf(fields -> !isVisible(fields, condition, way));
            if (way < 5) {
                assertThat(new TreeMap<>(mirror)).as("way %d, %s", way, changes).isEqualTo(visible);
            } else if (way < 7) {
                assertThat(mirror).as("way %d, %s", way, changes).containsAllEntriesOf(visible);
            }
        });
    }

    /** Keeps what each subscription shows, and refuses what it may not be shown. */
    private final class Follower extends StateClient {
        final Map<Long, Map<String, Map<String, @Nullable Object>>> mirrors = new TreeMap<>();
        private int count;

        Follower(final TestBroker broker) {
            super(broker, "trader-E");
        }

        @Override
        public void onGroupBegin(
                final long commandId, final long queryId, final String topic, final int shard, final long sequence) {
            mirrors.get(queryId - 100).clear();
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
            final long way = subscriptionId - 100;
            final Map<String, Map<String, @Nullable Object>> mirror = mirrors.get(way);
            final Map<String, @Nullable Object> fields =
                    ModelJson.parse(buffer.getStringWithoutLengthUtf8(offset, length));
            final String key = key(fields);
            final Map<String, @Nullable Object> known = mirror.get(key);
            final String condition = conditionAt(count++);
            final String what = "way " + way + ", " + kind + " " + fields + " after " + known + ", " + changes;
            switch (kind) {
                case STATE, MESSAGE -> {
                    assertThat(isVisible(fields, condition, way)).as(what).isTrue();
                    // Who is not told what disappears is sent it anew when it appears.
                    assertThat(isUntold(way) || !fields.equals(known)).as(what).isTrue();
                    mirror.put(key, fields);
                }
                case DELTA -> {
                    assertThat(known).as(what).isNotNull();
                    final Map<String, @Nullable Object> merged = ModelJson.merged(known, fields);
                    assertThat(isVisible(merged, condition, way)).as(what).isTrue();
                    mirror.put(key, merged);
                }
                default -> {
                    assertThat(isUntold(way)).as(what).isFalse();
                    if (way < 7) {
                        assertThat(known).as(what).isNotNull();
                        assertThat(fields.equals(known)
                                        || Predicates.of(condition).test(fields))
                                .as(what)
                                .isTrue();
                    }
                    mirror.remove(key);
                }
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
