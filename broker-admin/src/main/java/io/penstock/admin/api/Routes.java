package io.penstock.admin.api;

import io.penstock.admin.http.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What is answered, by method and path. Filled before it is used. */
final class Routes {
    private final List<Route> all = new ArrayList<>();

    /**
     * A kind of request.
     *
     * @param method   of it.
     * @param template of its path, as the document has it: names in braces stand for one segment.
     * @param parts    segments of the template.
     * @param access   that it needs.
     * @param endpoint that answers it.
     */
    record Route(String method, String template, List<String> parts, Access access, Endpoint endpoint) {
        /** Streams have no end, and nothing that comes before it could be said of them. */
        boolean hasHead() {
            return method.equals("GET") && !parts.contains("stream") && !parts.contains("trace");
        }
    }

    /**
     * A kind of request, and what stands in its path.
     *
     * @param route     of it.
     * @param arguments in place of the names in braces.
     */
    record Match(Route route, List<String> arguments) {}

    Routes add(final String method, final String template, final Access access, final Endpoint endpoint) {
        all.add(new Route(method, template, List.of(template.substring(1).split("/", -1)), access, endpoint));
        return this;
    }

    /** All that is served, as {@code GET /path}. */
    Set<String> served() {
        final TreeSet<String> served = new TreeSet<>();
        all.forEach(route -> served.add(route.method + " " + route.template));
        return served;
    }

    /** Finds what answers a request. Throws a problem when nothing does. */
    Match find(final String method, final List<String> path) {
        final TreeSet<String> methods = new TreeSet<>();
        for (final Route route : all) {
            final List<String> arguments = arguments(route.parts, path);
            if (arguments != null) {
                if (route.method.equals(method) || (method.equals("HEAD") && route.hasHead())) {
                    return new Match(route, arguments);
                }
                methods.add(route.method);
                if (route.hasHead()) {
                    methods.add("HEAD");
                }
            }
        }
        if (methods.isEmpty()) {
            throw new ProblemException(
                    404,
                    "NOT_FOUND",
                    "path: nothing is there: /" + String.join("/", path) + " (see /api/v1/openapi.json)");
        }
        throw new ProblemException(
                405,
                "BAD_METHOD",
                "method: not for this path: " + method + " (use " + String.join(", ", methods) + ")");
    }

    private static @Nullable List<String> arguments(final List<String> parts, final List<String> path) {
        if (parts.size() != path.size()) {
            return null;
        }
        final List<String> arguments = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).startsWith("{")) {
                if (path.get(i).isEmpty()) {
                    return null;
                }
                arguments.add(path.get(i));
            } else if (!parts.get(i).equals(path.get(i))) {
                return null;
            }
        }
        return arguments;
    }
}
