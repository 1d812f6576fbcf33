package io.penstock.bench.match;

import io.penstock.bench.figure.Curve;
import io.penstock.bench.figure.CurveOptions;
import io.penstock.bench.figure.Step;
import io.penstock.bench.option.Ranges;
import io.penstock.bench.option.ResultOptions;
import io.penstock.bench.plain.PlainProgram;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures how messages are matched with filters. */
@Command(
        name = "match",
        mixinStandardHelpOptions = true,
        description = {
            "Subscribes to a topic of a broker of this process with many filters, each of its own, publishes JSON of"
                    + " about 200 bytes, and measures how many messages one thread of the broker matches. In turn"
                    + " with it, a plain loop in C evaluates the same predicates one by one over fields that are read"
                    + " already, and a hash table in C finds those that are equalities.",
            "Then it subscribes with one more filter and leaves again, all the time, while a publisher publishes:"
                    + " how long that takes, and the publisher's longest stall. The deliveries of some messages are"
                    + " compared with what the plain loop counts; a difference fails the run.",
            "",
            "Kinds of filters: equality (an account), range (BETWEEN of a number), text (LIKE, at the beginning or"
                    + " within), mixed (a quarter each of these, and of an account with a bound). A message matches"
                    + " about one filter, or fewer.",
            "",
            "--curve filters measures the matching alone, again and again with more filters, and --output draws a chart"
                    + " of it: the broker's line beside those of the loop and the hash table in C, per core and GHz."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench match                                # 10,000 subscriptions of each kind",
            "  penstock bench match --subscriptions 1000000 --json # takes some GB of heap and minutes",
            "  penstock bench match --subscriptions 100 --kind equality",
            "  penstock bench match --curve filters --subscriptions 1000000 --output charts # a chart, from 1 to a million"
        })
public final class MatchBenchCommand implements Callable<Integer> {
    private static final int FILTER_COUNT_MAX = 1_000_000;
    private static final String ALL = "all";
    private static final String FILTERS = "filters";
    private static final int STEP = 10;

    /** With fewer at the end of a curve nothing is warmed up: to see that it works. */
    private static final int SERIOUS_FILTERS = 1_000;

    private static final double THOUSAND = 1e3;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--subscriptions",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Subscriptions, each with a filter of its own, 1 to 1000000 (default: 10000).")
    private int filterCount;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            defaultValue = ALL,
            description = "Of filters: equality, range, text, mixed, or all, one after the other (default: all).")
    private String kind;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds, whose medians count, 1 to 100 (default: 5).")
    private int rounds;

    @Option(
            names = "--publish-seconds",
            paramLabel = "S",
            defaultValue = "2",
            description = "Of publishing alone, and beside subscribing, 0.1 to 600 (default: 2).")
    private double seconds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of filters and messages (default: 1).")
    private long seed;

    @Mixin
    private CurveOptions curves;

    @Mixin
    private ResultOptions result;

    @Override
    public Integer call() throws IOException, InterruptedException {
        final MatchPlan plan = plan();
        final Json json = new Json()
                .field("subscriptions", plan.filterCount())
                .field("rounds", plan.rounds())
                .field("seed", plan.seed())
                .field("java", Runtime.version().toString())
                .field("cpus", Runtime.getRuntime().availableProcessors());
        final String name = curves.name(List.of(FILTERS));
        Curve curve = null;
        try (PlainProgram plain = PlainProgram.start(PlainProgram.MATCH);
                ProgressLine progress = ProgressLine.onErr()) {
            json.field("clock_ghz", plain.clockGhz());
            if (name == null) {
                for (final MatchKind each : plan.kinds()) {
                    try (MatchRun run = new MatchRun(plan, each, plain, progress)) {
                        json.object(each.title(), run.run());
                    }
                }
            } else {
                curve = curve(plan, plain, progress);
                curve.report(json.field("curve", name));
            }
        }
        final String object = json.end();
        if (curve != null) {
            curves.write(curve, object);
        }
        result.print(spec, object);
        return Main.EXIT_OK;
    }

    /** All kinds, with ten times as many filters at each step. */
    private static Curve curve(final MatchPlan plan, final PlainProgram plain, final ProgressLine progress)
            throws InterruptedException {
        final List<Step> steps = new ArrayList<>();
        for (int count = 1; count < plan.filterCount(); count *= STEP) {
            steps.add(Step.of(count));
        }
        steps.add(Step.of(plan.filterCount()));
        final Curve curve = new Curve(
                "match-filters",
                "Thousands of messages a second that a core matches, for each GHz",
                "filters, each of a subscription",
                steps);
        if (plan.filterCount() >= SERIOUS_FILTERS) {
            for (final MatchKind each : plan.kinds()) {
                try (MatchRun warmUp = new MatchRun(plan.with(STEP), each, plain, progress)) {
                    warmUp.runAlone();
                }
            }
        }
        for (final Step step : steps) {
            for (final MatchKind each : plan.kinds()) {
                try (MatchRun run = new MatchRun(plan.with((int) step.value()), each, plain, progress)) {
                    run.runAlone();
                    curve.add(step, each.title(), run.figure(), run.ghz() * THOUSAND);
                }
            }
        }
        return curve;
    }

    private MatchPlan plan() {
        Ranges.check("--subscriptions", filterCount, 1, FILTER_COUNT_MAX);
        Ranges.check("--rounds", rounds, 1, 100);
        Ranges.check("--publish-seconds", seconds, 0.1, 600);
        return new MatchPlan(filterCount, kinds(), rounds, seconds, seed);
    }

    private List<MatchKind> kinds() {
        if (kind.equals(ALL)) {
            return List.of(MatchKind.values());
        }
        for (final MatchKind each : MatchKind.values()) {
            if (each.title().equals(kind)) {
                return List.of(each);
            }
        }
        throw CommandFailure.badInput("--kind: no such choice: " + kind + " (use equality, range, text, mixed or all)");
    }
}
