package io.penstock.standalone.message;

import io.penstock.client.LogPlace;
import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.QueryStream;
import io.penstock.client.SowProgress;
import io.penstock.client.SowRequest;
import io.penstock.client.SowStats;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Terminal;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Queries state. */
@Command(
        name = "sow",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the state of the world: the last record of each key of a topic, one a line, as it is now or"
                    + " as it was.",
            "With --select it computes: fields, expressions, and aggregates over groups of records. --timeout is"
                    + " also the longest time the broker works on it."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock sow flights                                    # every record",
            "  penstock sow flights 'delay > 60' --order-by 'delay DESC' --top 10",
            "  penstock sow flights --key '{\"origin\":\"JFK\",\"destination\":\"SFO\"}'",
            "  penstock sow flights --select 'origin, COUNT(*), AVG(delay)' --group-by origin --table",
            "  penstock sow orders --join 'JOIN customers ON /orders/customer = /customers/id' --select"
                    + " '/customers/name, SUM(/orders/price)' --group-by /customers/name",
            "  penstock sow flights --as-of 2026-05-01T09:30:00Z       # as it was then",
            "  penstock sow flights 'delay > 60' --top 1 --explain     # how it was answered",
            "  penstock sow --pattern 'orders\\..*' --stats | jq .price # all topics that match, into a pipe"
        })
public final class SowCommand implements Callable<Integer> {
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);
    private static final Duration WAIT = Duration.ofMillis(250);

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Mixin
    private AnswerOptions answer;

    @Parameters(
            index = "0",
            paramLabel = "TOPIC",
            description = "Topic with state, or with --pattern a regular expression over whole names.")
    private String topic;

    @Parameters(
            index = "1",
            paramLabel = "FILTER",
            arity = "0..1",
            defaultValue = "",
            description = "SQL-92 condition over the fields of the record (default: every record).")
    private String filter;

    @Option(names = "--pattern", description = "TOPIC is a regular expression.")
    private boolean isPattern;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description =
                    "Only this record; repeatable. A message with the key fields, or the key where publishers give"
                            + " it.")
    private List<String> keys = List.of();

    @Option(
            names = "--as-of",
            paramLabel = "PLACE",
            description =
                    "The state as it was: after a bookmark such as 0:1234, that message included, or at a time such"
                            + " as 2026-05-01T09:30:00Z, -5m or 'yesterday 14:00'. For journaled topics.")
    private @Nullable String asOf;

    @Option(
            names = "--join",
            paramLabel = "JOIN",
            defaultValue = "",
            description = "Rows for pairs of records of TOPIC and another topic, for example 'LEFT JOIN customers ON"
                    + " /orders/customer = /customers/id'; with --select. Fields are /orders/price.")
    private String join;

    @Option(names = "--durable", description = "Answer once all that is printed is on stable storage.")
    private boolean isDurable;

    @Option(
            names = "--keys",
            description =
                    "Put the key before each record, with a tab: as its publisher gave it, or a message of its fields.")
    private boolean hasKeys;

    @Option(names = "--headers", description = "Put the headers before each record, with a tab.")
    private boolean hasHeaders;

    @Mixin
    private RowOptions rows;

    @Option(
            names = "--explain",
            description = "Say at the end how the query was answered, on standard error: tests in their order and what"
                    + " answered each, blocks and records that were read, columns.")
    private boolean isExplained;

    @Option(names = "--stats", description = "Say at the end what was looked at, on standard error.")
    private boolean hasStats;

    @Override
    public Integer call() {
        answer.check();
        rows.checkLines();
        final SowRequest asked = answer.apply(
                        (isPattern ? SowRequest.pattern(topic) : SowRequest.topic(topic)).filter(filter))
                .timeout(Duration.ofMillis(
                        Math.min(Integer.MAX_VALUE, broker.timeout().toMillis())))
                .progress(Terminal.isErr() ? PROGRESS_INTERVAL : Duration.ZERO)
                .join(join)
                .keys(keys);
        final SowRequest placed = asOf == null ? asked : asOf(asked, asOf);
        final SowRequest waited = isDurable ? placed.durable() : placed;
        final SowRequest request = isExplained ? waited.explain() : waited;
        BrokerOptions.warnOfWildcards(topic, isPattern, spec.commandLine().getErr());
        try (PenstockClient client = broker.connect()) {
            answer(client, request);
            if (join.isBlank()) {
                FieldWarning.warn(
                        client, topic, isPattern, filter, spec.commandLine().getErr());
            }
        }
        return Main.EXIT_OK;
    }

    private void answer(final PenstockClient client, final SowRequest request) {
        try (QueryStream stream = client.sowStream(request);
                MessageOutput lines = open()) {
            forEach(stream, lines::write, lines::flush);
            lines.flush();
            if (hasStats) {
                print(stream.stats());
            }
            if (isExplained) {
                final PrintWriter err = spec.commandLine().getErr();
                err.print(stream.stats().explanation().replaceAll("[\\p{Cntrl}&&[^\n]]", "?"));
                err.flush();
            }
        } catch (final PenstockException e) {
            throw isPattern ? e : TopicNames.explained(e, client, topic);
        }
    }

    private static SowRequest asOf(final SowRequest request, final String text) {
        final LogPlace place = LogOptions.place("--as-of", text, "");
        return switch (place.kind()) {
            case BOOKMARK -> request.asOf(place.bookmark());
            case TIME -> request.asOf(Instant.ofEpochSecond(0, place.timeNs()));
            default ->
                throw CommandFailure.badInput("--as-of: " + text + " is what there is anyway (leave --as-of out)");
        };
    }

    /** Takes all records, and shows how far the query is while it makes its user wait. */
    private static void forEach(final QueryStream stream, final Taker taker, final Pause pause) {
        try (ProgressLine line = ProgressLine.onErr()) {
            while (!stream.isComplete()) {
                final Message message = stream.poll(WAIT);
                if (message != null) {
                    line.clear();
                    taker.take(message);
                    continue;
                }
                pause.flush();
                final SowProgress progress = stream.progress();
                if (progress != null && line.isDue()) {
                    line.draw(String.format(
                            "looked at %,d of %,d rows, found %,d records",
                            progress.scanned(), progress.rows(), progress.matches()));
                }
            }
        }
        for (final Message message : stream) {
            taker.take(message);
        }
    }

    /** Takes a record. */
    @FunctionalInterface
    private interface Taker {
        void take(Message message);
    }

    /** Shows what was printed so far. */
    @FunctionalInterface
    private interface Pause {
        void flush();
    }

    private MessageOutput open() {
        final MessageColumns columns = new MessageColumns(
                rows.isTemplate(), rows.isTemplate(), hasKeys || rows.isTemplate(), hasHeaders || rows.isTemplate());
        return rows.isGiven()
                ? new MessageRows(
                        rows.open(
                                spec.commandLine().getOut(), spec.commandLine().getErr()),
                        rows.isJson(),
                        columns)
                : new MessageLines(columns);
    }

    private void print(final SowStats stats) {
        final PrintWriter err = spec.commandLine().getErr();
        err.printf(
                "%,d records looked at, %,d matched, %,d returned; as of %s%n",
                stats.topicMatches(),
                stats.matches(),
                stats.returned(),
                new TreeMap<>(stats.sequenceByShard())
                        .entrySet().stream()
                                .map(entry -> entry.getKey() + ":" + entry.getValue())
                                .collect(Collectors.joining(" ")));
        err.flush();
    }
}
