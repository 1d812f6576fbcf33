package io.penstock.system.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.system.sql.SqlQuery.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an answer, in their order if one was asked for. Numbers are doubles, which hold all that there are.
 *
 * @param rows  values by column.
 * @param kinds of the columns.
 */
record SqlAnswer(List<List<@Nullable Object>> rows, List<Kind> kinds) {
    /** How far sums and means may be apart, for those that are near 0 and as a part of others. */
    private static final double TOLERANCE = 1e-6;

    private static final double RELATIVE_TOLERANCE = 1e-9;

    private static final JsonFactory JACKSON = new JsonFactory();

    static SqlAnswer of(final List<String> texts, final SqlQuery query) {
        return new SqlAnswer(texts.stream().map(SqlAnswer::values).toList(), query.kinds()).inOrder(query);
    }

    private static List<@Nullable Object> values(final String json) {
        final List<@Nullable Object> values = new ArrayList<>();
        try (JsonParser parser = JACKSON.createParser(json)) {
            parser.nextToken();
            while (parser.nextFieldName() != null) {
                final JsonToken token = parser.nextToken();
                values.add(
                        switch (token) {
                            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> (Object) parser.getDoubleValue();
                            case VALUE_STRING -> parser.getText();
                            case VALUE_TRUE -> true;
                            case VALUE_FALSE -> false;
                            default -> null;
                        });
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(json, e);
        }
        return values;
    }

    static SqlAnswer of(final ResultSet results, final SqlQuery query) throws SQLException {
        final List<Kind> kinds = query.kinds();
        final List<List<@Nullable Object>> rows = new ArrayList<>();
        while (results.next()) {
            final List<@Nullable Object> row = new ArrayList<>();
            for (int i = 0; i < kinds.size(); i++) {
                final Object value = results.getObject(i + 1);
                row.add(
                        value == null
                                ? null
                                : switch (kinds.get(i)) {
                                    case NUMBER, ROUNDED -> (Object) ((Number) value).doubleValue();
                                    case TEXT -> (String) value;
                                    case BOOLEAN ->
                                        value instanceof Number number ? (Object) (number.intValue() != 0) : value;
                                });
            }
            rows.add(row);
        }
        return new SqlAnswer(rows, kinds).inOrder(query);
    }

    /** Sorts what may come in any order: by its keys, since no two groups have the same. */
    private SqlAnswer inOrder(final SqlQuery query) {
        if (!query.order().isEmpty()) {
            return this;
        }
        final int keyCount = Math.max(1, query.groupBy().size());
        final List<List<@Nullable Object>> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparing(row -> row.subList(0, keyCount).toString()));
        return new SqlAnswer(sorted, kinds);
    }

    /** Whether both say the same. */
    boolean isLike(final SqlAnswer other) {
        if (rows.size() != other.rows.size()) {
            return false;
        }
        for (int i = 0; i < rows.size(); i++) {
            for (int column = 0; column < kinds.size(); column++) {
                if (!areAlike(rows.get(i).get(column), other.rows.get(i).get(column), kinds.get(column))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean areAlike(final @Nullable Object one, final @Nullable Object other, final Kind kind) {
        if (kind == Kind.ROUNDED && one instanceof Double left && other instanceof Double right) {
            return Math.abs(left - right) <= TOLERANCE + RELATIVE_TOLERANCE * Math.abs(left);
        }
        // Both zeros are one.
        if (one instanceof Double left && other instanceof Double right) {
            return left.doubleValue() == right.doubleValue();
        }
        return Objects.equals(one, other);
    }

    /** What differs, for people. */
    String differenceTo(final SqlAnswer other) {
        for (int i = 0; i < Math.min(rows.size(), other.rows.size()); i++) {
            if (!new SqlAnswer(rows.subList(i, i + 1), kinds)
                    .isLike(new SqlAnswer(other.rows.subList(i, i + 1), kinds))) {
                return rows.size() + " and " + other.rows.size() + " rows, at " + i + ": " + rows.get(i) + " and "
                        + other.rows.get(i);
            }
        }
        return rows.size() + " and " + other.rows.size() + " rows";
    }
}
