package io.penstock.bench;

import io.penstock.bench.fanout.FanoutBenchCommand;
import io.penstock.bench.journal.JournalBenchCommand;
import io.penstock.bench.match.MatchBenchCommand;
import io.penstock.bench.option.Ranges;
import io.penstock.bench.option.ResultOptions;
import io.penstock.bench.orb.OrbBenchCommand;
import io.penstock.bench.orb.OrbExperimentsCommand;
import io.penstock.bench.peer.PeerSubject;
import io.penstock.bench.put.PutBenchCommand;
import io.penstock.bench.state.StateBenchCommand;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.input.MessagesASecond;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures a broker on this machine. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        subcommands = {
            StateBenchCommand.class,
            MatchBenchCommand.class,
            FanOutCommand.class,
            FanoutBenchCommand.class,
            JournalBenchCommand.class,
            PutBenchCommand.class,
            OrbBenchCommand.class,
            OrbExperimentsCommand.class
        },
        description = {
            "Starts a broker in a process of its own and measures it from this one, which holds the publisher and"
                    + " the subscribers.",
            "After a warm-up of 2.5 s, latency is measured from the time a message was meant to be sent; without"
                    + " --rate the publisher stays close behind the slowest subscriber. Every delivery is checked."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench                                           # 100 bytes, as many as it takes",
            "  penstock bench --payload 1024 --subscribers 10           # larger, to ten subscribers",
            "  penstock bench --rate 10000/s                            # latency at an even rate",
            "  penstock bench --round-trip --idle busy                  # one at a time, beside bare TCP in C",
            "  penstock bench --rate 10000/s --idle-connections 10000   # paired: without and with them and a slow reader",
            "  penstock bench --keys 1000000 --rate 20000/s --queries 1 # paired: without and with queries of all keys",
            "  penstock bench --rate 10000/s --filters 10000            # paired: without and with filters that come and go",
            "  penstock bench --beside redis                            # in turn with a redis-server",
            "  penstock bench --beside forwarder                        # in turn with the least that a broker does",
            "  penstock bench --input orders.ndjson --format json --filter \"symbol = 'IBM' AND price > 100\""
        })
public final class BenchCommand implements Callable<Integer> {
    private static final int SUBSCRIBER_COUNT_MAX = 1_000;
    private static final int ROUNDS_BESIDE = 3;
    private static final int ROUNDS_PAIRED = 10;

    @Spec
    private CommandSpec spec;

    @Mixin
    private MessageOptions messages;

    @Mixin
    private BrokerOptions broker;

    @Mixin
    private BesideOptions besides;

    @Option(
            names = "--subscribers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Subscribers, each with a connection (default: 1).")
    private int subscriberCount;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = MessagesASecond.class,
            description = "Messages a second, such as 1000/s (default: as many as the slowest subscriber takes).")
    private double rate;

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

    @Mixin
    private ResultOptions result;

    @Override
    public Integer call() throws IOException, InterruptedException {
        broker.checkJournal();
        final Path journal = broker.journal();
        if (journal == null) {
            return call("");
        }
        try (ScratchDirectory scratch = ScratchDirectory.make("--journal", journal)) {
            return call(scratch.path().toString());
        }
    }

    private int call(final String journalDirectory) throws IOException, InterruptedException {
        final BenchPlan plan = plan(journalDirectory);
        final Json json = describe(plan);
        try (Probes probes = new Probes()) {
            final PairedRounds.Beside goingOn = besides.beside();
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
        result.print(spec, object);
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

    private Json describe(final BenchPlan plan) {
        return new Json()
                .field("transport", plan.broker().transport())
                .field("payload", plan.messages().lengthMean())
                .field("format", plan.messages().format())
                .field("keys", messages.keyCount())
                .field("filter", plan.filter())
                .field("subscribers", plan.subscriberCount())
                .field("rate", plan.rate())
                .field("idle", plan.idle().name().toLowerCase(Locale.ROOT))
                .field(
                        "journal",
                        plan.broker().journal().isEmpty()
                                ? "none"
                                : plan.broker().sync().isEmpty()
                                        ? "always"
                                        : plan.broker().sync())
                .field("seconds", plan.seconds())
                .field("java", Runtime.version().toString())
                .field("cpus", Runtime.getRuntime().availableProcessors());
    }

    private BenchPlan plan(final String journalDirectory) throws IOException {
        messages.checkKeys(beside != null);
        check("--subscribers", subscriberCount, 1, SUBSCRIBER_COUNT_MAX);
        check("--seconds", seconds, 1, 3_600);
        checkWarmUp(warmUpSeconds);
        check("--rounds", rounds == null ? 1 : rounds, 1, 100);
        besides.check(
                broker.transport(), messages.keyCount() > 0, !journalDirectory.isEmpty(), isRoundTrip, beside != null);
        broker.check();
        if (!(rate >= 0)) {
            throw CommandFailure.badInput("--rate: too small: " + rate + " (use 0 for no rate, or more)");
        }
        if (beside != null && (!messages.filter().isEmpty() || isRoundTrip)) {
            throw CommandFailure.badInput("--beside: cannot be compared with "
                    + (isRoundTrip ? "--round-trip" : "--filter") + " (leave one out)");
        }
        final Messages published = messages.published();
        messages.checkFilter(published, isRoundTrip);
        return new BenchPlan(
                published,
                messages.filter(),
                subscriberCount,
                rate,
                broker.idle(),
                new BrokerPlan(broker.transport(), broker.threading(), journalDirectory, broker.sync(), false),
                (long) (warmUpSeconds * TimeUnit.SECONDS.toNanos(1)),
                seconds);
    }

    static void checkWarmUp(final double seconds) {
        if (!(seconds >= 0 && seconds <= 3_600)) {
            throw CommandFailure.badInput("--warm-up: out of range: " + seconds + " (use 0 to 3600)");
        }
    }

    static void check(final String option, final int value, final int min, final int max) {
        Ranges.check(option, value, min, max);
    }
}
