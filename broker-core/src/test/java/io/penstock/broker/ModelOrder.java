package io.penstock.broker;

import io.penstock.broker.ModelTopic.Version;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** An order of records, as the broker gets it and as it is meant. */
final class ModelOrder {
    private final List<Item> items;

    /**
     * One field of an order.
     *
     * @param nullsFirst null where nothing is said.
     */
    record Item(String field, boolean descending, @Nullable Boolean nullsFirst) {
        String text() {
            final String nulls = nullsFirst == null ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST";
            return field + (descending ? " DESC" : "") + nulls;
        }

        /** Null stands after everything, unless something else is said. */
        int compare(final @Nullable Object one, final @Nullable Object other) {
            if (one == null || other == null) {
                final int first = (nullsFirst == null ? descending : nullsFirst) ? -1 : 1;
                return one == other ? 0 : one == null ? first : -first;
            }
            final int ascending = one instanceof Double number
                    ? number.compareTo((Double) other)
                    : one instanceof Boolean bool
                            ? bool.compareTo((Boolean) other)
                            : ((String) one).compareTo((String) other);
            return descending ? -ascending : ascending;
        }
    }

    ModelOrder(final List<Item> items) {
        this.items = items;
    }

    static ModelOrder random(final ModelTopic topic, final Random random) {
        final List<Item> items = new ArrayList<>();
        if (random.nextInt(3) > 0) {
            for (final String field : List.of("p", "t", "g", "/o/x")) {
                if (random.nextInt(2) == 0) {
                    final int nulls = random.nextInt(3);
                    items.add(new Item(field, random.nextBoolean(), nulls == 2 ? null : nulls == 1));
                }
            }
            topic.keyFields.forEach(field -> items.add(new Item(field, random.nextBoolean(), null)));
        }
        return new ModelOrder(items);
    }

    boolean isGiven() {
        return !items.isEmpty();
    }

    String text() {
        return String.join(", ", items.stream().map(Item::text).toList());
    }

    List<Version> sorted(final List<Version> versions) {
        return versions.stream()
                .sorted(Comparator.comparing(Version::fields, this::compare))
                .toList();
    }

    List<Map<String, @Nullable Object>> sortedRows(final List<Map<String, @Nullable Object>> rows) {
        return rows.stream().sorted(this::compare).toList();
    }

    /** What a record is ordered by. */
    List<@Nullable Object> key(final Version version) {
        final List<@Nullable Object> key = new ArrayList<>();
        items.forEach(item -> key.add(ModelJson.at(version.fields(), item.field())));
        return key;
    }

    private int compare(final Map<String, @Nullable Object> one, final Map<String, @Nullable Object> other) {
        for (final Item item : items) {
            final int compared = item.compare(ModelJson.at(one, item.field()), ModelJson.at(other, item.field()));
            if (compared != 0) {
                return compared;
            }
        }
        return 0;
    }
}
