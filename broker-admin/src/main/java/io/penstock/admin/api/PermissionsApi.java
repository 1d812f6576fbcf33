package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Request;
import io.penstock.broker.Broker;
import io.penstock.broker.monitor.UserInfo;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.ActionWord;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Tells what users may do and by which rules, and lists roles and users without what they prove themselves with. */
final class PermissionsApi {
    private static final int ROLE_COUNT_MAX = 256;
    private static final int ATTRIBUTE_COUNT_MAX = 256;

    private final Broker broker;

    PermissionsApi(final Broker broker) {
        this.broker = broker;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/api/v1/permissions/explain", Access.READ, this::explain)
                .add("GET", "/api/v1/roles", Access.READ, this::roles)
                .add("GET", "/api/v1/users", Access.READ, this::users);
    }

    private void explain(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Request request = exchange.request();
        if (!(broker.gate().authorizer() instanceof Permissions permissions)) {
            throw new ProblemException(
                    404,
                    "NO_PERMISSIONS",
                    "permissions: the broker has none, so they explain nothing (give it roles, see permissions.file)");
        }
        final Principal principal = principal(request);
        final String topic = request.parameter("topic");
        final Json json = new Json()
                .begin()
                .field("user", principal.name())
                .field("roles", sorted(principal.roles()))
                .field("topic", topic)
                .beginArray("items");
        for (final Action action : actions(request.parameter("action"))) {
            final Permissions.Explanation explanation = permissions.explain(principal, action, topic);
            final String condition = explanation.condition();
            json.begin()
                    .field("action", ActionWord.of(action))
                    .field("allowed", explanation.isAllowed())
                    .field("text", explanation.sentence(principal.name(), action, topic))
                    .field("rules", explanation.rules());
            if (condition != null && !condition.isEmpty()) {
                json.field("condition", condition);
            }
            json.end();
        }
        exchange.json(200, json.endArray().end());
    }

    private static List<String> sorted(final Set<String> names) {
        return List.copyOf(new TreeSet<>(names));
    }

    /** Roles and attributes that are not given are those of the user in the broker's file, if it is there. */
    private Principal principal(final Request request) {
        final String name = request.parameter("user");
        if (name.isEmpty()) {
            throw new ProblemException(400, "BAD_PARAMETER", "user: missing (give the name of a user)");
        }
        final UserInfo known = find(name);
        final Set<String> roles = request.query().containsKey("roles")
                ? words("roles", request.parameter("roles"), ROLE_COUNT_MAX)
                : known == null ? Set.of() : known.roles();
        final Map<String, String> attributes = request.query().containsKey("attributes")
                ? attributes(request.parameter("attributes"))
                : known == null ? Map.of() : known.attributes();
        return new Principal(name, roles, attributes);
    }

    private @Nullable UserInfo find(final String name) {
        return broker.users().stream()
                .filter(user -> user.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static Set<String> words(final String name, final String text, final int countMax) {
        final Set<String> words = new TreeSet<>();
        for (final String word : text.split(",", -1)) {
            if (!word.isBlank()) {
                words.add(word.strip());
            }
        }
        if (words.size() > countMax) {
            throw new ProblemException(
                    400, "BAD_PARAMETER", name + ": " + words.size() + " of them (give at most " + countMax + ")");
        }
        return words;
    }

    private static Map<String, String> attributes(final String text) {
        final Map<String, String> attributes = new HashMap<>();
        for (final String pair : words("attributes", text, ATTRIBUTE_COUNT_MAX)) {
            final int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new ProblemException(
                        400, "BAD_PARAMETER", "attributes: not NAME=VALUE: " + pair + " (separate them by commas)");
            }
            attributes.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return attributes;
    }

    private static List<Action> actions(final String word) {
        try {
            return ActionWord.actions(List.of(word.isEmpty() ? "all" : word)).stream()
                    .sorted()
                    .toList();
        } catch (final IllegalArgumentException e) {
            throw new ProblemException(400, "BAD_PARAMETER", "action: " + e.getMessage());
        }
    }

    private void roles(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Map<String, List<String>> all =
                broker.gate().authorizer() instanceof Permissions permissions ? permissions.rules() : Map.of();
        final String after = exchange.request().parameter("cursor");
        final int limit = Pages.limit(exchange.request());
        final List<Map.Entry<String, List<String>>> page = new TreeMap<>(all)
                .tailMap(after, after.isEmpty()).entrySet().stream()
                        .limit(limit + 1L)
                        .toList();
        final Json json = Pages.begin();
        page.stream().limit(limit).forEach(role -> json.begin()
                .field("role", role.getKey())
                .field("rules", role.getValue())
                .end());
        exchange.json(
                200, Pages.end(json, page.size() > limit ? page.get(limit - 1).getKey() : ""));
    }

    private void users(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final String after = exchange.request().parameter("cursor");
        final int limit = Pages.limit(exchange.request());
        final List<UserInfo> page = broker.users().stream()
                .filter(user -> user.name().compareTo(after) > 0)
                .limit(limit + 1L)
                .toList();
        final Json json = Pages.begin();
        page.stream().limit(limit).forEach(user -> write(json, user));
        exchange.json(200, Pages.end(json, page.size() > limit ? page.get(limit - 1).name() : ""));
    }

    private static void write(final Json json, final UserInfo user) {
        json.begin()
                .field("user", user.name())
                .field("disabled", user.isDisabled())
                .field("roles", sorted(user.roles()))
                .begin("attributes");
        new TreeMap<>(user.attributes()).forEach(json::field);
        json.end()
                .field("password", user.proofs().hasPassword())
                .field("certificates", user.proofs().certificates())
                .field("uids", user.proofs().uids())
                .end();
    }
}
