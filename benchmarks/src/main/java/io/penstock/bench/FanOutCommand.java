package io.penstock.bench;

import io.penstock.broker.IdleMode;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what subscriptions that follow state cost the broker. */
@Command(
        name = "fan-out",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the broker's CPU time by message for different numbers of subscriptions to a topic with"
                    + " state.",
            "Each has a filter of its own and is notified of records out of focus. Once the filters share the"
                    + " messages, so that each matches one subscription and mostly leaves another; once every"
                    + " message matches all. Every delivery is counted; one too many or too few fails the run."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench fan-out # 1, 10, 100 and 1,000 subscriptions",
            "  penstock bench fan-out --subscriptions 50,500 --keys 100000 --json"
        })
public final class FanOutCommand implements Callable<Integer> {
    private static final int KEY_COUNT_MAX = 10_000_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Records of the topic, 1 to 10000000 (default: 10000).")
    private int keyCount;

    @Option(
            names = "--subscriptions",
            paramLabel = "N,…",
            split = ",",
            defaultValue = "1,10,100,1000",
            description = "Numbers of subscriptions, each 1 to 1000 (default: 1,10,100,1000).")
    private List<Integer> subscriptionCounts;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Measured time of each (default: 5).")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            defaultValue = "2",
            description = "Seconds before each is measured (default: 2).")
    private double warmUpSeconds;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--keys", keyCount, 1, KEY_COUNT_MAX);
        check("--seconds", seconds, 1, 3_600);
        BenchCommand.checkWarmUp(warmUpSeconds);
        for (final int count : subscriptionCounts) {
            check("--subscriptions", count, 1, LaneMessages.LANE_COUNT);
        }
        final BenchPlan plan = new BenchPlan(
                Messages.keyed(100, keyCount),
                "",
                1,
                0,
                IdleMode.BLOCKING,
                BrokerPlan.DEFAULT,
                (long) (warmUpSeconds * TimeUnit.SECONDS.toNanos(1)),
                seconds);
        final Json json = new Json()
                .field("keys", keyCount)
                .field("seconds", seconds)
                .field("java", Runtime.version().toString())
                .field("cpus", Runtime.getRuntime().availableProcessors());
        final LaneMessages messages = new LaneMessages(keyCount);
        for (final int count : subscriptionCounts) {
            json.object("share_" + count, new FanOutRound(plan, messages, count, false).run());
            json.object("all_" + count, new FanOutRound(plan, messages, count, true).run());
        }
        final String object = json.end();
        final PrintWriter out = spec.commandLine().getOut();
        out.print(isJson ? object + System.lineSeparator() : BenchTable.of(object));
        out.flush();
        return Main.EXIT_OK;
    }

    private static void check(final String option, final int value, final int min, final int max) {
        if (value < min || value > max) {
            throw CommandFailure.badInput(option + ": out of range: " + value + " (use " + min + " to " + max + ")");
        }
    }
}
