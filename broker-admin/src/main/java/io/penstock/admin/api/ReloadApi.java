package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.admin.http.ProblemException;
import io.penstock.broker.Broker;
import io.penstock.broker.ReloadReport;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Has the process read its configuration again, as SIGHUP does. Safe on any thread. */
final class ReloadApi {
    private final Broker broker;
    private final Workers workers;
    private final Supplier<@Nullable Supplier<ReloadReport>> reload;

    /**
     * Makes it.
     *
     * @param broker  that is told who has done it.
     * @param workers which do it.
     * @param reload  what does it; nothing when the process cannot.
     */
    ReloadApi(final Broker broker, final Workers workers, final Supplier<@Nullable Supplier<ReloadReport>> reload) {
        this.broker = broker;
        this.workers = workers;
        this.reload = reload;
    }

    void addTo(final Routes routes) {
        routes.add("POST", "/api/v1/reload", Access.WRITE, this::reload);
    }

    private void reload(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Supplier<ReloadReport> present = reload.get();
        if (present == null) {
            throw new ProblemException(
                    409, "NO_CONFIGURATION", "reload: the program has no configuration to read (use Broker.reload)");
        }
        workers.run(exchange, () -> {
            broker.monitor().onDone(caller.administrator(), "reload");
            answer(exchange, present.get());
        });
    }

    private static void answer(final Exchange exchange, final ReloadReport report) {
        final Json json = new Json().begin();
        write(json, "applied", report.applied());
        write(json, "restartNeeded", report.restart());
        json.beginArray("refused");
        report.refused()
                .forEach(each -> json.begin()
                        .field("what", each.what())
                        .field("reason", each.reason())
                        .end());
        exchange.json(200, json.endArray().end());
    }

    private static void write(final Json json, final String name, final List<ReloadReport.Change> changes) {
        json.beginArray(name);
        changes.forEach(each -> json.begin()
                .field("key", each.key())
                .field("before", each.before())
                .field("after", each.after())
                .end());
        json.endArray();
    }
}
