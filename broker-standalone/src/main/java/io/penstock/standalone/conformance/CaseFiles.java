package io.penstock.standalone.conformance;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads files of cases, and files of decisions that override what cases of tier {@code choice} expect. */
final class CaseFiles {
    private static final JsonFactory JSON = new JsonFactory();

    private final List<ConformanceCase> cases = new ArrayList<>();
    private final Map<String, Outcome> decisions = new LinkedHashMap<>();

    /** The cases of all files, with the decisions of all files. */
    List<ConformanceCase> cases() {
        final List<ConformanceCase> result = new ArrayList<>();
        for (final ConformanceCase each : cases) {
            final Outcome decided = decisions.get(each.id());
            result.add(decided == null || each.isBinding() ? each : each.expecting(decided));
        }
        return result;
    }

    /** Decisions on cases that are not there. */
    List<String> unusedDecisions() {
        final List<String> ids = new ArrayList<>(decisions.keySet());
        cases.forEach(each -> ids.remove(each.id()));
        return ids;
    }

    void read(final Path file) throws IOException {
        final Object content;
        try (JsonParser parser = JSON.createParser(file.toFile())) {
            content = parser.nextToken() == null ? "" : value(parser);
        }
        if (!(content instanceof Map<?, ?> document)) {
            throw new IOException(file + ": not an object with cases or decisions");
        }
        for (final Object each : listIn(document, "cases")) {
            cases.add(conformanceCase((Map<?, ?>) each));
        }
        for (final Object each : listIn(document, "decisions")) {
            final Map<?, ?> decision = (Map<?, ?>) each;
            decisions.put(text(decision, "id"), Outcome.ofSpelling(text(decision, "expected")));
        }
    }

    private static List<?> listIn(final Map<?, ?> document, final String name) {
        return document.get(name) instanceof List<?> list ? list : List.of();
    }

    private static String text(final Map<?, ?> object, final String name) throws IOException {
        final Object value = object.get(name);
        if (value == null) {
            throw new IOException("case: has no " + name + ": " + object);
        }
        return value.toString();
    }

    private static ConformanceCase conformanceCase(final Map<?, ?> object) throws IOException {
        return new ConformanceCase(
                text(object, "id"),
                // The files without tiers hold what every engine has to agree on.
                object.get("tier") == null ? "core" : text(object, "tier"),
                text(object, "category"),
                text(object, "expression"),
                object.get("fields") instanceof Map<?, ?> fields ? fields(fields) : null,
                Outcome.ofSpelling(text(object, "expected")),
                object.get("truth") == null ? null : text(object, "truth"));
    }

    private static Map<String, @Nullable Object> fields(final Map<?, ?> typedFields) throws IOException {
        final Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (final Map.Entry<?, ?> each : typedFields.entrySet()) {
            final Map<?, ?> typed = (Map<?, ?>) Objects.requireNonNull(each.getValue());
            fields.put(String.valueOf(each.getKey()), field(text(typed, "type"), typed.get("value")));
        }
        return fields;
    }

    private static @Nullable Object field(final String type, final @Nullable Object value) throws IOException {
        if (value == null) {
            return null;
        }
        return switch (type) {
            case "byte", "short", "int", "long" -> ((Number) value).longValue();
            case "float", "double" -> ((Number) value).doubleValue();
            case "boolean", "string" -> value;
            default -> throw new IOException("case: no such type of field: " + type);
        };
    }

    private static @Nullable Object value(final JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> parser.getText();
        };
    }

    private static Map<String, @Nullable Object> object(final JsonParser parser) throws IOException {
        final Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            final String name = parser.currentName();
            parser.nextToken();
            object.put(name, value(parser));
        }
        return object;
    }

    private static List<@Nullable Object> array(final JsonParser parser) throws IOException {
        final List<@Nullable Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(parser));
        }
        return array;
    }
}
