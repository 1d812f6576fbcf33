package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A view: what its rows should be at each sequence of its source, and what they were found to be. */
final class ModelView extends ModelTopic {
    private static final String WHOLE = "whole";

    private final ModelTopic source;
    private final ModelFilter filter;
    private final String select;
    private final String groupBy;

    /** The key of a record's group; for a projection that of the record. */
    private final Function<Version, String> grouping;

    /** The row of a group. */
    private final Function<List<Map<String, @Nullable Object>>, Map<String, @Nullable Object>> computing;

    private final boolean aggregate;

    /** Whether rows may be missing, because there was no memory for them. */
    boolean isIncomplete;

    private ModelView(
            final String name,
            final ModelTopic source,
            final ModelFilter filter,
            final List<String> keyColumns,
            final String select,
            final String groupBy,
            final boolean aggregate,
            final Function<Version, String> grouping,
            final Function<List<Map<String, @Nullable Object>>, Map<String, @Nullable Object>> computing) {
        super(name, keyColumns, 0, source.shard);
        this.source = source;
        this.filter = filter;
        this.select = select;
        this.groupBy = groupBy;
        this.aggregate = aggregate;
        this.grouping = grouping;
        this.computing = computing;
    }

    /** Aggregates by a field. */
    static ModelView groups(final String name, final ModelTopic source, final ModelFilter filter) {
        return new ModelView(
                name,
                source,
                filter,
                List.of("g"),
                "g, " + ModelGroup.SELECT,
                "g",
                true,
                version -> String.valueOf(version.fields().get("g")),
                members -> ModelGroup.row((Double) members.get(0).get("g"), members));
    }

    /** Aggregates by a field and a condition, under other names. */
    static ModelView pairs(final String name, final ModelTopic source, final ModelFilter filter) {
        return new ModelView(
                name,
                source,
                filter,
                List.of("x", "is_a"),
                ModelGroup.SELECT + ", t = 'a' AS \"is_a\", g AS x",
                "g, t = 'a'",
                true,
                version -> version.fields().get("g") + "|" + isA(version.fields()),
                members -> {
                    final Map<String, @Nullable Object> row = ModelGroup.row(null, members);
                    row.put("x", members.get(0).get("g"));
                    row.put("is_a", isA(members.get(0)));
                    return ModelGroup.present(row);
                });
    }

    private static @Nullable Object isA(final Map<String, @Nullable Object> fields) {
        final Object text = fields.get("t");
        return text == null ? null : text.equals("a");
    }

    /** Aggregates over everything. */
    static ModelView whole(final String name, final ModelTopic source, final ModelFilter filter) {
        return new ModelView(
                name,
                source,
                filter,
                List.of(),
                ModelGroup.SELECT,
                "",
                true,
                version -> WHOLE,
                members -> ModelGroup.row(null, members));
    }

    /** A row for each record. */
    static ModelView lines(final String name, final ModelTopic source, final ModelFilter filter) {
        return new ModelView(
                name,
                source,
                filter,
                source.keyFields.stream().map(ModelView::column).toList(),
                source.keyFields.stream()
                                .map(field -> '"' + field + "\" AS \"" + column(field) + "\", ")
                                .collect(Collectors.joining())
                        + "p, t, g, d + p * 2 AS d, /o/x AS ox",
                "",
                false,
                Version::key,
                members -> line(source, members.get(0)));
    }

    /** What a key's field is called in a row. */
    private static String column(final String field) {
        return field + "_too";
    }

    /** The views of a seed: also of views. */
    static List<ModelView> random(final List<ModelTopic> topics, final Random random) {
        final List<ModelView> views = new ArrayList<>();
        views.add(groups("groups", topics.get(0), ModelFilter.random(random)));
        if (random.nextBoolean()) {
            views.add(whole("whole", topics.get(1), ModelFilter.random(random)));
        }
        if (random.nextBoolean()) {
            views.add(pairs("pairs", topics.get(random.nextInt(topics.size())), ModelFilter.random(random)));
        }
        views.add(lines("lines", topics.get(random.nextInt(topics.size())), ModelFilter.random(random)));
        if (random.nextBoolean()) {
            views.add(lines("lines of views", views.get(random.nextInt(views.size())), ModelFilter.random(random)));
        }
        views.add(groups("groups of lines", views.get(random.nextInt(views.size())), ModelFilter.random(random)));
        return views;
    }

    @Override
    boolean isView() {
        return true;
    }

    ViewConfig viewConfig() {
        return new ViewConfig(name, source.name, filter.text(), select, groupBy);
    }

    @Override
    boolean isPublisherKey() {
        return !aggregate && source.isPublisherKey();
    }

    /** What the columns that are its key have, null when one of them is not there. */
    @Override
    @Nullable
    String key(final Map<String, @Nullable Object> fields, final String given) {
        if (isPublisherKey()) {
            return given;
        }
        if (keyFields.isEmpty()) {
            return WHOLE;
        }
        return fields.keySet().containsAll(keyFields)
                ? keyFields.stream().map(fields::get).map(String::valueOf).collect(Collectors.joining("|"))
                : null;
    }

    @Override
    String keyText(final String key) {
        final Version version = Objects.requireNonNull(newest(key));
        final Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        keyFields.forEach(field -> columns.put(field, version.fields().get(field)));
        return isPublisherKey() ? key : ModelJson.write(columns);
    }

    /** Takes a row as it was found, which has to be one that there may be. */
    void onRow(final String given, final long sequence, final Map<String, @Nullable Object> row, final long since) {
        final String key = key(row, given);
        assertThat(key).as("key of %s", row).isNotNull();
        assertThat(given.isEmpty()).as("no other key: %s", given).isNotEqualTo(isPublisherKey());
        assertThat(rowsSince(key, sequence, since))
                .as("%s at %d: %s, %s", name, sequence, key, row)
                .anyMatch(each -> ModelGroup.areSame(row, each));
        put(key, sequence, row, NEVER);
    }

    /** Rows of a key that come of the source's states since a sequence: of a projection each, of an aggregate the last. */
    private List<Map<String, @Nullable Object>> rowsSince(final String key, final long sequence, final long since) {
        final List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        if (aggregate) {
            final Map<String, @Nullable Object> row = rows(sequence).get(key);
            if (row != null) {
                rows.add(row);
            }
        } else {
            source.versions(key).forEach(version -> {
                if (version.sequence() > since && filter.matches(version.fields())) {
                    rows.add(computing.apply(List.of(version.fields())));
                }
            });
        }
        return rows;
    }

    /** What the rows should be at a sequence, by key. */
    Map<String, Map<String, @Nullable Object>> rows(final long sequence) {
        final Map<String, List<Map<String, @Nullable Object>>> members = new LinkedHashMap<>();
        source.at(sequence).values().stream()
                .filter(version -> filter.matches(version.fields()))
                .forEach(version -> members.computeIfAbsent(grouping.apply(version), ignored -> new ArrayList<>())
                        .add(version.fields()));
        final Map<String, Map<String, @Nullable Object>> rows = new HashMap<>();
        members.forEach((key, each) -> rows.put(key, computing.apply(each)));
        return rows;
    }

    /** Compares the view with its source as both are at a sequence. */
    void check(final long sequence) {
        if (isIncomplete) {
            return;
        }
        final Map<String, Version> found = at(sequence);
        final Map<String, Map<String, @Nullable Object>> expected = rows(sequence);
        assertThat(found.keySet()).as("rows of %s at %d", name, sequence).isEqualTo(expected.keySet());
        found.forEach((key, version) -> ModelGroup.assertSame(version.fields(), expected.get(key)));
    }

    private static Map<String, @Nullable Object> line(
            final ModelTopic source, final Map<String, @Nullable Object> fields) {
        final Map<String, @Nullable Object> row = new HashMap<>();
        source.keyFields.forEach(name -> row.put(column(name), fields.get(name)));
        for (final String name : List.of("p", "t", "g")) {
            row.put(name, fields.get(name));
        }
        row.put(
                "d",
                fields.get("d") instanceof Double d && fields.get("p") instanceof Double p
                        ? (Object) (d + p * 2)
                        : null);
        row.put("ox", ModelJson.at(fields, "/o/x"));
        return ModelGroup.present(row);
    }
}
