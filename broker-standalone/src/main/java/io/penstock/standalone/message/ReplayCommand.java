package io.penstock.standalone.message;

import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.broker.topic.StateRule;
import io.penstock.client.AckType;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Publication;
import io.penstock.client.Topic;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.Counted;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.console.WorkShare;
import io.penstock.standalone.input.Rate;
import io.penstock.standalone.input.StandardInput;
import io.penstock.standalone.log.LogDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Publishes what was published before. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = {
            "Publishes what was published before: the messages and deletes of a log directory, in the order of"
                    + " their times, or the lines of a file.",
            "Topics of a log are created as they were, unless they are there. Several sources follow each other."
                    + " A log ends where it ended when the command began, also when the broker that it is"
                    + " published to writes it. Times, sequences and publishers are the new broker's own."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock replay /var/lib/penstock --to tcp://127.0.0.1:9200 # all, as fast as it goes",
            "  penstock replay /var/lib/penstock --topic orders --rate 1x  # at the pace of that day",
            "  penstock replay ticks.ndjson --topic ticks --rate 10x --time-field at # ten times as fast",
            "  penstock replay monday.ndjson tuesday.ndjson --topic orders # one after the other"
        })
public final class ReplayCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";
    private static final long RETRY_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Parameters(
            arity = "1..*",
            paramLabel = "SOURCE",
            description = "A log directory, a file of messages, one a line, or - for standard input.")
    private List<String> sources = List.of();

    @Option(names = "--to", paramLabel = "URI", description = "The broker to publish to; the same as --broker.")
    private @Nullable String to;

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "Of a log: only this topic; repeatable. Of lines: the topic to publish them to.")
    private Set<String> topics = Set.of();

    @Option(
            names = {"-r", "--rate"},
            paramLabel = "RATE",
            description =
                    "How fast: 1x for the original pace, 2x for twice as fast; or at most 1000/s messages, or 10MiB/s"
                            + " (default: as fast as the broker takes them).")
    private @Nullable String rateText;

    @Option(
            names = "--time-field",
            paramLabel = "FIELD",
            description = "Of lines: when each was published, milliseconds since 1970 or as 2026-05-01T09:30:00Z.")
    private @Nullable String timeField;

    /** The logs in the directories among the sources, as they were before anything was published. */
    private final Map<String, List<ShardLog>> logs = new HashMap<>();

    private final Set<String> present = new TreeSet<>();
    private final Acknowledgements acks = new Acknowledgements();
    private final Set<String> declared = new HashSet<>();
    private long count;
    private long deletes;

    /** Made by the command line. */
    public ReplayCommand() {}

    @Override
    public Integer call() {
        final Rate rate = rateText == null ? null : Rate.parse("--rate", rateText, EnumSet.allOf(Rate.Kind.class));
        final boolean isTimed = ReplayPace.isTimed(rate);
        sources.forEach(source -> check(source, isTimed));
        if (to != null) {
            broker.endpoint(to);
        }
        final ClientConfig config = broker.config().build();
        final long startNs = System.nanoTime();
        try (PenstockClient client = BrokerOptions.connect(config);
                ProgressLine progress = ProgressLine.onErr()) {
            for (final String each : sources) {
                // Each source begins at its own time.
                try (ReplaySource source = open(each, config.messageLengthMax(), isTimed)) {
                    replay(client, source, new ReplayPace(rate), progress);
                }
            }
            client.flush(broker.timeout());
        } catch (final PenstockException e) {
            throw CommandFailure.failed(String.format(
                    "%s (%,d of %,d messages were acknowledged)", e.getMessage(), acks.processed(), count));
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        }
        if (!logs.isEmpty() && count + deletes == 0) {
            LogDirectory.checkTopics(topics, present);
        }
        return report(System.nanoTime() - startNs);
    }

    private void check(final String source, final boolean isTimed) {
        if (Files.isDirectory(Path.of(source))) {
            logs.computeIfAbsent(source, ReplayCommand::log);
            return;
        }
        if (!source.equals(STANDARD_INPUT) && Files.notExists(Path.of(source))) {
            throw CommandFailure.badInput(source + ": no such file or directory (give a log directory, a file, or -)");
        }
        if (topics.size() != 1) {
            throw CommandFailure.badInput(
                    "--topic: " + topics.size() + " given for the lines of " + source + " (give one)");
        }
        if (isTimed && timeField == null) {
            throw CommandFailure.badInput("--rate: " + rateText + " of lines without times: " + source
                    + " (say with --time-field which field has them, or give a rate such as 1000/s)");
        }
    }

    private static List<ShardLog> log(final String directory) {
        final List<ShardLog> log = new ArrayList<>();
        try {
            for (final ShardLog shard : LogDirectory.shards(directory)) {
                log.add(shard.endingNow());
            }
        } catch (final IOException e) {
            throw LogDirectory.unreadable(e);
        }
        return log;
    }

    private ReplaySource open(final String source, final int lengthMax, final boolean isTimed) throws IOException {
        final List<ShardLog> log = logs.get(source);
        if (log != null) {
            return new LogReplaySource(log, topics, present);
        }
        final String field = isTimed ? timeField : null;
        final String topic = topics.iterator().next();
        if (source.equals(STANDARD_INPUT)) {
            return new LineReplaySource(StandardInput.open(), 0, "standard input", topic, field, lengthMax);
        }
        final Path file = Path.of(source);
        return new LineReplaySource(Files.newInputStream(file), Files.size(file), source, topic, field, lengthMax);
    }

    private void replay(
            final PenstockClient client, final ReplaySource source, final ReplayPace pace, final ProgressLine progress)
            throws IOException {
        final WorkShare share = new WorkShare(source.total());
        final Publication message = Publication.to("");
        while (!acks.hasLostConnection() && source.next()) {
            while (!pace.await(source.timestampNs(), source.length())) {
                draw(progress, source, share);
            }
            declare(client, source.declaration());
            if (source.isDelete()) {
                delete(client, source);
                continue;
            }
            count++;
            message.topic(source.topic())
                    .bytes(source.buffer(), source.offset(), source.length())
                    .options(source.options());
            while (!client.tryPublish(message, AckType.PROCESSED.mask(), acks, count)) {
                LockSupport.parkNanos(RETRY_NS);
            }
            draw(progress, source, share);
        }
    }

    private void declare(final PenstockClient client, final @Nullable TopicRecord topic) {
        if (topic != null && declared.add(topic.name())) {
            final StateRule rule = topic.state();
            client.declareTopic(new Topic(
                    topic.name(),
                    topic.format(),
                    rule == null ? "" : rule.keyText(),
                    rule == null ? 0 : TimeUnit.NANOSECONDS.toMillis(rule.expirationNs())));
        }
    }

    private void delete(final PenstockClient client, final ReplaySource source) {
        final String key = source.options().key();
        client.sowDelete(
                source.topic(),
                List.of(
                        key.isEmpty()
                                ? source.buffer().getStringWithoutLengthUtf8(source.offset(), source.length())
                                : key));
        deletes++;
    }

    private void draw(final ProgressLine progress, final ReplaySource source, final WorkShare share) {
        if (progress.isDue()) {
            progress.draw(String.format(
                    "published %,d, acknowledged %,d, at %s%s%s",
                    count,
                    acks.processed(),
                    source.place(),
                    source.timestampNs() == 0
                            ? ""
                            : " of " + Instant.ofEpochSecond(source.timestampNs() / NANOS_PER_SECOND),
                    share.text(source.taken())));
        }
    }

    private int report(final long elapsedNs) {
        final PrintWriter err = spec.commandLine().getErr();
        final double seconds = elapsedNs / 1e9;
        err.printf(
                "published %s and deleted %s in %.2f s (%,.0f a second)%n",
                Counted.of(acks.processed(), "message"),
                Counted.of(deletes, "record"),
                seconds,
                (acks.processed() + deletes) / seconds);
        if (acks.failed() > 0) {
            err.printf(
                    "%,d of %,d were refused, the first, message %s%n",
                    acks.failed(), count, ControlCharacters.onErr(acks.first()));
        }
        err.flush();
        return acks.processed() == count ? Main.EXIT_OK : Main.EXIT_FAILED;
    }
}
