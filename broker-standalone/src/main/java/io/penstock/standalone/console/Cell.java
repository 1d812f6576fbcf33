package io.penstock.standalone.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A field of a row.
 *
 * @param text      its value: text, a number, true or false as they are; JSON of an object or array; empty for null.
 * @param isNumeric whether it is a number, or null.
 * @param isDecimal whether it is a number with a fraction or an exponent.
 */
record Cell(String text, boolean isNumeric, boolean isDecimal) {
    /** The name of the one field of what is no object. */
    static final String OTHER = "message";

    private static final JsonFactory FACTORY = new JsonFactory();

    /**
     * Takes a row apart.
     *
     * @param json an object; anything else is a cell of its own.
     * @return its fields by their names, in their order.
     */
    static Map<String, Cell> of(final String json) {
        final Map<String, Cell> cells = new LinkedHashMap<>();
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    final String name = parser.currentName();
                    final JsonToken token = parser.nextToken();
                    cells.put(
                            name,
                            new Cell(
                                    text(parser, token),
                                    token.isNumeric() || token == JsonToken.VALUE_NULL,
                                    token == JsonToken.VALUE_NUMBER_FLOAT));
                }
            } else {
                cells.put(OTHER, new Cell(json, false, false));
            }
        } catch (final IOException e) {
            cells.clear();
            cells.put(OTHER, new Cell(json, false, false));
        }
        return cells;
    }

    private static String text(final JsonParser parser, final JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT, START_ARRAY -> {
                final StringWriter text = new StringWriter();
                try (JsonGenerator generator = FACTORY.createGenerator(text)) {
                    generator.copyCurrentStructureExact(parser);
                }
                yield text.toString();
            }
            case VALUE_NULL -> "";
            default -> parser.getText();
        };
    }
}
