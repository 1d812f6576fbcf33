package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.admin.http.JsonFields;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Request;
import io.penstock.broker.Broker;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.monitor.TopicDetails;
import io.penstock.broker.security.Action;
import io.penstock.broker.topic.StateRule;
import io.penstock.client.Administration;
import io.penstock.client.PenstockClient;
import io.penstock.client.Topic;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists, declares and deletes topics. Work is done by workers. */
final class TopicsApi {
    private static final Set<String> FIELDS = Set.of("name", "format", "key", "expirationMs");
    private static final long EXPIRATION_MS_MAX = 100L * 366 * 24 * 3600 * 1000;

    private final Broker broker;
    private final Workers workers;
    private final Callers callers;
    private final BrokerClients clients;
    private final TopicRates rates = new TopicRates();

    TopicsApi(final Broker broker, final Workers workers, final Callers callers, final BrokerClients clients) {
        this.broker = broker;
        this.workers = workers;
        this.callers = callers;
        this.clients = clients;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/api/v1/topics", Access.LIST_TOPICS, this::list)
                .add("POST", "/api/v1/topics", Access.CONNECT, this::declare)
                .add("DELETE", "/api/v1/topics/{name}", Access.CONNECT, this::delete);
    }

    private void list(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Request request = exchange.request();
        final int limit = Pages.limit(request);
        final String after = request.parameter("cursor");
        final String prefix = request.parameter("prefix");
        workers.run(exchange, () -> {
            final List<TopicDetails> all = broker.monitor().topics();
            rates.update(broker.config().nanoClock().nanoTime(), all);
            final List<TopicDetails> page = all.stream()
                    .filter(each -> each.topic().name().startsWith(prefix)
                            && each.topic().name().compareTo(after) > 0
                            && callers.maySee(caller, each.topic().name()))
                    .sorted(Comparator.comparing(each -> each.topic().name()))
                    .limit(limit + 1L)
                    .toList();
            final Json json = Pages.begin();
            page.stream().limit(limit).forEach(each -> write(json, caller, each));
            exchange.json(
                    200,
                    Pages.end(
                            json,
                            page.size() > limit ? page.get(limit - 1).topic().name() : ""));
        });
    }

    /** How much there is in a topic is only for those who may see all of it. */
    private void write(final Json json, final Caller caller, final TopicDetails details) {
        final var topic = details.topic();
        final StateRule state = topic.state();
        final boolean isWhole = callers.maySeeAll(caller, topic.name());
        json.begin()
                .field("name", topic.name())
                .field("format", topic.format().name())
                .field("kind", state == null ? "messages" : state.isView() ? "view" : "state")
                .field(
                        "key",
                        state == null || state.isPublisherKey()
                                ? List.of()
                                : List.of(state.key().split(",", -1)))
                .field("shard", topic.shard())
                .field("journaled", details.isJournaled())
                .field("declared", isDeclared(topic.name()))
                .field("messages", isWhole ? details.messages() : 0);
        final double rate = rates.rate(topic);
        if (rate >= 0 && isWhole) {
            json.field("messagesPerSecond", rate);
        }
        if (details.rows() >= 0 && isWhole) {
            json.field("rows", details.rows());
            // It would tell how long hidden fields are.
            if (callers.maySeeAllFields(caller, topic.name())) {
                json.field("memoryBytes", details.length());
            }
        }
        json.end();
    }

    private boolean isDeclared(final String name) {
        for (final TopicConfig each : broker.config().topics()) {
            if (!each.pattern() && each.name().equals(name)) {
                return true;
            }
        }
        return broker.config().views().stream().anyMatch(view -> view.name().equals(name));
    }

    private @Nullable TopicDetails find(final String name) {
        return broker.monitor().topics().stream()
                .filter(each -> each.topic().name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private void declare(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final JsonFields fields = JsonFields.read(exchange.request().body(), FIELDS);
        final String name = fields.required("name");
        final String format = fields.text("format").isEmpty() ? broker.config().formatDefault() : fields.text("format");
        final String key = fields.text("key");
        final long expirationMs = fields.number("expirationMs", 0, 0, EXPIRATION_MS_MAX);
        if (key.isEmpty() && expirationMs > 0) {
            throw new ProblemException(400, "BAD_KEY", "expirationMs: without a key (give the key)");
        }
        workers.run(exchange, () -> {
            final boolean isNew = find(name) == null;
            try (PenstockClient client = clients.connect(caller)) {
                Topic topic = Topic.of(name, format);
                if (!key.isEmpty()) {
                    topic = topic.key(key);
                }
                client.declareTopic(expirationMs > 0 ? topic.expiration(Duration.ofMillis(expirationMs)) : topic);
            }
            final TopicDetails made = find(name);
            if (made == null) {
                throw new ProblemException(404, "NOT_FOUND", "topic: was deleted at once: " + name + " (try again)");
            }
            if (isNew) {
                broker.monitor().onDone(caller.administrator(), "declare topic " + name);
            }
            final Json json = new Json();
            write(json, caller, made);
            exchange.json(isNew ? 201 : 200, json);
        });
    }

    private void delete(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final String name = arguments.get(0);
        // Its client is on this machine, wherever the caller is.
        if (!callers.allows(caller, Action.DELETE_TOPIC, name)) {
            throw Callers.refused(caller, "delete topic " + name);
        }
        workers.run(exchange, () -> {
            try (PenstockClient client = clients.connect(caller)) {
                Administration.of(client).deleteTopic(name);
            }
            exchange.done();
        });
    }
}
