package io.penstock.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The result as a table for people: the figures of one object in a column, and of each nested one in another. */
public final class BenchTable {
    private static final int NAME_WIDTH_MIN = 32;
    private static final int COLUMN_WIDTH_MIN = 18;
    private static final int GAP = 2;
    private static final double DECIMALS_BELOW = 100;

    private BenchTable() {}

    /**
     * Draws the table.
     *
     * @param json an object of numbers, texts, and objects of these.
     * @return lines, each with its end.
     * @throws IOException when it is not JSON.
     */
    public static String of(final String json) throws IOException {
        final Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        final LinkedHashSet<String> columns = new LinkedHashSet<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            String column = "";
            parser.nextToken();
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    column = parser.currentName();
                    columns.add(column);
                } else if (token == JsonToken.END_OBJECT) {
                    column = "";
                } else if (token.isScalarValue()) {
                    rows.computeIfAbsent(parser.currentName(), name -> new LinkedHashMap<>())
                            .put(column, text(parser, token));
                }
            }
        }
        final int nameWidth = width(NAME_WIDTH_MIN, rows.keySet());
        final int columnWidth = width(COLUMN_WIDTH_MIN, columns);
        final StringBuilder table = new StringBuilder();
        if (!columns.isEmpty()) {
            table.append(" ".repeat(nameWidth)).append(cell("penstock", columnWidth));
            columns.forEach(column -> table.append(cell(column, columnWidth)));
            table.append('\n');
        }
        rows.forEach((name, values) -> {
            table.append(name).append(" ".repeat(nameWidth - name.length()));
            table.append(cell(values.getOrDefault("", ""), columnWidth));
            columns.forEach(column -> table.append(cell(values.getOrDefault(column, ""), columnWidth)));
            table.append('\n');
        });
        return table.toString();
    }

    private static int width(final int min, final Set<String> texts) {
        return Math.max(min, texts.stream().mapToInt(String::length).max().orElse(0) + GAP);
    }

    private static String cell(final String text, final int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    private static String text(final JsonParser parser, final JsonToken token) throws IOException {
        return switch (token) {
            case VALUE_NUMBER_INT -> String.format("%,d", parser.getLongValue());
            case VALUE_NUMBER_FLOAT ->
                String.format(parser.getDoubleValue() < DECIMALS_BELOW ? "%,.3f" : "%,.1f", parser.getDoubleValue());
            case VALUE_NULL -> "-";
            default -> parser.getText();
        };
    }
}
