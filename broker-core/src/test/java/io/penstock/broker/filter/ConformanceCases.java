package io.penstock.broker.filter;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The conformance cases of others in which a message is matched, with what this broker has decided. */
final class ConformanceCases {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Path FOLDER = Path.of("..", "tests", "conformance");

    private ConformanceCases() {}

    /**
     * A case.
     *
     * @param id         of it.
     * @param filter     to ask.
     * @param message    to ask about, as JSON.
     * @param isMatching what the filter has to say.
     */
    record Case(String id, String filter, String message, boolean isMatching) {}

    /** All cases of a file. Of those that tell false from unknown there is another one with NOT. */
    static List<Case> read(final String file) throws IOException {
        final Map<Object, Object> decisions = new HashMap<>();
        for (final Map<?, ?> each : list("decisions.json", "decisions")) {
            decisions.put(text(each, "id"), text(each, "expected"));
        }
        final List<Case> cases = new ArrayList<>();
        for (final Map<?, ?> each : list(file, "cases")) {
            final String id = text(each, "id");
            final Object decided = "choice".equals(each.get("tier")) ? decisions.get(id) : null;
            final Object expected = decided == null ? each.get("expected") : decided;
            if (each.get("fields") instanceof Map<?, ?> fields
                    && ("true".equals("" + expected) || "false".equals("" + expected))) {
                final String message = message(fields);
                final String filter = text(each, "expression");
                cases.add(new Case(id, filter, message, "true".equals("" + expected)));
                if (each.get("truth") != null) {
                    cases.add(new Case(
                            id + " with NOT", "NOT (" + filter + ")", message, "F".equals(text(each, "truth"))));
                }
            }
        }
        return cases;
    }

    private static List<Map<?, ?>> list(final String file, final String name) throws IOException {
        final List<Map<?, ?>> list = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(FOLDER.resolve(file).toFile())) {
            parser.nextToken();
            final Map<?, ?> content = (Map<?, ?>) Objects.requireNonNull(value(parser));
            for (final Object each : (List<?>) Objects.requireNonNull(content.get(name))) {
                list.add((Map<?, ?>) each);
            }
        }
        return list;
    }

    private static String text(final Map<?, ?> object, final String name) {
        return Objects.requireNonNull(object.get(name)).toString();
    }

    private static String message(final Map<?, ?> fields) throws IOException {
        final StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(text)) {
            generator.writeStartObject();
            for (final Map.Entry<?, ?> each : fields.entrySet()) {
                final Map<?, ?> typed = (Map<?, ?>) Objects.requireNonNull(each.getValue());
                generator.writeFieldName(String.valueOf(each.getKey()));
                write(generator, text(typed, "type"), typed.get("value"));
            }
            generator.writeEndObject();
        }
        return text.toString();
    }

    private static void write(final JsonGenerator generator, final String type, final @Nullable Object value)
            throws IOException {
        if (value instanceof Number number) {
            if (type.equals("float") || type.equals("double")) {
                generator.writeNumber(number.doubleValue());
            } else {
                generator.writeNumber(number.longValue());
            }
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value == null) {
            generator.writeNull();
        } else {
            generator.writeString(value.toString());
        }
    }

    private static @Nullable Object value(final JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                final Map<String, @Nullable Object> object = new HashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    final String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                final List<@Nullable Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> parser.getText();
        };
    }
}
