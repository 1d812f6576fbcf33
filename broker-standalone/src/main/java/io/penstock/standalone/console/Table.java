package io.penstock.standalone.console;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rows of JSON objects under the names of their fields, for people: numbers to the right, and rounded. */
public final class Table {
    private static final int DIGITS = 6;
    private static final int DECIMALS_MIN = 2;
    private static final int SCALE_MAX = 40;
    private static final int WIDTH_MAX = 60;
    private static final String GAP = "  ";

    private final Map<String, Column> columns = new LinkedHashMap<>();
    private final List<Map<String, String>> rows = new ArrayList<>();

    private static final class Column {
        private int width;
        private boolean isNumeric = true;
    }

    /**
     * Adds a row.
     *
     * @param json an object, whose fields are the cells; anything else is a cell of its own.
     */
    public void add(final String json) {
        add(Cell.of(json));
    }

    /** Adds a row by its cells. */
    void add(final Map<String, Cell> cells) {
        final Map<String, String> row = new LinkedHashMap<>();
        cells.forEach((name, cell) -> row.put(printable(name), shown(printable(name), cell)));
        rows.add(row);
    }

    private String shown(final String name, final Cell cell) {
        final String whole = cell.isDecimal() ? rounded(cell.text()) : printable(cell.text());
        final String text = whole.length() > WIDTH_MAX ? whole.substring(0, WIDTH_MAX - 1) + "…" : whole;
        final Column column = columns.computeIfAbsent(name, key -> new Column());
        column.width = Math.max(column.width, Math.max(name.length(), text.length()));
        column.isNumeric &= cell.isNumeric();
        return text;
    }

    private static String printable(final String text) {
        return text.replaceAll("\\p{Cc}", " ");
    }

    /** Six digits, but never fewer than two decimals of those that there are. */
    private static String rounded(final String text) {
        final BigDecimal number;
        try {
            number = new BigDecimal(text);
        } catch (final NumberFormatException e) {
            // JSON has numbers whose exponents Java has not.
            return text;
        }
        if (number.scale() > SCALE_MAX || number.scale() < -SCALE_MAX) {
            return text;
        }
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
