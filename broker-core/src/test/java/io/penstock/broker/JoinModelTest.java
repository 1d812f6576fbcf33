package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.RecordKind;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joins, and what two loops over the records of both topics find. */
class JoinModelTest {
    private static final int SEEDS =
            Integer.getInteger("penstock.seeds", Boolean.getBoolean("penstock.second") ? 6 : 16);
    private static final int ROUNDS = 40;
    private static final int EXPIRATION_MS = 50;
    private static final String SELECT = "/orders/id AS o, /customers/id AS c, /orders/n AS n, /customers/name AS name";
    private static final String[] VALUES = {
        "null", "1", "1.0", "\"1\"", "true", "\"x\"", "[\"x\",2]", "{}", "0.5", "\"\"", "[]", "2", "3", "4", "1e999"
    };

    /** What joins are on, with what that means. */
    private static final Map<String, BiPredicate<Map<String, ?>, Map<String, ?>>> ON = Map.of(
            "/orders/ref = /customers/id", (order, customer) -> areEqual(order.get("ref"), customer.get("id")),
            "/customers/group = /orders/ref", (order, customer) -> areEqual(order.get("ref"), customer.get("group")),
            "/orders/ref = /customers/id AND /orders/group = /customers/group",
                    (order, customer) -> areEqual(order.get("ref"), customer.get("id"))
                            && areEqual(order.get("group"), customer.get("group")));

    /** What rows are filtered by, with what that means. */
    private static final Map<String, BiPredicate<Map<String, ?>, Map<String, ?>>> FILTERS = Map.of(
            "/orders/n > 4 OR /customers/name < 5",
            (order, customer) -> isLess(4.0, order.get("n")) || isLess(customer.get("name"), 5.0),
            "/customers/id IS NULL",
            (order, customer) -> customer.get("id") == null,
            "/customers/id IS NULL OR /orders/n > /customers/name",
            (order, customer) -> customer.get("id") == null || isLess(customer.get("name"), order.get("n")),
            "/orders/n < 7 AND (/customers/name IS NULL OR /customers/name > 6)",
            (order, customer) ->
                    isLess(order.get("n"), 7.0) && (customer.get("name") == null || isLess(6.0, customer.get("name"))));

    @TempDir
    private Path directory;

    @Test
    void shouldHaveTheRowsThatTwoLoopsFind() {
        long rowCount = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            try (Run run = new Run(seed, directory.resolve("" + seed))) {
                rowCount += run.run();
            } catch (final AssertionError | IllegalStateException failed) {
                throw new AssertionError("seed " + seed + ": " + failed.getMessage(), failed);
            }
        }
        assertThat(rowCount).isGreaterThan(20L * SEEDS);
    }

    private static boolean areEqual(final @Nullable Object left, final @Nullable Object right) {
        final Object one = scalar(left);
        return one != null && one.equals(scalar(right));
    }

    private static boolean isLess(final @Nullable Object left, final @Nullable Object right) {
        return left instanceof Double one && right instanceof Double other && one < other;
    }

    private static @Nullable Object scalar(final @Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.isEmpty() ? null : list.get(0);
        }
        return value instanceof Map<?, ?> || (value instanceof Double number && number.isInfinite()) ? null : value;
    }

    private static final class Run implements AutoCloseable {
        private final Random random;
        private final Path directory;
        private final String on;
        private final boolean isOuter;
        private final String filter;
        private final boolean isJournaled;
        private final boolean isSmall;
        private final Map<List<@Nullable Object>, Map<String, @Nullable Object>> mirror = new HashMap<>();
        private TestBroker broker;
        private StateClient client;
        private StateClient publisher;

        Run(final long seed, final Path directory) {
            random = new Random(seed);
            this.directory = directory;
            on = ON.keySet().stream().sorted().toList().get(random.nextInt(ON.size()));
            isOuter = random.nextBoolean();
            filter = random.nextInt(3) == 0
                    ? ""
                    : FILTERS.keySet().stream().sorted().toList().get(random.nextInt(FILTERS.size()));
            isJournaled = random.nextInt(3) > 0;
            isSmall = random.nextInt(3) == 0;
            start();
        }

        private void start() {
            broker = new TestBroker(builder -> {
                final ViewConfig.JoinType type = isOuter ? ViewConfig.JoinType.LEFT : ViewConfig.JoinType.INNER;
                builder.topic(TopicConfig.keyed("orders", "json", "id"))
                        .topic(new TopicConfig(
                                "customers", false, "json", TopicConfig.SHARD_BY_HASH, "id", EXPIRATION_MS))
                        .view(ViewConfig.join(
                                "v", new ViewConfig.Join("orders", "customers", "", "", type, on), filter, SELECT));
                if (isSmall) {
                    builder.window(new WindowConfig(16 * 1024, 3)).sessions(TestBroker.sessions(1024, 4096));
                }
                return isJournaled
                        ? builder.journal(JournalConfig.in(directory.toString()).withFileLength(256 * 1024))
                        : builder;
            });
            client = new StateClient(broker);
            publisher = new StateClient(broker);
            mirror.clear();
            client.subscribe(1, SubscribeRequest.topic("v").sow().oof());
        }

        /** Returns how many rows there were. */
        long run() {
            long rowCount = 0;
            for (int i = 0; i < ROUNDS; i++) {
                if (isJournaled && random.nextInt(15) == 0) {
                    broker.close();
                    start();
                }
                change();
                rowCount += check();
                if (random.nextInt(6) == 0) {
                    broker.advance(EXPIRATION_MS / 2 + 1);
                    rowCount += check();
                }
            }
            return rowCount;
        }

        private void change() {
            for (int i = random.nextInt(isSmall ? 60 : 14); i > 0; i--) {
                final String topic = random.nextBoolean() ? "orders" : "customers";
                final int id = random.nextInt(isSmall ? 30 : 6);
                switch (random.nextInt(9)) {
                    case 0, 1 -> publisher.delete(topic, "", "{\"id\":" + id + "}");
                    case 2 -> publisher.delta(topic, "{\"id\":" + id + value("ref") + value("group") + "}");
                    default ->
                        publisher.publish(
                                topic,
                                "{\"id\":" + id + value("ref") + value("group") + ",\"n\":" + random.nextInt(10)
                                        + ",\"name\":" + random.nextInt(10) + "}");
                }
            }
            if (random.nextInt(20) == 0) {
                publisher.delete(random.nextBoolean() ? "orders" : "customers", "n > 3");
            }
            publisher.flush();
        }

        private String value(final String name) {
            return random.nextInt(8) == 0 ? "" : ",\"" + name + "\":" + VALUES[random.nextInt(VALUES.length)];
        }

        private int check() {
            broker.settle();
            for (final StateClient.Delivery each : client.deliveries) {
                if (each.id() == 1) {
                    take(each);
                }
            }
            client.deliveries.clear();
            final Set<Map<String, @Nullable Object>> expected = expected();
            assertThat(records("v")).as("state").containsExactlyInAnyOrderElementsOf(expected);
            assertThat(mirror.values()).as("followed").containsExactlyInAnyOrderElementsOf(expected);
            client.deliveries.clear();
            return expected.size();
        }

        private void take(final StateClient.Delivery each) {
            final Map<String, @Nullable Object> row = ModelJson.parse(each.text());
            final List<@Nullable Object> key = new ArrayList<>();
            key.add(row.get("o"));
            if (on.equals("/customers/group = /orders/ref")) {
                key.add(row.get("c"));
            }
            if (each.kind() == RecordKind.MESSAGE || each.kind() == RecordKind.STATE) {
                final Map<String, @Nullable Object> before = mirror.put(key, row);
                assertThat(before).as("a row that is as it was").isNotEqualTo(row);
            } else {
                assertThat(mirror.remove(key)).as("%s", each).isNotNull();
            }
        }

        private List<Map<String, @Nullable Object>> records(final String topic) {
            return client.sow(SowRequest.topic(topic)).stream()
                    .map(ModelJson::parse)
                    .toList();
        }

        private Set<Map<String, @Nullable Object>> expected() {
            final List<Map<String, @Nullable Object>> orders = records("orders");
            final List<Map<String, @Nullable Object>> customers = records("customers");
            final Set<Map<String, @Nullable Object>> rows = new HashSet<>();
            for (final Map<String, @Nullable Object> order : orders) {
                boolean isPaired = false;
                for (final Map<String, @Nullable Object> customer : customers) {
                    if (ON.get(on).test(order, customer)) {
                        isPaired = true;
                        add(rows, order, customer);
                    }
                }
                if (isOuter && !isPaired) {
                    add(rows, order, Map.of());
                }
            }
            return rows;
        }

        private void add(
                final Set<Map<String, @Nullable Object>> rows,
                final Map<String, @Nullable Object> order,
                final Map<String, @Nullable Object> customer) {
            if (filter.isEmpty() || FILTERS.get(filter).test(order, customer)) {
                final Map<String, @Nullable Object> row = new HashMap<>();
                row.put("o", order.get("id"));
                row.put("c", customer.get("id"));
                row.put("n", order.get("n"));
                row.put("name", customer.get("name"));
                rows.add(row);
            }
        }

        @Override
        public void close() {
            broker.close();
        }
    }
}
