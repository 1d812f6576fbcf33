package io.penstock.standalone.message;

import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints messages as they come. */
@Command(
        name = "subscribe",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the messages of a topic as they come, one a line, from now on or from a place of the log.",
            "It ends after --count messages or --seconds, at the end of a range, or when it is interrupted."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock subscribe flights                                    everything",
            "  penstock subscribe flights -f \"delay > 60 AND origin = 'JFK'\"  what matches",
            "  penstock subscribe quakes -f '/properties/mag >= 4.5'         fields inside of objects",
            "  penstock subscribe --pattern 'orders\\..*' --long             all topics that match, with their names",
            "  penstock subscribe flights --sow --oof --kinds -f 'delay > 60'  the state, what changes, what leaves",
            "  penstock subscribe flights --sow --delta --conflation-ms 1000  what changed, once a second",
            "  penstock subscribe flights --from beginning --to now          the log, and no more",
            "  penstock subscribe flights --from 0:1234 --long               after that message, with bookmarks",
            "  penstock subscribe flights --from 2026-05-01T09:30:00Z --rate 10x --rate-max-gap 1s   from then, faster",
            "  penstock subscribe flights --count 10 | jq .delay             ten, into a pipe"
        })
public final class SubscribeCommand implements Callable<Integer> {
    private static final Duration WAIT = Duration.ofMillis(250);
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Mixin
    private LogOptions log;

    @Parameters(paramLabel = "TOPIC", description = "Topic, or with --pattern a regular expression over whole names.")
    private String topic;

    @Option(
            names = {"-f", "--filter"},
            paramLabel = "CONDITION",
            defaultValue = "",
            description = "SQL-92 condition over the fields of the message.")
    private String filter;

    @Option(names = "--pattern", description = "TOPIC is a regular expression.")
    private boolean isPattern;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many messages.")
    private long count;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "0", description = "End after so long.")
    private long seconds;

    @Option(
            names = {"-l", "--long"},
            description = "Put time, topic and bookmark (shard:sequence) before each message, with tabs between.")
    private boolean isLong;

    @Option(names = "--sow", description = "First the state as it is, then every change from there.")
    private boolean isSow;

    @Option(names = "--oof", description = "Tell of records that no longer match, were deleted or have expired.")
    private boolean isOof;

    @Option(names = "--delta", description = "Of records that were printed before, only the key and what changed.")
    private boolean isDelta;

    @Option(names = "--no-empties", description = "With --delta: leave out fields that became null or empty.")
    private boolean noEmpties;

    @Option(
            names = "--select",
            paramLabel = "FIELDS",
            defaultValue = "",
            description = "Only these fields, and those of the key.")
    private String select;

    @Option(
            names = "--conflation-ms",
            paramLabel = "N",
            defaultValue = "0",
            description = "Print each record's changes at most once in so many milliseconds.")
    private int conflationMs;

    @Option(
            names = "--conflation-key",
            paramLabel = "FIELDS",
            defaultValue = "",
            description =
                    "With --conflation-ms: of changed records with the same values of these fields, only the newest.")
    private String conflationKey;

    @Option(
            names = "--order-by",
            paramLabel = "FIELDS",
            defaultValue = "",
            description = "With --sow: order of the state, for example 'price DESC, symbol'.")
    private String orderBy;

    @Option(
            names = "--top",
            paramLabel = "N",
            defaultValue = "-1",
            description = "With --sow: at most so many records of the state.")
    private int top;

    @Option(
            names = "--skip",
            paramLabel = "N",
            defaultValue = "0",
            description = "With --sow: leave out so many records of the state first.")
    private int skip;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "0",
            description = "With --sow: most records of the state in a frame (default: the broker's choice).")
    private int batchSize;

    @Option(names = "--durable", description = "With --sow: print the state once all of it is on stable storage.")
    private boolean isDurable;

    @Option(
            names = "--kinds",
            description = "Put what it is before each message, with a tab: message, state, delta, oof-match,"
                    + " oof-deleted, oof-expired.")
    private boolean hasKinds;

    @Option(
            names = "--keys",
            description =
                    "Put the key before each message, with a tab: as its publisher gave it, or a message of its fields.")
    private boolean hasKeys;

    @Option(names = "--headers", description = "Put the headers before each message, with a tab.")
    private boolean hasHeaders;

    @Option(
            names = "--bookmark-store",
            paramLabel = "FILE",
            description = "Note in FILE.0 and FILE.1 what was printed, under --name or else TOPIC; the next run goes on"
                    + " there, and this one reconnects for --timeout seconds. For journaled topics.")
    private @Nullable Path bookmarkStore;

    @Override
    public Integer call() {
        if (count < 0 || seconds < 0) {
            throw CommandFailure.badInput(
                    (count < 0 ? "--count: too small: " + count : "--seconds: too small: " + seconds)
                            + " (use 0 for no limit, or more)");
        }
        final SubscribeRequest request = request();
        final ReplayRequest replay = replay();
        final PrintWriter err = spec.commandLine().getErr();
        try (PenstockClient client = BrokerOptions.connect(config())) {
            BrokerOptions.warnOfWildcards(topic, isPattern, err);
            // Before there are messages that would have to wait for it.
            FieldWarning.warn(client, topic, isPattern, filter, err);
            return subscribe(client, request, replay, err);
        } catch (final IOException e) {
            // Whoever read the output has seen enough.
            return Main.EXIT_OK;
        }
    }

    private int subscribe(
            final PenstockClient client,
            final SubscribeRequest request,
            final @Nullable ReplayRequest replay,
            final PrintWriter err)
            throws IOException {
        try (MessageStream stream = stream(client, request, replay);
                MessageLines out = new MessageLines(isLong, hasKinds, hasKeys, hasHeaders)) {
            err.println("subscribed to " + topic + (filter.isEmpty() ? "" : " where " + filter));
            err.flush();
            return print(stream, out);
        }
    }

    private ClientConfig config() {
        if (bookmarkStore == null) {
            return broker.config().build();
        }
        try {
            return broker.config()
                    .bookmarkStore(BookmarkStore.inFile(bookmarkStore))
                    .reconnect(broker.timeout())
                    .build();
        } catch (final PenstockException e) {
            throw CommandFailure.badInput("--bookmark-store: " + e.getMessage());
        }
    }

    private MessageStream stream(
            final PenstockClient client, final SubscribeRequest request, final @Nullable ReplayRequest replay) {
        if (replay == null) {
            return client.stream(request);
        }
        return bookmarkStore == null
                ? client.stream(replay)
                : client.stream(broker.name().isEmpty() ? topic : broker.name(), replay);
    }

    /** Null when the log is not asked for. */
    private @Nullable ReplayRequest replay() {
        log.check();
        if (bookmarkStore == null && !log.isGiven()) {
            return null;
        }
        if (isSow || isOof || isDelta || !select.isEmpty() || conflationMs != 0) {
            throw CommandFailure.badInput((log.isGiven() ? "--from" : "--bookmark-store")
                    + ": is for messages as they were published (leave --sow, --oof, --delta, --select and"
                    + " --conflation-ms out)");
        }
        return log.apply((isPattern ? ReplayRequest.pattern(topic) : ReplayRequest.topic(topic)).filter(filter));
    }

    private SubscribeRequest request() {
        if (top < -1 || skip < 0 || batchSize < 0 || conflationMs < 0) {
            throw CommandFailure.badInput("--top, --skip, --batch-size, --conflation-ms: too small: "
                    + Math.min(Math.min(top, skip), Math.min(batchSize, conflationMs)) + " (use 0 or more)");
        }
        if (!isSow && (isDurable || !orderBy.isEmpty() || top != -1 || skip != 0 || batchSize != 0)) {
            throw CommandFailure.badInput(
                    "--order-by, --top, --skip, --batch-size, --durable: are about the state (add --sow)");
        }
        if (noEmpties && !isDelta) {
            throw CommandFailure.badInput("--no-empties: is about deltas (add --delta)");
        }
        if (conflationMs == 0 && !conflationKey.isEmpty()) {
            throw CommandFailure.badInput("--conflation-key: needs an interval (add --conflation-ms)");
        }
        SubscribeRequest request = isPattern ? SubscribeRequest.pattern(topic) : SubscribeRequest.topic(topic);
        request = isSow ? request.sow().state(orderBy, top, skip).batchSize(batchSize) : request;
        request = isDurable ? request.durable() : request;
        request = isOof ? request.oof() : request;
        request = isDelta ? request.delta(noEmpties) : request;
        return request.filter(filter).select(select).conflation(conflationMs, conflationKey);
    }

    private int print(final MessageStream stream, final MessageLines out) throws IOException {
        final long endNs = System.nanoTime() + seconds * NANOS_PER_SECOND;
        long printed = 0;
        while ((count == 0 || printed < count) && (seconds == 0 || System.nanoTime() - endNs < 0)) {
            boolean wasActive = true;
            Message message = stream.poll(Duration.ZERO);
            if (message == null) {
                out.flush();
                // What has ended before has all of its messages in the stream.
                wasActive = stream.subscription().isActive();
                message = stream.poll(WAIT);
            }
            if (message != null) {
                out.write(message);
                printed++;
            } else if (!wasActive) {
                if (log.hasEnd() && isCompleted(stream.subscription().completed())) {
                    break;
                }
                throw CommandFailure.failed(topic + ": the subscription has ended (is the broker still there?)");
            }
        }
        out.flush();
        return Main.EXIT_OK;
    }

    private static boolean isCompleted(final CompletableFuture<? extends @Nullable Object> completed) {
        return completed.isDone() && !completed.isCompletedExceptionally();
    }
}
