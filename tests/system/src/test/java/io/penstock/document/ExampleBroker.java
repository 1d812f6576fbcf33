package io.penstock.document;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.SessionConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.ViewConfig;
import io.penstock.broker.WindowConfig;
import io.penstock.client.AckType;
import io.penstock.client.Bookmark;
import io.penstock.client.BrokerError;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.LogPlace;
import io.penstock.client.RecordKind;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SessionListener;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Topic;
import io.penstock.protocol.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** A broker and one client that do the steps of an example, in the caller's thread on a clock that stands still. */
final class ExampleBroker implements SessionListener, AutoCloseable {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final int CYCLES_MAX = 1_000_000;
    private static final long QUERY_ID = 1_000_000;
    private static final int TICK_MS = 5;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final BrokerConfig config;
    private final @Nullable Path journal;
    private final List<String> events = new ArrayList<>();

    /** The command that began each subscription to the log. */
    private final Map<Long, Long> replays = new HashMap<>();

    private Broker broker;
    private ClientSession session;
    private long doneCommandId = -1;
    private long returned;
    private boolean isLoggedOn;
    private boolean isPaused;

    ExampleBroker(final List<String> steps) throws IOException {
        clock.update(TimeUnit.HOURS.toNanos(1));
        final BrokerConfig.Builder builder = withViews(BrokerConfig.builder(), steps)
                .listen("inproc:example-" + NAMES.incrementAndGet())
                .threading(ThreadingMode.INVOKER)
                .window(new WindowConfig(64 * 1024, 4))
                .sessions(new SessionConfig(64, 64, 16 * 1024, 64, 64, 1024, 64, 1 << 24, 1_000_000, 1_000_000))
                .nanoClock(clock)
                .epochClock(clock::nanoTime);
        final boolean isJournaled = steps.stream().anyMatch(step -> step.startsWith("replay "));
        journal = isJournaled ? Files.createTempDirectory("example") : null;
        if (journal != null) {
            builder.journal(JournalConfig.in(journal.toString()).withFileLength(64 * 1024));
        }
        config = builder.build();
        broker = Broker.launch(config);
        session = connect();
    }

    private ClientSession connect() {
        isLoggedOn = false;
        doneCommandId = -1;
        replays.clear();
        session = ClientSession.open(
                ClientConfig.builder(broker.endpoints().get(0).toString())
                        .nanoClock(clock)
                        .build(),
                this);
        session.connect();
        settle();
        if (!isLoggedOn) {
            throw new AssertionError("not logged on");
        }
        return session;
    }

    /** Views are declared at start, and so is what they are computed from. */
    private static BrokerConfig.Builder withViews(final BrokerConfig.Builder config, final List<String> steps) {
        final boolean hasViews = steps.stream().anyMatch(step -> step.startsWith("view "));
        for (final String step : hasViews ? steps : List.<String>of()) {
            final String[] clauses = step.split(" \\| ");
            final String[] words = clauses[0].strip().split(" ", 4);
            if (words[0].equals("topic")) {
                config.topic(TopicConfig.keyed(words[1], "json", clause(clauses, "key")));
            } else if (words[0].equals("view")) {
                final String join = clause(clauses, "join");
                config.view(new ViewConfig(
                        words[1],
                        join.isEmpty() ? words[3] : "",
                        clause(clauses, "filter"),
                        clause(clauses, "select"),
                        clause(clauses, "group"),
                        new ViewConfig.Window(
                                number(clause(clauses, "last")),
                                number(clause(clauses, "each-last")),
                                number(clause(clauses, "within")),
                                ViewConfig.Window.LENGTH_MAX_DEFAULT),
                        join.isEmpty() ? ViewConfig.Join.NONE : join(words[3], join)));
            }
        }
        return config;
    }

    private static long number(final String text) {
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    /** As {@code left customers on /orders/customer = /customers/id}. */
    private static ViewConfig.Join join(final String left, final String text) {
        final String[] words = text.split(" ", 4);
        return words[0].equals("left")
                ? ViewConfig.Join.left(left, words[1], words[3])
                : ViewConfig.Join.inner(left, words[1], words[3]);
    }

    /** Does one line of an example. */
    void step(final String line) {
        final String[] clauses = line.split(" \\| ");
        final String[] words = clauses[0].strip().split(" ", 3);
        switch (words[0]) {
            case "topic" -> declare(words[1], clauses);
            case "publish", "delta" -> publish(words[1], words[2], clauses, words[0].equals("delta"));
            case "publish-each" -> publishEach(words[1], words[2]);
            case "subscribe" ->
                command(() -> session.offerSubscribe(Long.parseLong(words[1]), subscription(words[2], clauses)));
            case "replace" ->
                command(() -> session.offerReplace(Long.parseLong(words[1]), subscription(words[2], clauses)));
            case "replay" -> replay(Long.parseLong(words[1]), words[2], clauses);
            case "restart" -> {
                closeBroker();
                broker = Broker.launch(config);
                session = connect();
            }
            case "unsubscribe" -> command(() -> session.offerUnsubscribe(Long.parseLong(words[1])));
            case "query" -> command(() -> session.offerSow(QUERY_ID, query(words[1], clauses)));
            case "delete" -> {
                command(() -> session.offerSowDelete(words[1], clause(clauses, "filter"), keys(clauses)));
                events.add("deleted " + returned);
            }
            case "view" -> {}
            case "wait" -> advance(Long.parseLong(words[1]));
            case "pause" -> isPaused = true;
            case "resume" -> isPaused = false;
            default -> throw new AssertionError("no such step: " + line);
        }
        settle();
    }

    /** What came since the last call. */
    List<String> take() {
        final List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    private void declare(final String topic, final String[] clauses) {
        final String expirationMs = clause(clauses, "expiration");
        final String format = clause(clauses, "format");
        command(() -> session.offerDeclareTopic(new Topic(
                topic,
                format.isEmpty() ? "json" : format,
                clause(clauses, "key"),
                expirationMs.isEmpty() ? 0 : Long.parseLong(expirationMs))));
    }

    private void publish(final String topic, final String message, final String[] clauses, final boolean isDelta) {
        final String key = clause(clauses, "key");
        final String expirationMs = clause(clauses, "expiration");
        final UnsafeBuffer name = new UnsafeBuffer(topic.getBytes(UTF_8));
        final UnsafeBuffer keyBytes = new UnsafeBuffer(key.getBytes(UTF_8));
        final UnsafeBuffer payload = new UnsafeBuffer(message.getBytes(UTF_8));
        final boolean isPlain = key.isEmpty() && expirationMs.isEmpty() && !isDelta;
        offer(() -> isPlain
                ? session.offerPublish(name, 0, name.capacity(), payload, 0, payload.capacity(), 0, 0)
                : session.offerPublishState(
                        name,
                        0,
                        name.capacity(),
                        keyBytes,
                        0,
                        keyBytes.capacity(),
                        payload,
                        0,
                        payload.capacity(),
                        isDelta,
                        expirationMs.isEmpty() ? 0 : Long.parseLong(expirationMs),
                        0,
                        0));
    }

    /** Publishes a message for each number from 1 on. */
    private void publishEach(final String topic, final String countAndMessage) {
        final String[] words = countAndMessage.split(" ", 2);
        for (int i = 1; i <= Integer.parseInt(words[0]); i++) {
            publish(topic, words[1].replace("#", String.valueOf(i)), new String[0], false);
            cycle();
        }
    }

    private static SubscribeRequest subscription(final String topic, final String[] clauses) {
        final boolean isPattern = has(clauses, "pattern");
        SubscribeRequest request = isPattern ? SubscribeRequest.pattern(topic) : SubscribeRequest.topic(topic);
        request = request.filter(clause(clauses, "filter"));
        request = has(clauses, "sow") ? request.sow() : request;
        request = has(clauses, "oof") ? request.oof() : request;
        request = has(clauses, "delta") ? request.delta() : request;
        request = has(clauses, "without empties") ? request.withoutEmpties() : request;
        request = request.select(clause(clauses, "select"));
        final String intervalMs = clause(clauses, "conflation");
        request = intervalMs.isEmpty()
                ? request
                : request.conflation(Duration.ofMillis(Integer.parseInt(intervalMs)), clause(clauses, "by"));
        final String top = clause(clauses, "top");
        return has(clauses, "sow")
                ? request.orderBy(clause(clauses, "order")).top(top.isEmpty() ? -1 : Integer.parseInt(top))
                : request;
    }

    private void replay(final long id, final String topic, final String[] clauses) {
        final boolean isPattern = has(clauses, "pattern");
        ReplayRequest request = (isPattern ? ReplayRequest.pattern(topic) : ReplayRequest.topic(topic))
                .filter(clause(clauses, "filter"))
                .from(place(clause(clauses, "from"), LogPlace.BEGINNING))
                .to(place(clause(clauses, "to"), LogPlace.NO_END));
        final String missing = clause(clauses, "missing");
        if (!missing.isEmpty()) {
            request = request.ifMissing(ReplayRequest.Missing.valueOf(missing.toUpperCase(Locale.ROOT)));
        }
        final String perSecond = clause(clauses, "rate");
        final ReplayRequest asked =
                perSecond.isEmpty() ? request : request.rate(ReplayRate.messages(Long.parseLong(perSecond)));
        offer(() -> {
            final long offered = session.offerSubscribeFrom(id, asked);
            if (offered >= 0) {
                replays.put(offered, id);
            }
            return offered;
        });
    }

    /** Of the log: a bookmark, with its own message when "with" is before it, a time, or a word. */
    private static LogPlace place(final String text, final LogPlace open) {
        if (text.isEmpty()) {
            return open;
        }
        if (text.equals("beginning")) {
            return LogPlace.BEGINNING;
        }
        if (text.equals("now")) {
            return LogPlace.NOW;
        }
        if (text.startsWith("with ")) {
            return LogPlace.including(Bookmark.parse(text.substring(5)));
        }
        return text.contains("T") ? LogPlace.time(Instant.parse(text)) : LogPlace.bookmark(Bookmark.parse(text));
    }

    private static SowRequest query(final String topic, final String[] clauses) {
        final String top = clause(clauses, "top");
        final String skip = clause(clauses, "skip");
        return SowRequest.topic(topic)
                .join(joined(clauses))
                .filter(clause(clauses, "filter"))
                .orderBy(clause(clauses, "order"))
                .select(clause(clauses, "select"))
                .groupBy(clause(clauses, "group"))
                .having(clause(clauses, "having"))
                .top(top.isEmpty() ? -1 : Integer.parseInt(top))
                .skip(skip.isEmpty() ? 0 : Integer.parseInt(skip))
                .keys(keys(clauses));
    }

    /** As {@code LEFT JOIN customers ON /orders/customer = /customers/id}, which is a clause as it stands. */
    private static String joined(final String[] clauses) {
        for (final String clause : clauses) {
            if (clause.startsWith("JOIN ") || clause.startsWith("LEFT JOIN ") || clause.startsWith("AS ")) {
                return clause.strip();
            }
        }
        return "";
    }

    private static List<String> keys(final String[] clauses) {
        final String keys = clause(clauses, "keys");
        return keys.isEmpty() ? List.of() : List.of(keys.split(" "));
    }

    private static boolean has(final String[] clauses, final String name) {
        return List.of(clauses).contains(name);
    }

    private static String clause(final String[] clauses, final String name) {
        for (final String clause : clauses) {
            if (clause.startsWith(name + " ")) {
                return clause.substring(name.length() + 1).strip();
            }
        }
        return "";
    }

    /** Offers a command, and waits for its end. */
    private void command(final LongSupplier command) {
        final long commandId = offer(command);
        for (int i = 0; doneCommandId != commandId; i++) {
            cycle();
            if (i > CYCLES_MAX) {
                throw new AssertionError("the command never ends: " + events);
            }
        }
    }

    private long offer(final LongSupplier command) {
        for (int i = 0; i < CYCLES_MAX; i++) {
            final long commandId = command.getAsLong();
            if (commandId >= 0) {
                return commandId;
            }
            cycle();
        }
        throw new AssertionError("the command is never taken");
    }

    private int cycle() {
        return broker.invoke() + session.poll();
    }

    private void settle() {
        int idle = 0;
        for (int i = 0; idle < 3; i++) {
            idle = cycle() == 0 ? idle + 1 : 0;
            if (i > CYCLES_MAX) {
                throw new AssertionError("never settles");
            }
        }
    }

    private void advance(final long ms) {
        for (long i = 0; i < ms; i += TICK_MS) {
            clock.advance(TimeUnit.MILLISECONDS.toNanos(TICK_MS));
            cycle();
        }
    }

    @Override
    public void onLogon() {
        isLoggedOn = true;
    }

    @Override
    public boolean onMessage(
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        return onRecord(
                RecordKind.MESSAGE, subscriptionId, topic, shard, sequence, timestampNs, buffer, offset, length, 0);
    }

    @Override
    public boolean onRecord(
            final RecordKind kind,
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int keyLength) {
        if (isPaused) {
            return false;
        }
        final String key =
                keyLength == 0 ? "" : " | key " + buffer.getStringWithoutLengthUtf8(offset + length, keyLength);
        final String message = buffer.getStringWithoutLengthUtf8(offset, length) + key;
        final String bookmark = replays.containsValue(subscriptionId) ? shard + ":" + sequence + " " : "";
        events.add(subscriptionId == QUERY_ID ? message : subscriptionId + " " + bookmark + kind + " " + message);
        return true;
    }

    @Override
    public void onGroupBegin(
            final long commandId, final long queryId, final String topic, final int shard, final long sequence) {
        if (commandId == 0) {
            events.add(queryId + " the state again");
        }
    }

    @Override
    public void onAck(
            final AckType type, final long commandId, final long publisherSequence, final long returnedCount) {
        doneCommandId = commandId;
        returned = returnedCount;
        final Long replay = replays.get(commandId);
        if (type == AckType.COMPLETED && replay != null) {
            events.add(replay + " completed");
        }
    }

    @Override
    public void onError(final BrokerError error) {
        doneCommandId = error.commandId();
        returned = 0;
        final String of =
                error.subscriptionId() == 0 || error.subscriptionId() == QUERY_ID ? "" : error.subscriptionId() + " ";
        events.add(of + "error " + error.errorCode());
    }

    @Override
    public void onDisconnect(final String reason, final @Nullable ErrorCode errorCode) {
        throw new AssertionError(reason);
    }

    private void closeBroker() {
        session.close();
        final ByteArrayOutputStream errors = new ByteArrayOutputStream();
        broker.printErrors(new PrintStream(errors, true, UTF_8));
        final long errorCount = broker.counter("errors");
        broker.close();
        if (errorCount > 0) {
            throw new AssertionError("the broker failed: " + errors.toString(UTF_8));
        }
    }

    @Override
    public void close() throws IOException {
        try {
            closeBroker();
        } finally {
            if (journal != null) {
                delete(journal);
            }
        }
    }

    private static void delete(final Path directory) throws IOException {
        final List<Path> files;
        try (Stream<Path> walk = Files.walk(directory)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (final Path file : files) {
            Files.delete(file);
        }
    }
}
