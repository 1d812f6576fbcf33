package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import java.util.List;
import java.util.function.Supplier;

/** Tells whether the process runs, and whether the broker serves clients, to whoever asks. */
public final class HealthApi {
    /** Where it is told that the process runs. */
    public static final List<String> LIVE = List.of("api", "v1", "health", "live");

    /** Where it is told whether the broker serves clients. */
    public static final List<String> READY = List.of("api", "v1", "health", "ready");

    private final Supplier<List<String>> notReady;

    /** Tells of a broker by the reasons why it is not ready. */
    public HealthApi(final Supplier<List<String>> notReady) {
        this.notReady = notReady;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/" + String.join("/", LIVE), Access.NONE, (exchange, caller, arguments) -> live(exchange))
                .add(
                        "GET",
                        "/" + String.join("/", READY),
                        Access.NONE,
                        (exchange, caller, arguments) -> ready(exchange));
    }

    /** Answers that the process runs. */
    public void live(final Exchange exchange) {
        exchange.json(200, new Json().begin().field("status", "up").end());
    }

    /** Answers whether the broker serves clients. */
    public void ready(final Exchange exchange) {
        final List<String> reasons = notReady.get();
        exchange.json(
                reasons.isEmpty() ? 200 : 503,
                new Json()
                        .begin()
                        .field("status", reasons.isEmpty() ? "ready" : "not_ready")
                        .field("reasons", reasons)
                        .end());
    }
}
