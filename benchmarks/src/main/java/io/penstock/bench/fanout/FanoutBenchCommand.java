package io.penstock.bench.fanout;

import io.penstock.bench.BenchTable;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what it costs to give one message to many. */
@Command(
        name = "fanout",
        mixinStandardHelpOptions = true,
        description = {
            "Publishes to a broker of this process whose subscriptions all get every message, over TCP, and measures"
                    + " deliveries in a second and the CPU time of the broker's threads for each. In turn with it a"
                    + " plain loop writes the same bytes to as many sockets.",
            "Without --connections and --subscriptions: 1, 10, 100 and 1,000 connections with one subscription each,"
                    + " and then one connection with 10 and with 100. Every delivery is counted; one too many or too"
                    + " few fails the run. Subscriptions that follow state are measured by 'bench fan-out'."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench fanout                                     # all of these",
            "  penstock bench fanout --connections 1000 --length 1000",
            "  penstock bench fanout --connections 1 --subscriptions 100 --json"
        })
public final class FanoutBenchCommand implements Callable<Integer> {
    private static final int CONNECTION_COUNT_MAX = 4_000;
    private static final int SUBSCRIPTION_COUNT_MAX = 1_000;
    private static final int LENGTH_MAX = 60_000;
    private static final int BURST_MAX = 256;
    private static final List<Integer> CONNECTIONS = List.of(1, 10, 100, 1_000);
    private static final List<Integer> SUBSCRIPTIONS = List.of(10, 100);

    @Spec
    private CommandSpec spec;

    @Option(names = "--connections", paramLabel = "N", description = "That receive, 1 to 4000 (default: 1).")
    private @Nullable Integer connections;

    @Option(names = "--subscriptions", paramLabel = "M", description = "Of each connection, 1 to 1000 (default: 1).")
    private @Nullable Integer subscriptions;

    @Option(
            names = "--length",
            paramLabel = "L",
            defaultValue = "100",
            description = "Bytes of a message, 1 to 60000 (default: 100).")
    private int length;

    @Option(
            names = "--burst",
            paramLabel = "N",
            defaultValue = "32",
            description = "Messages published one after the other, 1 to 256 (default: 32).")
    private int burst;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds, whose medians count, 1 to 100 (default: 5).")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "2",
            description = "Of each round, 0.1 to 600 (default: 2).")
    private double seconds;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean isJson;

    /** Made by the command line. */
    public FanoutBenchCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        final FanoutPlan plan = plan();
        final Json json = new Json()
                .field("length", length)
                .field("burst", burst)
                .field("rounds", rounds)
                .field("java", Runtime.version().toString())
                .field("cpus", Runtime.getRuntime().availableProcessors());
        try (ProgressLine progress = ProgressLine.onErr()) {
            if (connections != null || subscriptions != null) {
                measure(plan, progress, json);
            } else {
                for (final int each : CONNECTIONS) {
                    measure(plan.with(each, 1), progress, json);
                }
                for (final int each : SUBSCRIPTIONS) {
                    measure(plan.with(1, each), progress, json);
                }
            }
        }
        final String object = json.end();
        final PrintWriter out = spec.commandLine().getOut();
        out.print(isJson ? object + System.lineSeparator() : BenchTable.of(object));
        out.flush();
        return Main.EXIT_OK;
    }

    private static void measure(final FanoutPlan plan, final ProgressLine progress, final Json json)
            throws IOException, InterruptedException {
        try (FanoutRun run = new FanoutRun(plan, progress)) {
            json.object(plan.title(), run.run());
        }
    }

    private FanoutPlan plan() {
        final int connectionCount = connections == null ? 1 : connections;
        final int subscriptionCount = subscriptions == null ? 1 : subscriptions;
        check("--connections", connectionCount, CONNECTION_COUNT_MAX);
        check("--subscriptions", subscriptionCount, SUBSCRIPTION_COUNT_MAX);
        check("--length", length, LENGTH_MAX);
        check("--burst", burst, BURST_MAX);
        check("--rounds", rounds, 100);
        if (!(seconds >= 0.1 && seconds <= 600)) {
            throw CommandFailure.badInput("--seconds: out of range: " + seconds + " (use 0.1 to 600)");
        }
        return new FanoutPlan(connectionCount, subscriptionCount, length, burst, rounds, seconds);
    }

    private static void check(final String option, final int value, final int max) {
        if (value < 1 || value > max) {
            throw CommandFailure.badInput(option + ": out of range: " + value + " (use 1 to " + max + ")");
        }
    }
}
