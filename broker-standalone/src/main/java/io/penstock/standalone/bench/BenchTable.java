package io.penstock.standalone.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/** The result as a table for people: the figures of one object in a column, and of each nested one in another. */
final class BenchTable {
    private static final int NAME_WIDTH = 32;
    private static final int COLUMN_WIDTH = 18;
    private static final double DECIMALS_BELOW = 100;

    private BenchTable() {}

    static String of(final String json) throws IOException {
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
        final StringBuilder table = new StringBuilder();
        if (!columns.isEmpty()) {
            table.append(String.format("%-" + NAME_WIDTH + "s", "")).append(cell("penstock"));
            columns.forEach(column -> table.append(cell(column)));
            table.append('\n');
        }
        rows.forEach((name, values) -> {
            table.append(String.format("%-" + NAME_WIDTH + "s", name)).append(cell(values.getOrDefault("", "")));
            columns.forEach(column -> table.append(cell(values.getOrDefault(column, ""))));
            table.append('\n');
        });
        return table.toString();
    }

    private static String cell(final String text) {
        return String.format("%" + COLUMN_WIDTH + "s", text);
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
