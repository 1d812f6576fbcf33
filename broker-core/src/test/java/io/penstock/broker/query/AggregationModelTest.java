package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.broker.query.AggregationModel.Item;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Aggregations against a naive model that keeps all messages, through random additions, removals and merges. The longer
 * form runs as many seeds as {@code -Dpenstock.seeds} says.
 */
class AggregationModelTest {
    private static final int SEED_COUNT_DEFAULT = 150;
    private static final int STEPS_PER_SEED = 120;
    private static final JsonFactory JACKSON = new JsonFactory();

    @Test
    void shouldAgreeWithTheModelWhenMessagesComeAndGo() {
        final int seedCount = Integer.getInteger("penstock.seeds", SEED_COUNT_DEFAULT);
        for (int seed = 0; seed < seedCount; seed++) {
            run(seed);
        }
    }

    private static void run(final int seed) {
        final Random random = new Random(seed);
        final List<String> groupBy = AggregationModel.randomGroups(random);
        final List<Item> items = AggregationModel.randomItems(random);
        final SelectList list = Rows.list(select(groupBy, items), String.join(", ", groupBy));
        final Aggregation whole = new Aggregation(list, Rows.JSON, 1000);
        final Aggregation part = new Aggregation(list, Rows.JSON, 1000);
        final Aggregation scan = Aggregation.scan(list, Rows.JSON, 1000);
        final Aggregation otherScan = Aggregation.scan(list, Rows.JSON, 1000);
        final List<Map<String, @Nullable Object>> present = new ArrayList<>();
        final Map<String, Map<String, @Nullable Object>> view = new HashMap<>();
        for (int step = 0; step < STEPS_PER_SEED; step++) {
            if (!present.isEmpty() && random.nextInt(5) < 2) {
                Rows.remove(whole, AggregationModel.json(present.remove(random.nextInt(present.size()))));
            } else {
                final Map<String, @Nullable Object> message = AggregationModel.randomMessage(random);
                present.add(message);
                assertThat(Rows.add(whole, AggregationModel.json(message))).isTrue();
            }
            if (step % 10 == 0) {
                apply(whole, view);
                final var expected = AggregationModel.rows(present, groupBy, items);
                assertThat(rows(whole)).as("seed %d, %s", seed, list).isEqualTo(expected);
                assertThat(List.copyOf(view.values()))
                        .as("view of seed %d, %s", seed, list)
                        .containsExactlyInAnyOrderElementsOf(
                                present.isEmpty()
                                        ? List.of()
                                        : AggregationModel.rows(present, groupBy, items)
                                                .values());
            }
        }
        for (final Map<String, @Nullable Object> message : present) {
            final boolean isFirst = random.nextBoolean();
            Rows.add(isFirst ? scan : otherScan, AggregationModel.json(message));
            Rows.add(part, AggregationModel.json(message));
        }
        assertThat(scan.merge(otherScan)).isTrue();
        assertThat(rows(scan)).as("seed %d, %s", seed, list).isEqualTo(AggregationModel.rows(present, groupBy, items));
        assertThat(part.merge(whole)).isTrue();
        final List<Map<String, @Nullable Object>> twice = new ArrayList<>(present);
        twice.addAll(present);
        assertThat(rows(part)).as("seed %d, %s", seed, list).isEqualTo(AggregationModel.rows(twice, groupBy, items));
        twice.forEach(message -> Rows.remove(part, AggregationModel.json(message)));
        assertThat(part.groupCount()).as("seed %d, %s", seed, list).isEqualTo(groupBy.isEmpty() ? 1 : 0);
    }

    private static String select(final List<String> groupBy, final List<Item> items) {
        final List<String> parts = new ArrayList<>();
        for (int i = 0; i < groupBy.size(); i++) {
            parts.add(groupBy.get(i) + " AS g" + i);
        }
        for (int i = 0; i < items.size(); i++) {
            parts.add(items.get(i).text() + " AS r" + i);
        }
        return String.join(", ", parts);
    }

    /** The rows by the values of their group. */
    private static Map<List<@Nullable Object>, Map<String, @Nullable Object>> rows(final Aggregation aggregation) {
        final Map<List<@Nullable Object>, Map<String, @Nullable Object>> rows = new HashMap<>();
        aggregation.forEach((key, offset, length, count, row) -> {
            final Map<String, @Nullable Object> values = parse(Rows.text(row));
            final List<@Nullable Object> group = values.entrySet().stream()
                    .filter(each -> each.getKey().startsWith("g"))
                    .map(Map.Entry::getValue)
                    .collect(Collectors.toCollection(ArrayList::new));
            assertThat(rows.put(group, values)).as("second row of a group").isNull();
        });
        return rows;
    }

    /** What a view does with the changes: a row for each key. */
    private static void apply(final Aggregation aggregation, final Map<String, Map<String, @Nullable Object>> view) {
        aggregation.drainChanged((key, offset, length, count, row) -> {
            if (count == 0) {
                view.remove(hex(key, offset, length));
            } else {
                view.put(hex(key, offset, length), parse(Rows.text(row)));
            }
        });
    }

    private static String hex(final DirectBuffer key, final int offset, final int length) {
        final byte[] bytes = new byte[length];
        key.getBytes(offset, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static Map<String, @Nullable Object> parse(final String json) {
        final Map<String, @Nullable Object> values = new LinkedHashMap<>();
        try (JsonParser parser = JACKSON.createParser(json)) {
            parser.nextToken();
            String name = parser.nextFieldName();
            while (name != null) {
                values.put(name, value(parser, parser.nextToken()));
                name = parser.nextFieldName();
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(json, e);
        }
        return values;
    }

    private static @Nullable Object value(final JsonParser parser, final JsonToken token) throws IOException {
        return switch (token) {
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> AggregationModel.normal(parser.getDoubleValue());
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }
}
