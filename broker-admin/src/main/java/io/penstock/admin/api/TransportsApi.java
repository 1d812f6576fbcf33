package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.broker.Broker;
import io.penstock.broker.monitor.Monitor;
import io.penstock.broker.monitor.TransportInfo;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lists transports, and lets them take new connections or not. */
final class TransportsApi {
    private static final Pattern ID = Pattern.compile("io-(\\d{1,4}):([a-z0-9+.-]+)");

    private final Monitor monitor;
    private final Answers answers;

    TransportsApi(final Broker broker, final Answers answers) {
        monitor = broker.monitor();
        this.answers = answers;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/api/v1/transports", Access.READ, this::list)
                .add(
                        "POST",
                        "/api/v1/transports/{id}/enable",
                        Access.WRITE,
                        (exchange, caller, arguments) -> enable(exchange, caller, arguments.get(0), true))
                .add(
                        "POST",
                        "/api/v1/transports/{id}/disable",
                        Access.WRITE,
                        (exchange, caller, arguments) -> enable(exchange, caller, arguments.get(0), false));
    }

    private void list(final Exchange exchange, final Caller caller, final List<String> arguments) {
        CompletableFuture<List<TransportInfo>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (int i = 0; i < monitor.ioAgentCount(); i++) {
            all = all.thenCombine(monitor.transports(i), (before, more) -> {
                before.addAll(more);
                return before;
            });
        }
        answers.when(exchange, all, transports -> {
            final Json json = Pages.begin();
            transports.forEach(each -> json.begin()
                    .field("id", "io-" + each.ioAgent() + ":" + each.scheme())
                    .field("scheme", each.scheme())
                    .field("ioAgent", each.ioAgent())
                    .field(
                            "endpoints",
                            each.endpoints().stream().map(URI::toString).toList())
                    .field("enabled", each.isEnabled())
                    .field("connections", each.connections())
                    .field("refused", each.refused())
                    .end());
            exchange.json(200, Pages.end(json, ""));
        });
    }

    private void enable(final Exchange exchange, final Caller caller, final String id, final boolean enabled) {
        final Matcher matcher = ID.matcher(id);
        answers.whenDone(
                exchange,
                matcher.matches()
                        ? monitor.enable(
                                Integer.parseInt(matcher.group(1)), matcher.group(2), enabled, caller.administrator())
                        : CompletableFuture.completedFuture(false),
                "transport: no such one: " + id);
    }
}
