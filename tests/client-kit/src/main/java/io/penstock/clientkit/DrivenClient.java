package io.penstock.clientkit;

import io.penstock.client.Ack;
import io.penstock.client.AckType;
import io.penstock.client.Administration;
import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.ConnectionListener;
import io.penstock.client.Disconnect;
import io.penstock.client.LogonCredentials;
import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.client.PublishStore;
import io.penstock.client.Stat;
import io.penstock.client.Topic;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The client, and what it is asked to do. Used from any thread. */
final class DrivenClient implements ConnectionListener {
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);
    private static final Duration DELAY_MIN = Duration.ofMillis(20);
    private static final Duration DELAY_MAX = Duration.ofMillis(100);
    private static final int FOR_EVER_MS = Integer.MAX_VALUE;

    private final Observations observations;
    private final PenstockClient client;
    private final Subscribing subscribing;

    DrivenClient(final Action action, final Observations observations, final BookmarkStore bookmarks) {
        this.observations = observations;
        client = PenstockClient.connect(config(action, bookmarks));
        subscribing = new Subscribing(client, observations);
    }

    private ClientConfig config(final Action action, final BookmarkStore bookmarks) {
        final List<String> servers = action.texts("servers");
        final ClientConfig.Builder config = ClientConfig.builder(servers.get(0))
                .servers(servers.subList(1, servers.size()).toArray(String[]::new))
                .name(action.text("name"))
                .credentials(action.text("user"), action.text("password"))
                .heartbeatInterval(action.millis("heartbeatIntervalMs", 0))
                .connectTimeout(action.millis("connectTimeoutMs", 5_000))
                .requestTimeout(action.millis("requestTimeoutMs", 10_000))
                .closeTimeout(CLOSE_TIMEOUT)
                .reconnectDelay(DELAY_MIN, DELAY_MAX)
                .connectionListener(this)
                .onPublishError(reason -> observations.failed("client", "publishRefused", reason));
        if (action.is("reconnect") || action.has("reconnectMs")) {
            config.reconnect(action.millis("reconnectMs", FOR_EVER_MS));
        }
        if (action.has("token")) {
            config.credentials(() -> LogonCredentials.token(action.text("token")));
        }
        if (action.is("publishStore")) {
            config.publishStore(PublishStore.inMemory());
        }
        if (action.is("bookmarkStore")) {
            config.bookmarkStore(bookmarks);
        }
        return config.build();
    }

    @Override
    public void onConnected(final URI server, final int attempt) {
        if (attempt > 0) {
            observations.tell("client", "connected");
        }
    }

    @Override
    public void onDisconnected(final Disconnect disconnect) {
        if (disconnect.attempt() == 0) {
            final Map<String, @Nullable Object> more = new LinkedHashMap<>();
            more.put("error", "connection");
            more.put("code", disconnect.errorCode());
            more.put("text", disconnect.reason());
            observations.tell("client", "disconnected", more);
        }
    }

    @Override
    public void onGaveUp(final ConnectionException reason) {
        observations.failed("client", "gaveUp", reason);
    }

    /** Does something that waits for an answer. */
    void run(final Action action) throws Exception {
        switch (action.text("do")) {
            case "subscribe" -> subscribing.subscribe(action);
            case "replay" -> subscribing.replay(action);
            case "query" -> subscribing.query(action);
            case "topics" -> topics(action);
            case "stat" -> stat(action);
            case "delete" -> delete(action);
            case "request" -> request(action);
            case "reply" -> client.reply(subscribing.last(action.text("to")), action.text("payload"));
            case "close" -> close();
            default -> {
                change(action);
                if (action.has("id")) {
                    observations.tell(action.id(), "done");
                }
            }
        }
    }

    private void change(final Action action) {
        final String topic = action.text("topic");
        switch (action.text("do")) {
            case "flush" -> client.flush();
            case "declare" ->
                client.declareTopic(new Topic(
                        topic, action.text("format", "json"), action.text("key"), action.longNumber("expirationMs")));
            case "deleteTopic" -> Administration.of(client).deleteTopic(topic);
            case "resetPublisher" ->
                Administration.of(client)
                        .resetPublisher(action.text("name"), action.text("user"), action.longNumber("to"));
            case "unsubscribe" -> subscribing.subscription(action.text("of")).close();
            case "pause" -> subscribing.subscription(action.text("of")).pause();
            case "resume" -> subscribing.subscription(action.text("of")).resume();
            default -> throw new IllegalArgumentException("action: not known: " + action.text("do"));
        }
    }

    /** Publishes in the order of the actions; does not wait for an acknowledgement. */
    void publish(final Action action) {
        final Publication message = Publication.to(action.text("topic")).bytes(action.payload());
        if (action.has("key")) {
            message.key(action.text("key"));
        }
        if (action.is("delta")) {
            message.delta();
        }
        final long expirationMs = action.longNumber("expirationMs");
        if (expirationMs < 0) {
            message.neverExpires();
        } else if (expirationMs > 0) {
            message.expiration(Duration.ofMillis(expirationMs));
        }
        action.map("headers").forEach((name, value) -> header(message, String.valueOf(name), value));
        if (action.has("sequence")) {
            message.publisherSequence(action.longNumber("sequence"));
        }
        if (!action.has("ack")) {
            client.publish(message);
            return;
        }
        final AckType type = AckType.valueOf(action.text("ack").toUpperCase(Locale.ROOT));
        final CompletableFuture<Ack> unused = client.publish(message, type).whenComplete((ack, failure) -> {
            if (failure != null) {
                observations.failed(action.id(), "failed", failure);
            } else {
                final Map<String, @Nullable Object> more = new LinkedHashMap<>();
                more.put("duplicate", ack.isDuplicate());
                more.put("bookmark", Observations.text(ack.bookmark()));
                observations.tell(action.id(), "acknowledged", more);
            }
        });
    }

    private static void header(final Publication message, final String name, final @Nullable Object value) {
        if (value instanceof Number number) {
            message.header(name, number.longValue());
        } else if (value instanceof Map<?, ?> bytes) {
            message.header(name, HexFormat.of().parseHex(String.valueOf(bytes.get("hex"))));
        } else {
            message.header(name, String.valueOf(value));
        }
    }

    private void topics(final Action action) {
        observations.tell(
                action.id(),
                "topics",
                Map.of(
                        "topics",
                        client.topics(action.text("prefix")).stream()
                                .map(topic -> Map.of(
                                        "name", topic.name(), "format", topic.format(), "messages", topic.messages()))
                                .toList()));
    }

    private void stat(final Action action) {
        final Map<String, Object> values = new LinkedHashMap<>();
        for (final Stat stat : client.stats(action.text("prefix"))) {
            values.put(stat.name(), stat.value());
        }
        observations.tell(action.id(), "stat", Map.of("stat", values));
    }

    private void delete(final Action action) {
        final long deleted = action.has("keys")
                ? client.sowDelete(action.text("topic"), action.texts("keys"))
                : client.sowDelete(action.text("topic"), action.text("filter"));
        observations.tell(action.id(), "deleted", Map.of("deleted", deleted));
    }

    private void request(final Action action) {
        final CompletableFuture<Message> unused = client.request(
                        action.text("topic"), action.text("payload"), action.millis("timeoutMs", 10_000))
                .whenComplete((reply, failure) -> {
                    if (failure != null) {
                        observations.failed(action.id(), "failed", failure);
                    } else {
                        observations.tell(action.id(), "reply", Map.of("payload", reply.text()));
                    }
                });
    }

    private void close() {
        client.close();
        observations.tell("client", "closed");
    }

    /** Gives it up, whatever it does. */
    void abandon() {
        client.close();
    }
}
