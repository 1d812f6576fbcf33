package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that put the rows of a view together from their key columns and what has changed, compared with rows that are
 * computed anew from all records.
 */
class ViewMirrorTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 20);
    private static final int ROUNDS = 40;
    private static final int CONFLATION_MS = 20;
    private static final List<String> KEY = List.of("m", "price > 5");
    private static final String SELECT = "COUNT(*) AS n, market AS m, SUM(qty) AS sum, MAX(price) AS top, price > 5";
    private static final String[] MARKETS = {
        "null", "1", "1.0", "\"1\"", "true", "\"x\"", "[\"x\"]", "{}", "0.5", "\"\"", longer('a'), longer('b')
    };

    @TempDir
    Path directory;

    @Test
    void shouldPutTheRowsTogetherThatThereAre() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try (Run run = new Run(seed, directory.resolve("" + seed))) {
                run.run();
            } catch (final AssertionError failed) {
                throw new AssertionError("seed " + seed + ": " + failed.getMessage(), failed);
            }
        }
    }

    /** Texts that fit no key together with others; of different lengths, which is all that is looked at. */
    private static String longer(final char c) {
        return '"' + String.valueOf(c).repeat(c == 'a' ? 1_300 : 2_600) + '"';
    }

    private static final class Run implements AutoCloseable {
        private final Random random;
        private final Path directory;
        private final Map<Integer, Map<String, @Nullable Object>> orders = new HashMap<>();
        private final List<Mirror> mirrors = new ArrayList<>();
        private TestBroker broker;
        private StateClient client;
        private StateClient publisher;
        private long nextId = 1;

        Run(final long seed, final Path directory) {
            this.random = new Random(seed);
            this.directory = directory;
            start();
        }

        private void start() {
            broker = new TestBroker(builder -> builder.journal(
                            JournalConfig.in(directory.toString()).withFileLength(256 * 1024))
                    .sessions(TestBroker.sessions(1024, 16 * 1024))
                    .topic(TopicConfig.keyed("orders", "json", "id"))
                    .view(new ViewConfig("v", "orders", "qty > 0", SELECT, "market, price > 5"))
                    .view(new ViewConfig("w", "v", "n > 1", "sum, m, n, \"price > 5\", top", "")));
            client = new StateClient(broker);
            publisher = new StateClient(broker);
            mirrors.clear();
        }

        void run() {
            for (int i = 0; i < ROUNDS; i++) {
                final int choice = random.nextInt(20);
                if (choice == 0) {
                    broker.close();
                    start();
                } else if (choice < 5) {
                    follow();
                } else if (choice < 7) {
                    client.paused = true;
                }
                change();
                client.paused = false;
                broker.settle();
                broker.advance(2 * CONFLATION_MS);
                broker.settle();
                check();
            }
        }

        private void follow() {
            final Mirror mirror = new Mirror(random);
            mirrors.add(mirror);
            client.subscribe(nextId, mirror.request);
            mirror.id = nextId++;
        }

        private void change() {
            for (int i = random.nextInt(12); i > 0; i--) {
                final int id = random.nextInt(12);
                if (random.nextInt(5) == 0) {
                    publisher.delete("orders", "", "{\"id\":" + id + "}");
                    orders.remove(id);
                } else {
                    final String market =
                            random.nextInt(8) == 0 ? "" : ",\"market\":" + MARKETS[random.nextInt(MARKETS.length)];
                    final String price = random.nextInt(6) == 0 ? "" : ",\"price\":" + random.nextInt(10);
                    final String text = "{\"id\":" + id + market + price + ",\"qty\":" + random.nextInt(5) + "}";
                    publisher.publish("orders", text);
                    orders.put(id, ModelJson.parse(text));
                }
            }
            publisher.flush();
        }

        private void check() {
            for (final StateClient.Delivery delivery : client.deliveries) {
                mirrors.stream().filter(each -> each.id == delivery.id()).forEach(each -> each.on(delivery));
            }
            client.deliveries.clear();
            final Map<List<@Nullable Object>, Map<String, Object>> rows = rows();
            mirrors.forEach(each -> each.check(rows));
            final Mirror all = new Mirror(SubscribeRequest.topic("v").sow());
            client.sow(SowRequest.topic("v"));
            client.deliveries.forEach(all::on);
            all.check(rows);
            checkKeys(rows);
            client.deliveries.clear();
        }

        /** One of the rows, asked for by its key. */
        private void checkKeys(final Map<List<@Nullable Object>, Map<String, Object>> rows) {
            if (!client.deliveries.isEmpty()) {
                final StateClient.Delivery one = client.deliveries.get(random.nextInt(client.deliveries.size()));
                assertThat(client.sow(SowRequest.topic("v").keys(List.of(one.text()))))
                        .containsExactly(one.text());
                assertThat(rows).containsKey(keyOf(ModelJson.parse(one.text())));
            }
        }

        /** The view's rows, computed from all records. */
        private Map<List<@Nullable Object>, Map<String, Object>> rows() {
            final Map<List<@Nullable Object>, List<Map<String, @Nullable Object>>> groups = new LinkedHashMap<>();
            orders.values().stream()
                    .filter(order -> (Double) order.get("qty") > 0)
                    .forEach(order -> groups.computeIfAbsent(
                                    Arrays.asList(
                                            scalar(order.get("market")),
                                            order.get("price") instanceof Double price ? (Object) (price > 5) : null),
                                    ignored -> new ArrayList<>())
                            .add(order));
            final Map<List<@Nullable Object>, Map<String, Object>> rows = new HashMap<>();
            groups.forEach((key, members) -> {
                final Map<String, @Nullable Object> row = new HashMap<>();
                row.put("m", key.get(0));
                row.put("price > 5", key.get(1));
                row.put("n", (double) members.size());
                row.put(
                        "sum",
                        members.stream()
                                .mapToDouble(each -> (Double) each.get("qty"))
                                .sum());
                members.stream()
                        .filter(each -> each.get("price") != null)
                        .mapToDouble(each -> (Double) each.get("price"))
                        .max()
                        .ifPresent(top -> row.put("top", top));
                rows.put(key, ModelJson.present(row));
            });
            return rows;
        }

        private static @Nullable Object scalar(final @Nullable Object value) {
            return value instanceof List<?> list ? list.get(0) : value instanceof Map<?, ?> ? null : value;
        }

        @Override
        public void close() {
            broker.close();
        }
    }

    private static List<@Nullable Object> keyOf(final Map<String, @Nullable Object> fields) {
        assertThat(fields).as("says what it is of").containsKeys(KEY.toArray(new String[0]));
        return Arrays.asList(fields.get(KEY.get(0)), fields.get(KEY.get(1)));
    }

    /** What a client knows of a view. */
    private static final class Mirror {
        private final SubscribeRequest request;
        private final Map<List<@Nullable Object>, Map<String, @Nullable Object>> rows = new HashMap<>();
        private final Set<List<@Nullable Object>> reported = new HashSet<>();
        private long id;

        Mirror(final SubscribeRequest request) {
            this.request = request;
        }

        Mirror(final Random random) {
            SubscribeRequest asked = SubscribeRequest.topic(random.nextInt(3) == 0 ? "w" : "v")
                    .sow()
                    .oof();
            if (random.nextBoolean()) {
                asked = asked.filter("n > 1");
            }
            if (random.nextInt(4) > 0) {
                asked = asked.delta();
            }
            if (random.nextBoolean()) {
                asked = asked.select(random.nextBoolean() ? "sum" : "top, n");
            }
            if (random.nextBoolean()) {
                asked = random.nextBoolean()
                        ? asked.conflation(Duration.ofMillis(CONFLATION_MS))
                        : asked.conflation(Duration.ofMillis(CONFLATION_MS), random.nextBoolean() ? "m" : "n");
            }
            request = asked;
        }

        void on(final StateClient.Delivery delivery) {
            assertThat(delivery.key()).as("beside the row: %s", delivery).isEmpty();
            final Map<String, @Nullable Object> fields = ModelJson.parse(delivery.text());
            final List<@Nullable Object> key = keyOf(fields);
            reported.remove(key);
            switch (delivery.kind()) {
                case STATE -> rows.put(key, fields);
                case MESSAGE -> {
                    reported.add(key);
                    rows.put(key, fields);
                }
                case DELTA -> {
                    assertThat(rows).as("%s", delivery).containsKey(key);
                    reported.add(key);
                    rows.put(key, ModelJson.merged(rows.get(key), fields));
                }
                default -> rows.remove(key);
            }
        }

        /** Merged records do not all come; no record is there that no longer exists. */
        void check(final Map<List<@Nullable Object>, Map<String, Object>> all) {
            final boolean isMerged = !request.conflationKey().isEmpty();
            final boolean isOver1 =
                    request.topic().equals("w") || !request.filter().isEmpty();
            final Map<String, Object> expected = new TreeMap<>();
            final Map<String, Object> found = new TreeMap<>();
            final Set<List<@Nullable Object>> there = new HashSet<>();
            all.forEach((key, row) -> {
                if (!isOver1 || (Double) row.get("n") > 1) {
                    there.add(key);
                    if (!isMerged || reported.contains(key)) {
                        expected.put(key.toString(), shown(row));
                    }
                }
            });
            rows.forEach((key, row) -> {
                if (!isMerged || reported.contains(key)) {
                    found.put(key.toString(), ModelJson.present(row));
                }
            });
            assertThat(found).as("%s", request).isEqualTo(expected);
            assertThat(there).as("%s", request).containsAll(rows.keySet());
            reported.clear();
        }

        private Map<String, Object> shown(final Map<String, Object> row) {
            if (request.select().isEmpty()) {
                return row;
            }
            final Map<String, Object> shown = new HashMap<>(row);
            final Set<String> names = new HashSet<>(List.of(request.select().split(", ", -1)));
            names.addAll(KEY);
            shown.keySet().retainAll(names);
            return shown;
        }
    }
}
