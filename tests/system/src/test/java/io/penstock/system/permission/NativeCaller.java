package io.penstock.system.permission;

import io.penstock.client.AckType;
import io.penstock.client.Administration;
import io.penstock.client.Block;
import io.penstock.client.BlockWriter;
import io.penstock.client.Bookmark;
import io.penstock.client.ClientConfig;
import io.penstock.client.LogPlace;
import io.penstock.client.LogonCredentials;
import io.penstock.client.LogonMechanism;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Publication;
import io.penstock.client.RecordKind;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SinkOptions;
import io.penstock.client.SowRequest;
import io.penstock.client.SowResult;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Clients of the native protocol, over one of its transports. */
final class NativeCaller implements Caller {
    private static final Duration WAIT = Duration.ofMillis(WAIT_MS);

    private final Supplier<ClientConfig.Builder> config;
    private final Map<String, PenstockClient> clients = new HashMap<>();

    NativeCaller(final Supplier<ClientConfig.Builder> config) {
        this.config = config;
    }

    PenstockClient client(final User user) {
        return clients.computeIfAbsent(user.name(), name -> {
            final ClientConfig.Builder builder =
                    config.get().requestTimeout(WAIT).connectTimeout(WAIT);
            return PenstockClient.connect((name.isEmpty()
                            ? builder
                            : builder.credentials(() -> new LogonCredentials(LogonMechanism.PLAIN, name, "x")))
                    .build());
        });
    }

    @Override
    public Outcome ask(final Command command, final Run run, final int expected) throws Exception {
        try {
            return ask(client(command.user()), command, run, expected);
        } catch (final PenstockException e) {
            return refused(e);
        } catch (final ExecutionException | CompletionException e) {
            if (e.getCause() instanceof PenstockException reason) {
                return refused(reason);
            }
            throw e;
        }
    }

    private static Outcome refused(final PenstockException reason) {
        if (reason.errorCode() == null) {
            throw reason;
        }
        return Outcome.refused(reason.errorCode().name());
    }

    private static Outcome ask(final PenstockClient client, final Command command, final Run run, final int expected)
            throws Exception {
        final String topic = run.absolute(command.topic());
        final String filter = command.filterText();
        return switch (command.kind()) {
            case LOG_ON -> done(client::ping);
            case PUBLISH, PUBLISH_TO_NEW_TOPIC, PUBLISH_DELTA -> publish(client, command, topic);
            case SUBSCRIBE ->
                taken(client, client.stream(SubscribeRequest.topic(topic).filter(filter)), run, expected);
            case SUBSCRIBE_TO_PATTERN ->
                taken(
                        client,
                        client.stream(SubscribeRequest.pattern(run.pattern(command.topic()))
                                .filter(filter)),
                        run,
                        expected);
            case SOW_AND_SUBSCRIBE -> {
                final SubscribeRequest request =
                        SubscribeRequest.topic(topic).filter(filter).sow();
                final SubscribeRequest asked = command.isDelta() ? request.delta() : request;
                yield taken(client, client.stream(command.isOof() ? asked.oof() : asked), run, expected);
            }
            case REPLAY -> replayed(client, ReplayRequest.topic(topic), command, run, expected);
            case REPLAY_OF_PATTERN ->
                replayed(client, ReplayRequest.pattern(run.pattern(command.topic())), command, run, expected);
            case QUERY -> {
                final SowResult result = client.sow(SowRequest.topic(topic).filter(filter));
                final List<String> items = new ArrayList<>();
                items.add(result.stats().matches() + " of " + result.stats().topicMatches());
                result.messages().forEach(each -> add(each, run, items));
                yield Outcome.of(items);
            }
            case QUERY_OF_PATTERN ->
                found(client, SowRequest.pattern(run.pattern(command.topic())).filter(filter), run);
            case QUERY_OF_KEYS ->
                found(client, SowRequest.topic(topic).filter(filter).keys(command.keyTexts()), run);
            case QUERY_OF_COUNT -> {
                final Message row = client.sow(
                                SowRequest.topic(topic).filter(filter).select("COUNT(*) AS n"))
                        .messages()
                        .get(0);
                yield Outcome.of(List.of(String.valueOf(Sample.read(row.text()).get("n"))));
            }
            case QUERY_OF_PAST ->
                found(client, SowRequest.topic(topic).filter(filter).asOf(Bookmark.parse(run.mark())), run);
            case DELETE_BY_FILTER -> Outcome.count(client.sowDelete(topic, filter));
            case DELETE_BY_KEYS -> Outcome.count(client.sowDelete(topic, command.keyTexts()));
            case DECLARE -> done(() -> client.declareTopic(Topic.json(topic).key("/id")));
            case LIST ->
                Outcome.of(client.topics(run.prefix()).stream()
                        .map(each -> each.name().substring(run.prefix().length()) + " " + each.messages())
                        .toList());
            case STAT -> done(() -> client.stats("messages"));
            case RESET_PUBLISHER ->
                done(() -> Administration.of(client)
                        .resetPublisher("orders", command.user().name(), 1));
            case DELETE_TOPIC -> done(() -> Administration.of(client).deleteTopic(topic));
            case DELIVER -> deliver(client, command.topic());
            case ADMIN_READ, ADMIN_WRITE -> throw new IllegalStateException("not a command of the protocol");
        };
    }

    private static Outcome done(final Runnable command) {
        command.run();
        return Outcome.DONE;
    }

    static Publication publication(final String topic, final Sample sample, final boolean isDelta) {
        Publication message = Publication.to(topic).text(sample.json());
        for (final Map.Entry<String, String> header : sample.headers().entrySet()) {
            message = message.header(header.getKey(), header.getValue());
        }
        return isDelta ? message.delta() : message;
    }

    private static Outcome publish(final PenstockClient client, final Command command, final String topic)
            throws Exception {
        client.publish(publication(topic, command.sample(), command.kind() == Kind.PUBLISH_DELTA), AckType.PROCESSED)
                .get(WAIT_MS, TimeUnit.MILLISECONDS);
        return Outcome.DONE;
    }

    private static Outcome replayed(
            final PenstockClient client,
            final ReplayRequest request,
            final Command command,
            final Run run,
            final int expected) {
        return taken(
                client,
                client.stream(request.filter(command.filterText())
                        .from(LogPlace.bookmark(Bookmark.parse(run.mark())))
                        .to(LogPlace.NOW)),
                run,
                expected);
    }

    private static Outcome taken(
            final PenstockClient client, final MessageStream stream, final Run run, final int expected) {
        try (stream) {
            run.others().run();
            final List<String> items = new ArrayList<>();
            boolean isMore = true;
            while (isMore && items.size() < expected) {
                isMore = add(stream.poll(WAIT), run, items);
            }
            // What was sent before the answer has come before it.
            client.flush(WAIT);
            do {
                isMore = add(stream.poll(Duration.ofMillis(LOOK_MS)), run, items);
            } while (isMore);
            return Outcome.of(items);
        }
    }

    private static boolean add(final @Nullable Message message, final Run run, final List<String> items) {
        if (message != null) {
            final RecordKind kind = message.kind() == RecordKind.DELTA ? RecordKind.MESSAGE : message.kind();
            items.add(run.item(kind.name(), message.topic(), message.text()));
        }
        return message != null;
    }

    private static Outcome found(final PenstockClient client, final SowRequest request, final Run run) {
        final List<String> items = new ArrayList<>();
        client.sow(request).messages().forEach(each -> add(each, run, items));
        return Outcome.of(items);
    }

    private static Outcome deliver(final PenstockClient client, final String sink) {
        final BlockWriter writer = client.openSink(sink, SinkOptions.of(1024, 1).producer("matrix"));
        try (writer) {
            final Block block = writer.claim(WAIT);
            block.buffer().putInt(0, 1);
            block.submit(Integer.BYTES);
            writer.flush(WAIT);
            return Outcome.DONE;
        } catch (final PenstockException e) {
            // Who may not deliver is told when the sink is opened.
            return Outcome.refused("block: " + e.errorCode());
        }
    }

    @Override
    public void forget(final User user) {
        final PenstockClient client = clients.remove(user.name());
        if (client != null) {
            client.close();
        }
    }

    @Override
    public void close() {
        clients.values().forEach(PenstockClient::close);
    }
}
