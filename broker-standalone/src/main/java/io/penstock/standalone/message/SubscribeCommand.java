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
import io.penstock.standalone.console.ControlCharacters;
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
            "  penstock subscribe flights                                     # everything",
            "  penstock subscribe flights -f \"delay > 60 AND origin = 'JFK'\"  # what matches",
            "  penstock subscribe quakes -f '/properties/mag >= 4.5'          # fields inside of objects",
            "  penstock subscribe --pattern 'orders\\..*' --long               # all topics that match, with their names",
            "  penstock subscribe flights --sow --oof --kinds -f 'delay > 60' # the state, what changes, what leaves",
            "  penstock subscribe flights --sow --delta --conflation-ms 1000  # what changed, once a second",
            "  penstock subscribe flights --from beginning --to now           # the log, and no more",
            "  penstock subscribe flights --from 0:1234 --long                # after that message, with bookmarks",
            "  penstock subscribe flights --from 2026-05-01T09:30:00Z --rate 10x --rate-max-gap 1s # from then, faster",
            "  penstock subscribe flights --count 10 | jq .delay              # ten, into a pipe"
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

    @Mixin
    private FirstStateOptions state;

    @Mixin
    private ChangeOptions changes;

    @Mixin
    private LineOptions lines;

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
        lines.check(count > 0 || seconds > 0 || log.hasEnd());
        lines.checkNoted(bookmarkStore != null);
        final SubscribeRequest request = request();
        final ReplayRequest replay = replay();
        final PrintWriter err = spec.commandLine().getErr();
        try (PenstockClient client = BrokerOptions.connect(config())) {
            BrokerOptions.warnOfWildcards(topic, isPattern, err);
            // Before there are messages that would have to wait for it.
            FieldWarning.warn(client, topic, isPattern, filter, err);
            return subscribe(client, request, replay, err);
        }
    }

    private int subscribe(
            final PenstockClient client,
            final SubscribeRequest request,
            final @Nullable ReplayRequest replay,
            final PrintWriter err) {
        try (MessageStream stream = stream(client, request, replay);
                MessageOutput out = lines.open(spec.commandLine().getOut(), err)) {
            err.println(
                    ControlCharacters.onErr("subscribed to " + topic + (filter.isEmpty() ? "" : " where " + filter)));
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
        if (state.isGiven() || changes.isGiven()) {
            throw CommandFailure.badInput((log.isGiven() ? "--from" : "--bookmark-store")
                    + ": is for messages as they were published (leave --sow, --oof, --delta, --select and"
                    + " --conflation-ms out)");
        }
        return log.apply((isPattern ? ReplayRequest.pattern(topic) : ReplayRequest.topic(topic)).filter(filter));
    }

    private SubscribeRequest request() {
        state.check();
        changes.check();
        final SubscribeRequest request = isPattern ? SubscribeRequest.pattern(topic) : SubscribeRequest.topic(topic);
        return changes.apply(state.apply(request).filter(filter));
    }

    private int print(final MessageStream stream, final MessageOutput out) {
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
                if (bookmarkStore != null) {
                    // The stream notes it when the next one is asked for.
                    out.flush();
                }
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
