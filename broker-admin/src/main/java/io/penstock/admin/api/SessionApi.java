package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.admin.http.JsonFields;
import io.penstock.broker.security.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.EpochClock;

/** Logs on and off, and tells who asks and what they may do. */
final class SessionApi {
    private static final Set<String> FIELDS = Set.of("user", "password");

    private final Callers callers;
    private final CookieSessions sessions;
    private final EpochClock clock;
    private final int timeoutMs;

    SessionApi(final Callers callers, final CookieSessions sessions, final EpochClock clock, final int timeoutMs) {
        this.callers = callers;
        this.sessions = sessions;
        this.clock = clock;
        this.timeoutMs = timeoutMs;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/api/v1/session", Access.CONNECT, (exchange, caller, arguments) -> answer(exchange, caller))
                .add("POST", "/api/v1/session", Access.NONE, this::logOn)
                .add("DELETE", "/api/v1/session", Access.NONE, this::logOff);
    }

    private void logOn(final Exchange exchange, final Caller nobody, final List<String> arguments) {
        final JsonFields fields = JsonFields.read(exchange.request().body(), FIELDS);
        final String user = fields.required("user");
        final String password = fields.text("password");
        callers.logOn(exchange, user, password, admitted -> {
            if (admitted == null) {
                throw Callers.unknown(exchange);
            }
            exchange.header("Set-Cookie", sessions.open(admitted));
            answer(
                    exchange,
                    new Caller(
                            admitted,
                            exchange.request().isLocal(),
                            exchange.request().peer(),
                            clock.time() + timeoutMs));
        });
    }

    private void logOff(final Exchange exchange, final Caller nobody, final List<String> arguments) {
        exchange.header("Set-Cookie", sessions.close(exchange.request()));
        exchange.done();
    }

    private void answer(final Exchange exchange, final Caller caller) {
        final Json json = new Json()
                .begin()
                .field("user", caller.principal().name())
                .field("anonymous", caller.isAnonymous())
                .field("roles", caller.principal().roles().stream().sorted().toList())
                .field("permissions", permissions(caller));
        if (caller.expiresMs() > 0) {
            json.field("expiresMs", caller.expiresMs());
        }
        exchange.json(200, json.end());
    }

    private List<String> permissions(final Caller caller) {
        final List<String> allowed = new ArrayList<>();
        for (final Action action : Action.values()) {
            if (callers.allowsAnywhere(caller, action)) {
                allowed.add(action.name());
            }
        }
        return allowed;
    }
}
