package io.penstock.bench;

import io.penstock.bench.journal.JournalBenchCommand;
import io.penstock.bench.orb.OrbBenchCommand;
import io.penstock.bench.orb.OrbExperimentsCommand;
import io.penstock.bench.peer.PeerSubject;
import io.penstock.bench.put.PutBenchCommand;
import io.penstock.bench.state.StateBenchCommand;
import io.penstock.broker.IdleMode;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures a broker on this machine. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        subcommands = {
            StateBenchCommand.class,
            FanOutCommand.class,
            JournalBenchCommand.class,
            PutBenchCommand.class,
            OrbBenchCommand.class,
            OrbExperimentsCommand.class
        },
        description = {
            "Starts a broker in a process of its own and measures it from this one, which holds the publisher and the",
            "subscribers. After a warm-up of 2.5 s, latency is measured from the time a message was meant to be sent;",
            "without --rate the publisher stays close behind the slowest subscriber. Every delivery is checked."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench                                            100 bytes, as many as it takes",
            "  penstock bench --payload 1024 --subscribers 10            larger, to ten subscribers",
            "  penstock bench --rate 10000                               latency at an even rate",
            "  penstock bench --round-trip --idle busy                   one at a time, beside bare TCP in C",
            "  penstock bench --rate 10000 --idle-connections 10000      paired: without and with them and a slow"
                    + " reader",
            "  penstock bench --keys 1000000 --rate 20000 --queries 1    paired: without and with queries of all keys",
            "  penstock bench --rate 10000 --filters 10000               paired: without and with filters that come and go",
            "  penstock bench --beside redis                             in turn with a redis-server",
            "  penstock bench --beside forwarder                         in turn with the least that a broker does",
            "  penstock bench --input orders.ndjson --format json --filter \"symbol = 'IBM' AND price > 100\""
        })
public final class BenchCommand implements Callable<Integer> {
    private static final int PAYLOAD_LENGTH_MAX = 16 * 1024 * 1024;
    private static final int KEY_COUNT_MAX = 100_000_000;
    private static final int SUBSCRIBER_COUNT_MAX = 1_000;
    private static final int QUERY_CLIENT_COUNT_MAX = 100;
    private static final int FILTER_COUNT_MAX = 1_000_000;
    private static final int ROUNDS_BESIDE = 3;
    private static final int ROUNDS_PAIRED = 10;
    private static final int IDLE_CONNECTION_COUNT_MAX = 15_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            defaultValue = "tcp",
            description = "tcp, ipc, ipc_futex, whose ends wait by futexes, or inproc (default: tcp).")
    private String transport;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            description = "Length of each message, opaque to the broker, 8 to 16777216 (default: 100).")
    private @Nullable Integer payloadLength;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "0",
            description = "JSON messages of N keys, to a topic that keeps the last of each (default: no state).")
    private int keyCount;

    @Option(names = "--input", paramLabel = "FILE", description = "Publish the lines of a file, over and over.")
    private @Nullable Path input;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "Of the lines of --input: json, read by the broker, or binary (default: binary).")
    private @Nullable String format;

    @Option(
            names = {"-f", "--filter"},
            paramLabel = "CONDITION",
            defaultValue = "",
            description = "Filter of each subscription, over the fields of --format json.")
    private String filter;

    @Option(
            names = "--subscribers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Subscribers, each with a connection (default: 1).")
    private int subscriberCount;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description = "Messages a second (default: as many as the slowest subscriber takes).")
    private double rate;

    @Option(
            names = "--idle",
            paramLabel = "MODE",
            defaultValue = "blocking",
            description = "Broker and clients without work: blocking, back_off or busy (default: blocking).")
    private IdleMode idle;

    @Option(
            names = "--threading",
            paramLabel = "MODE",
            defaultValue = "",
            description = "Of the broker: shared or dedicated.")
    private String threading;

    @Option(
            names = "--journal",
            paramLabel = "DIR",
            description = "The broker writes what is published to files in a new directory in this one.")
    private @Nullable Path journal;

    @Option(
            names = "--sync",
            paramLabel = "POLICY",
            defaultValue = "",
            description = "With --journal: always, interval (of 1 ms), or os (default: always).")
    private String sync;

    @Option(
            names = "--round-trip",
            description = "One message at a time from a busy thread and back to it, beside bare TCP in C.")
    private boolean isRoundTrip;

    @Option(
            names = "--beside",
            paramLabel = "BROKER",
            description = "Measure redis or nats too, in turn, with its server program; or a bare forwarder.")
    private PeerSubject.@Nullable Kind beside;

    @Option(
            names = "--idle-connections",
            paramLabel = "N",
            defaultValue = "0",
            description = "Measure each round twice: alone, and with N idle clients and one that does not read.")
    private int idleConnectionCount;

    @Option(
            names = "--queries",
            paramLabel = "N",
            defaultValue = "0",
            description = "With --keys: measure each round twice: alone, and with N clients that query all the time.")
    private int queryClientCount;

    @Option(
            names = "--filters",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Measure each round twice: alone, and with clients that come with N filters, and leave with them,"
                            + " all the time.")
    private int filterCount;

    @Option(
            names = "--snapshots",
            description = "With --keys and --journal: measure each round twice: alone, and while the broker writes its "
                    + "state to files all the time.")
    private boolean isSnapshots;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "Measured time of a round (default: 10).")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            defaultValue = "2.5",
            description = "Seconds before each round is measured (default: 2.5).")
    private double warmUpSeconds;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds, whose medians count (default: 1; 3 with --beside; 10 paired).")
    private @Nullable Integer rounds;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (journal == null) {
            if (!sync.isEmpty()) {
                throw CommandFailure.badInput("--sync: there is no journal (give --journal too, or leave this out)");
            }
            return call("");
        }
        if (!List.of("", "always", "interval", "os").contains(sync)) {
            throw CommandFailure.badInput("--sync: no such choice: " + sync + " (use always, interval or os)");
        }
        try (ScratchDirectory scratch = ScratchDirectory.make("--journal", journal)) {
            return call(scratch.path().toString());
        }
    }

    private int call(final String journalDirectory) throws IOException, InterruptedException {
        final BenchPlan plan = plan(journalDirectory);
        final Json json = describe(plan);
        try (Probes probes = new Probes()) {
            final PairedRounds.Beside goingOn = beside();
            if (goingOn != null) {
                new PairedRounds(plan, probes, rounds == null ? ROUNDS_PAIRED : rounds).run(goingOn, json);
            } else if (isRoundTrip) {
                try (PenstockSubject subject = PenstockSubject.start(plan)) {
                    new RoundTrips(plan, subject, probes).run(json);
                }
            } else {
                measure(plan, probes, json);
            }
        }
        final String object = json.end();
        final PrintWriter out = spec.commandLine().getOut();
        out.print(isJson ? object + System.lineSeparator() : BenchTable.of(object));
        out.flush();
        return Main.EXIT_OK;
    }

    private void measure(final BenchPlan plan, final Probes probes, final Json json)
            throws IOException, InterruptedException {
        final List<RoundResult> ours = new ArrayList<>();
        final List<RoundResult> theirs = new ArrayList<>();
        final int roundCount = rounds == null ? (beside == null ? 1 : ROUNDS_BESIDE) : rounds;
        for (int round = 0; round < roundCount; round++) {
            try (Subject subject = PenstockSubject.start(plan)) {
                ours.add(new Round(plan, subject, probes).run());
            }
            if (beside != null) {
                try (Subject subject = PeerSubject.start(beside, plan.messages().lengthMax())) {
                    theirs.add(new Round(plan, subject, probes).run());
                }
            }
        }
        json.field("rounds", roundCount);
        final RoundResult result = RoundResult.median(ours);
        result.addTo(json);
        if (beside != null) {
            final RoundResult peer = RoundResult.median(theirs);
            json.object(beside.name().toLowerCase(Locale.ROOT), peer.addTo(new Json()));
            json.object(
                    "ratio",
                    new Json()
                            .field("msgs_per_s", result.messagesPerS() / peer.messagesPerS())
                            .field(
                                    "broker_cpu_us_per_msg",
                                    result.brokerCpuUsPerMessage() / peer.brokerCpuUsPerMessage())
                            .field("p50_us", result.p50Us() / peer.p50Us())
                            .field("p99_us", result.p99Us() / peer.p99Us()));
        }
    }

    private PairedRounds.@Nullable Beside beside() {
        if (queryClientCount > 0) {
            return new QueriesBeside(queryClientCount);
        }
        if (idleConnectionCount > 0) {
            return new CrowdBeside(idleConnectionCount);
        }
        if (filterCount > 0) {
            return new FiltersBeside(filterCount);
        }
        return isSnapshots ? new SnapshotsBeside() : null;
    }

    private Json describe(final BenchPlan plan) {
        return new Json()
                .field("transport", plan.transport())
                .field("payload", plan.messages().lengthMean())
                .field("format", plan.messages().format())
                .field("keys", keyCount)
                .field("filter", plan.filter())
                .field("subscribers", plan.subscriberCount())
                .field("rate", plan.rate())
                .field("idle", plan.idle().name().toLowerCase(Locale.ROOT))
                .field(
                        "journal",
                        plan.journal().isEmpty() ? "none" : plan.sync().isEmpty() ? "always" : plan.sync())
                .field("seconds", plan.seconds())
                .field("java", Runtime.version().toString())
                .field("cpus", Runtime.getRuntime().availableProcessors());
    }

    private BenchPlan plan(final String journalDirectory) throws IOException {
        check("--keys", keyCount, 0, KEY_COUNT_MAX);
        if (keyCount > 0 && (input != null || beside != null)) {
            throw CommandFailure.badInput("--keys: go with neither --input nor --beside (leave those out)");
        }
        check("--subscribers", subscriberCount, 1, SUBSCRIBER_COUNT_MAX);
        check("--seconds", seconds, 1, 3_600);
        checkWarmUp(warmUpSeconds);
        check("--rounds", rounds == null ? 1 : rounds, 1, 100);
        check("--idle-connections", idleConnectionCount, 0, IDLE_CONNECTION_COUNT_MAX);
        if (idleConnectionCount > 0 && (beside != null || isRoundTrip || !transport.equals("tcp"))) {
            throw CommandFailure.badInput(
                    "--idle-connections: go with neither --beside, --round-trip, ipc nor inproc (leave those out)");
        }
        check("--queries", queryClientCount, 0, QUERY_CLIENT_COUNT_MAX);
        if (queryClientCount > 0 && (keyCount == 0 || idleConnectionCount > 0 || isRoundTrip)) {
            throw CommandFailure.badInput(
                    keyCount == 0
                            ? "--queries: there is no state to query (give --keys)"
                            : "--queries: go with neither --idle-connections nor --round-trip (leave those out)");
        }
        checkFilters();
        if (isSnapshots && (keyCount == 0 || journalDirectory.isEmpty())) {
            throw CommandFailure.badInput("--snapshots: there is no state to write (give --keys and --journal)");
        }
        if (isSnapshots && (queryClientCount > 0 || idleConnectionCount > 0 || isRoundTrip)) {
            throw CommandFailure.badInput(
                    "--snapshots: go with neither --queries, --idle-connections nor --round-trip (leave those out)");
        }
        if (!List.of("tcp", "ipc", "ipc_futex", "inproc").contains(transport)) {
            throw CommandFailure.badInput(
                    "--transport: no such choice: " + transport + " (use tcp, ipc, ipc_futex or inproc)");
        }
        if (!List.of("", "shared", "dedicated").contains(threading)) {
            throw CommandFailure.badInput("--threading: no such choice: " + threading + " (use shared or dedicated)");
        }
        if (!(rate >= 0)) {
            throw CommandFailure.badInput("--rate: too small: " + rate + " (use 0 for no rate, or more)");
        }
        if (beside != null && (!filter.isEmpty() || isRoundTrip)) {
            throw CommandFailure.badInput("--beside: cannot be compared with "
                    + (isRoundTrip ? "--round-trip" : "--filter") + " (leave one out)");
        }
        final Messages messages = messages();
        try {
            final boolean[] matches = messages.matches(filter);
            if (isRoundTrip && !new Skips(matches).isEveryMatch()) {
                throw CommandFailure.badInput("--filter: does not match every message: " + filter
                        + " (a round trip needs a message that comes back)");
            }
        } catch (final FilterException e) {
            throw CommandFailure.badInput("--filter: " + e.getMessage());
        }
        return new BenchPlan(
                transport,
                messages,
                filter,
                subscriberCount,
                rate,
                idle,
                threading,
                journalDirectory,
                sync,
                false,
                (long) (warmUpSeconds * TimeUnit.SECONDS.toNanos(1)),
                seconds);
    }

    private void checkFilters() {
        check("--filters", filterCount, 0, FILTER_COUNT_MAX);
        if (filterCount > 0
                && (queryClientCount > 0 || idleConnectionCount > 0 || isSnapshots || isRoundTrip || beside != null)) {
            throw CommandFailure.badInput("--filters: go with neither --queries, --idle-connections, --snapshots,"
                    + " --round-trip nor --beside (leave those out)");
        }
    }

    private Messages messages() throws IOException {
        if (input == null) {
            if (format != null || !filter.isEmpty()) {
                throw CommandFailure.badInput((format != null ? "--format" : "--filter")
                        + ": the payload is opaque (give --input FILE with --format json)");
            }
            final int length = payloadLength == null ? 100 : payloadLength;
            if (keyCount > 0) {
                check("--payload", length, Messages.keyedLengthMin(), PAYLOAD_LENGTH_MAX);
                return Messages.keyed(length, keyCount);
            }
            check("--payload", length, Messages.OPAQUE_LENGTH_MIN, PAYLOAD_LENGTH_MAX);
            return Messages.opaque(length);
        }
        if (payloadLength != null) {
            throw CommandFailure.badInput("--payload: the messages are those of --input (leave one out)");
        }
        final String named = format == null ? Messages.OPAQUE_FORMAT : format;
        if (!named.equals(Messages.OPAQUE_FORMAT) && !named.equals(Messages.JSON_FORMAT)) {
            throw CommandFailure.badInput("--format: no such choice: " + named + " (use json or binary)");
        }
        if (!filter.isEmpty() && !named.equals(Messages.JSON_FORMAT)) {
            throw CommandFailure.badInput("--filter: the payload is opaque (give --format json)");
        }
        try {
            return Messages.lines(input.toString(), Files.readAllLines(input), named);
        } catch (final NoSuchFileException e) {
            throw CommandFailure.badInput("--input: no such file: " + input + " (give a file with a message a line)");
        }
    }

    static void checkWarmUp(final double seconds) {
        if (!(seconds >= 0 && seconds <= 3_600)) {
            throw CommandFailure.badInput("--warm-up: out of range: " + seconds + " (use 0 to 3600)");
        }
    }

    private static void check(final String option, final int value, final int min, final int max) {
        if (value < min || value > max) {
            throw CommandFailure.badInput(option + ": out of range: " + value + " (use " + min + " to " + max + ")");
        }
    }
}
