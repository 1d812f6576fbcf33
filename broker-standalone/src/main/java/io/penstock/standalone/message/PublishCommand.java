package io.penstock.standalone.message;

import io.penstock.client.AckType;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Publication;
import io.penstock.client.PublishOptions;
import io.penstock.client.PublishStore;
import io.penstock.client.Topic;
import io.penstock.format.header.Headers;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.console.WorkShare;
import io.penstock.standalone.input.Rate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Publishes lines. */
@Command(
        name = "publish",
        mixinStandardHelpOptions = true,
        description = {
            "Publishes each line of a file, or of standard input, as a message; or, with --message, the text that is"
                    + " given.",
            "The broker acknowledges every message as processed, which does not say that it is on stable storage; one that"
                    + " is refused is named by its line. Empty lines are passed over."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock publish flights flights.ndjson                         # a file of JSON objects, one a line",
            "  penstock publish flights flights.ndjson --rate 1000/s           # 1,000 messages a second",
            "  penstock publish orders -m '{\"id\":7,\"price\":10.5}'              # one message",
            "  penstock publish orders -m '{\"id\":{{Count}},\"price\":{{Random 1 100}}}' --count 10000 --rate 1000/s",
            "  echo '{\"delay\": 61}' | penstock publish flights                 # what a pipe brings",
            "  penstock publish orders o.ndjson --topic-key id                 # the broker keeps the last line of each id",
            "  penstock publish orders --delta changes.ndjson                  # lines such as {\"id\": 7, \"price\": 10.5}",
            "  penstock publish orders o.ndjson -H region=EU                   # with a header, for filters such as"
                    + " HEADER('region') = 'EU'",
            "  penstock publish notes --format binary notes.txt                # lines that are not JSON",
            "  penstock publish orders --name desk --store desk.store o.ndjson # goes on when the broker is started again"
        })
public final class PublishCommand implements Callable<Integer> {
    private static final String FORMAT_DEFAULT = "json";
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);
    private static final long RETRY_NS = TimeUnit.MICROSECONDS.toNanos(50);

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Mixin
    private HeaderOptions headers;

    @Mixin
    private PayloadOptions payload;

    @Option(
            names = {"-r", "--rate"},
            paramLabel = "RATE",
            description = "At most so fast: 1000/s messages, or 10MiB/s (default: as fast as the broker takes them).")
    private @Nullable String rateText;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "Create the topic with this format unless it is there: json or binary.")
    private @Nullable String format;

    @Option(names = "--delta", description = "Lines hold only what changes, and the key: merge them into the records.")
    private boolean isDelta;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            defaultValue = "",
            description = "Key of the record, on a topic whose publishers give it.")
    private String key;

    @Option(
            names = "--expiration-ms",
            paramLabel = "N",
            defaultValue = "0",
            description = "The records go when nothing changes them for so long; -1 = never (default: the topic's).")
    private long expirationMs;

    @Option(
            names = "--topic-key",
            paramLabel = "FIELDS",
            defaultValue = "",
            description = "Create the topic with this key unless it is there, so that it keeps the last record of each:"
                    + " fields such as 'id' or '/order/id, venue', or '*' when publishers give the key.")
    private String topicKey;

    @Option(
            names = "--topic-expiration-ms",
            paramLabel = "N",
            defaultValue = "0",
            description = "With --topic-key: its records go when nothing changes them for so long (default: never).")
    private long topicExpirationMs;

    @Option(
            names = "--store",
            paramLabel = "FILE",
            description =
                    "Keep messages in FILE.0 and FILE.1 until the broker has them on stable storage, reconnect for"
                            + " --timeout seconds, and send them again; the next run sends what this one could not. Needs"
                            + " --name.")
    private @Nullable Path store;

    @Override
    public Integer call() throws IOException {
        if (topicExpirationMs < 0) {
            throw CommandFailure.badInput(
                    "--topic-expiration-ms: too small: " + topicExpirationMs + " (use 1 or more, or 0 for never)");
        }
        if (topicExpirationMs > 0 && topicKey.isEmpty()) {
            throw CommandFailure.badInput("--topic-expiration-ms: is about a topic's records (add --topic-key)");
        }
        if (expirationMs < -1) {
            throw CommandFailure.badInput(
                    "--expiration-ms: too small: " + expirationMs + " (use 1 or more, or -1 for never)");
        }
        payload.check();
        final Rate rate = rateText == null
                ? null
                : Rate.parse("--rate", rateText, EnumSet.of(Rate.Kind.MESSAGES, Rate.Kind.BYTES));
        final Headers given = headers.headers();
        final ClientConfig config = config();
        try (PayloadOptions.Opened in = payload.open(config.messageLengthMax());
                PenstockClient client = BrokerOptions.connect(config)) {
            if (format != null || !topicKey.isEmpty()) {
                client.declareTopic(new Topic(
                        payload.topic(), format == null ? FORMAT_DEFAULT : format, topicKey, topicExpirationMs));
            }
            return publish(client, in, new Pace(rate), given);
        }
    }

    private ClientConfig config() {
        if (store == null) {
            return broker.config().build();
        }
        if (broker.name().isEmpty()) {
            throw CommandFailure.badInput("--store: needs a client name (add --name, the same in each run)");
        }
        try {
            return broker.config()
                    .publishStore(PublishStore.inFile(store))
                    .reconnect(broker.timeout())
                    .build();
        } catch (final PenstockException e) {
            throw CommandFailure.badInput("--store: " + e.getMessage());
        }
    }

    private int publish(
            final PenstockClient client, final PayloadOptions.Opened in, final Pace pace, final Headers given)
            throws IOException {
        final String topic = payload.topic();
        final PayloadSource lines = in.opening().get();
        final WorkShare share = new WorkShare(in.total());
        final Acknowledgements acks = new Acknowledgements();
        final PublishReport report =
                new PublishReport(spec.commandLine().getErr(), topic, payload.name(), store != null, acks);
        final Thread stop = new Thread(() -> report.stop(client, STOP_TIMEOUT), "penstock-stop");
        Runtime.getRuntime().addShutdownHook(stop);
        final Publication message =
                Publication.to(topic).options(new PublishOptions(key, isDelta, expirationMs).headers(given));
        try (ProgressLine progress = ProgressLine.onErr()) {
            while (!report.isStopped() && !acks.hasLostConnection() && lines.next()) {
                pace.await(lines.length());
                if (report.isStopped()) {
                    break;
                }
                message.bytes(lines.buffer(), lines.offset(), lines.length());
                while (!client.tryPublish(message, AckType.PROCESSED.mask(), acks, lines.lineNumber())) {
                    LockSupport.parkNanos(RETRY_NS);
                }
                report.onPublished(lines.lineNumber());
                if (progress.isDue()) {
                    progress.draw(String.format("published %,d, acknowledged %,d", report.count(), acks.processed())
                            + share.text(lines.taken()));
                }
            }
            report.onLeft();
            client.flush(broker.timeout());
        } catch (final CommandFailure e) {
            // Of a line, or of the file; the lines before are on their way.
            report.endEarly(client, broker.timeout());
            throw e;
        } catch (final PenstockException e) {
            throw CommandFailure.failed(String.format(
                    "%s (%,d of %,d messages were acknowledged; %s)",
                    e.getMessage(), acks.processed(), report.count(), report.rest()));
        } finally {
            awaitStop(stop);
        }
        return report.end();
    }

    /** The client stays open for the last words of a process that is ended. */
    private static void awaitStop(final Thread stop) {
        try {
            Runtime.getRuntime().removeShutdownHook(stop);
        } catch (final IllegalStateException e) {
            // It is being ended.
            try {
                stop.join();
            } catch (final InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
