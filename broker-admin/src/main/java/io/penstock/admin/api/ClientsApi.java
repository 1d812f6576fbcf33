package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Request;
import io.penstock.broker.Broker;
import io.penstock.broker.monitor.ClientInfo;
import io.penstock.broker.monitor.Monitor;
import io.penstock.broker.monitor.Part;
import io.penstock.broker.monitor.QueryInfo;
import io.penstock.broker.monitor.SubscriptionInfo;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.agrona.concurrent.EpochClock;

/** Lists clients with their subscriptions and queries, disconnects clients and cancels queries. */
final class ClientsApi {
    private final Monitor monitor;
    private final Answers answers;
    private final EpochClock clock;

    ClientsApi(final Broker broker, final Answers answers, final EpochClock clock) {
        monitor = broker.monitor();
        this.answers = answers;
        this.clock = clock;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/api/v1/clients", Access.READ, this::clients)
                .add("DELETE", "/api/v1/clients/{id}", Access.WRITE, this::kick)
                .add("GET", "/api/v1/subscriptions", Access.READ, this::subscriptions)
                .add("GET", "/api/v1/queries", Access.READ, this::queries)
                .add("DELETE", "/api/v1/queries/{id}", Access.WRITE, this::cancel);
    }

    private void clients(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Request request = exchange.request();
        answers.when(
                exchange,
                Pages.collect(
                        monitor::clients, Pages.place(request), Pages.limit(request), exchange.thread(), each -> true),
                part -> {
                    final Json json = Pages.begin();
                    part.items().forEach(client -> write(json, client));
                    answer(exchange, json, part);
                });
    }

    private static void answer(final Exchange exchange, final Json json, final Part<?> part) {
        exchange.json(
                200, Pages.end(json, part.next().isEnd() ? "" : part.next().toString()));
    }

    private void write(final Json json, final ClientInfo client) {
        final int colon = client.peer().indexOf(':');
        json.begin()
                .field("id", Long.toString(client.id()))
                .field("name", client.name())
                .field("user", client.user())
                .field("peer", client.peer())
                .field("transport", colon < 0 ? "" : client.peer().substring(0, colon))
                .field("local", client.isLocal())
                .field("encrypted", client.isEncrypted())
                .field("state", client.state().name().toLowerCase(Locale.ROOT))
                .field("protocol", client.protocolVersion())
                .field("connectedMs", clock.time() - TimeUnit.NANOSECONDS.toMillis(client.connectedForNs()))
                .field("idleMs", TimeUnit.NANOSECONDS.toMillis(client.idleNs()))
                .field("subscriptions", client.subscriptions())
                .field("subscriptionsBehind", client.subscriptionsBehind())
                .field("queries", client.queries())
                .field("lag", client.lag())
                .field("queuedMessages", client.queued())
                .field("inFlightBytes", client.inFlightLength())
                .field("messagesIn", client.messagesIn())
                .field("messagesOut", client.messagesOut())
                .field("bytesOut", client.bytesOut())
                .end();
    }

    private void subscriptions(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Request request = exchange.request();
        final String client = request.parameter("client");
        final Predicate<SubscriptionInfo> wanted;
        if (client.isEmpty()) {
            wanted = each -> true;
        } else {
            final long id = number(client, "client");
            wanted = each -> each.clientId() == id;
        }
        answers.when(
                exchange,
                Pages.collect(
                        monitor::subscriptions, Pages.place(request), Pages.limit(request), exchange.thread(), wanted),
                part -> {
                    final Json json = Pages.begin();
                    part.items().forEach(subscription -> write(json, subscription));
                    answer(exchange, json, part);
                });
    }

    private static void write(final Json json, final SubscriptionInfo subscription) {
        json.begin()
                .field("id", subscription.clientId() + "." + subscription.id())
                .field("client", Long.toString(subscription.clientId()))
                .field("clientName", subscription.clientName())
                .field("user", subscription.user())
                .field("subscription", subscription.id())
                .field("topic", subscription.topic())
                .field("pattern", subscription.isPattern())
                .field("filter", subscription.filter())
                .field("kind", subscription.kind().name().toLowerCase(Locale.ROOT))
                .field("state", subscription.state().name().toLowerCase(Locale.ROOT))
                .field("feeds", subscription.feeds())
                .field("lag", subscription.lag())
                .field("deliveries", subscription.deliveries())
                .end();
    }

    private void queries(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Request request = exchange.request();
        answers.when(
                exchange,
                Pages.collect(
                        monitor::queries, Pages.place(request), Pages.limit(request), exchange.thread(), each -> true),
                part -> {
                    final Json json = Pages.begin();
                    part.items().forEach(query -> write(json, query));
                    answer(exchange, json, part);
                });
    }

    private static void write(final Json json, final QueryInfo query) {
        json.begin()
                .field("id", query.clientId() + "." + query.commandId())
                .field("client", Long.toString(query.clientId()))
                .field("clientName", query.clientName())
                .field("user", query.user())
                .field("forSubscription", query.isForSubscription())
                .field("topics", query.topics())
                .field("found", query.found())
                .field("sent", query.sent())
                .end();
    }

    private void kick(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final long id = number(arguments.get(0), "client");
        answers.whenDone(exchange, monitor.kick(id, caller.administrator()), "client: no such one: " + id);
    }

    private void cancel(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final String id = arguments.get(0);
        final int dot = id.indexOf('.');
        final long client = number(dot < 0 ? id : id.substring(0, dot), "query");
        final long command = number(dot < 0 ? "" : id.substring(dot + 1), "query");
        answers.whenDone(
                exchange, monitor.cancel(client, command, caller.administrator()), "query: no such one: " + id);
    }

    private static long number(final String text, final String what) {
        try {
            return Long.parseLong(text);
        } catch (final NumberFormatException e) {
            throw new ProblemException(404, "NOT_FOUND", what + ": no such one: " + text + " (take an id of the list)");
        }
    }
}
