package io.penstock.standalone.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rows of JSON objects under the names of their fields, for people: numbers to the right, and rounded. */
public final class Table {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final String OTHER = "message";
    private static final int DIGITS = 6;
    private static final int DECIMALS_MIN = 2;
    private static final int WIDTH_MAX = 60;
    private static final String GAP = "  ";

    private final Map<String, Column> columns = new LinkedHashMap<>();
    private final List<Map<String, String>> rows = new ArrayList<>();

    private static final class Column {
        private int width;
        private boolean isNumeric = true;
    }

    private record Cell(String text, boolean isNumeric) {}

    /**
     * Adds a row.
     *
     * @param json an object, whose fields are the cells; anything else is a cell of its own.
     */
    public void add(final String json) {
        final Map<String, Cell> cells = new LinkedHashMap<>();
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    final String name = printable(parser.currentName());
                    final JsonToken token = parser.nextToken();
                    cells.put(name, new Cell(text(parser, token), token.isNumeric() || token == JsonToken.VALUE_NULL));
                }
            } else {
                cells.put(OTHER, new Cell(printable(json), false));
            }
        } catch (final IOException e) {
            cells.clear();
            cells.put(OTHER, new Cell(printable(json), false));
        }
        final Map<String, String> row = new LinkedHashMap<>();
        cells.forEach((name, cell) -> row.put(name, shown(name, cell)));
        rows.add(row);
    }

    private String shown(final String name, final Cell cell) {
        final String text = cell.text.length() > WIDTH_MAX ? cell.text.substring(0, WIDTH_MAX - 1) + "…" : cell.text;
        final Column column = columns.computeIfAbsent(name, key -> new Column());
        column.width = Math.max(column.width, Math.max(name.length(), text.length()));
        column.isNumeric &= cell.isNumeric;
        return text;
    }

    private static String printable(final String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }

    private static String text(final JsonParser parser, final JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT, START_ARRAY -> {
                final StringWriter text = new StringWriter();
                try (JsonGenerator generator = FACTORY.createGenerator(text)) {
                    generator.copyCurrentStructure(parser);
                }
                yield text.toString();
            }
            case VALUE_NULL -> "";
            case VALUE_NUMBER_FLOAT -> rounded(parser.getDecimalValue());
            default -> printable(parser.getText());
        };
    }

    /** Six digits, but never fewer than two decimals of those that there are. */
    private static String rounded(final BigDecimal number) {
        final int scale = Math.max(DECIMALS_MIN, DIGITS - (number.precision() - number.scale()));
        final BigDecimal rounded = number.scale() > scale ? number.setScale(scale, RoundingMode.HALF_UP) : number;
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    /**
     * How many rows there are.
     *
     * @return without the header.
     */
    public int rowCount() {
        return rows.size();
    }

    /**
     * Draws it.
     *
     * @return the header and each row, without line ends; nothing when there are no rows.
     */
    public List<String> lines() {
        final List<String> lines = new ArrayList<>();
        if (!rows.isEmpty()) {
            final Map<String, String> header = new LinkedHashMap<>();
            columns.keySet().forEach(name -> header.put(name, name.toUpperCase(Locale.ROOT)));
            lines.add(line(header));
            rows.forEach(row -> lines.add(line(row)));
        }
        return lines;
    }

    private String line(final Map<String, String> row) {
        final StringBuilder line = new StringBuilder();
        columns.forEach((name, column) -> {
            final String text = row.getOrDefault(name, "");
            final String padding = " ".repeat(column.width - text.length());
            line.append(line.isEmpty() ? "" : GAP).append(column.isNumeric ? padding + text : text + padding);
        });
        return line.toString().stripTrailing();
    }
}
