package io.penstock.admin.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which parameters each path takes, as the document of the API says. One that it does not take would be ignored unseen.
 * Immutable.
 */
final class Parameters {
    private final Map<String, Set<String>> byTemplate = new HashMap<>();

    private Parameters() {}

    /** Reads them of the document. */
    static Parameters of(final byte[] document) {
        final Object root;
        try (JsonParser parser = new JsonFactory().createParser(document)) {
            parser.nextToken();
            root = value(parser);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        final Parameters parameters = new Parameters();
        final Map<?, ?> shared = object(object(object(root).get("components")).get("parameters"));
        object(object(root).get("paths")).forEach((template, methods) -> {
            final Object asked = object(methods).get("get");
            if (asked != null) {
                final Set<String> names = new TreeSet<>();
                addTo(names, object(asked).get("parameters"), shared);
                parameters.byTemplate.put(String.valueOf(template), names);
            }
        });
        return parameters;
    }

    private static void addTo(final Set<String> names, final @Nullable Object list, final Map<?, ?> shared) {
        for (final Object each : list instanceof List<?> all ? all : List.of()) {
            final Object reference = object(each).get("$ref");
            final Map<?, ?> parameter = reference == null
                    ? object(each)
                    : object(shared.get(String.valueOf(reference).replaceFirst(".*/", "")));
            if ("query".equals(parameter.get("in"))) {
                names.add(String.valueOf(parameter.get("name")));
            }
        }
    }

    private static Map<?, ?> object(final @Nullable Object value) {
        return value instanceof Map<?, ?> object ? object : Map.of();
    }

    private static Object value(final JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            final Map<String, Object> object = new LinkedHashMap<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                final String name = parser.currentName();
                parser.nextToken();
                object.put(name, value(parser));
            }
            return object;
        }
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            final List<Object> array = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                array.add(value(parser));
            }
            return array;
        }
        return parser.getText();
    }

    /** Throws a problem when a request that only asks has a parameter that its path does not take. */
    void check(final String template, final Request request) {
        final Set<String> names = byTemplate.get(template);
        if (names == null || !request.isRead()) {
            return;
        }
        for (final String name : new TreeSet<>(request.query().keySet())) {
            if (!names.contains(name)) {
                throw new ProblemException(
                        400,
                        "BAD_PARAMETER",
                        name + ": no such parameter ("
                                + (names.isEmpty() ? "there is none here" : "use " + String.join(", ", names)) + ")");
            }
        }
    }
}
