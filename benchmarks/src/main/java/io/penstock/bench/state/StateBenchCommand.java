package io.penstock.bench.state;

import io.penstock.bench.ScratchDirectory;
import io.penstock.bench.figure.Curve;
import io.penstock.bench.figure.CurveOptions;
import io.penstock.bench.option.Ranges;
import io.penstock.bench.option.ResultOptions;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what keeps and queries the state. */
@Command(
        name = "state",
        mixinStandardHelpOptions = true,
        description = {
            "Loads rows of about 200 bytes of JSON into a broker of this process and queries them: one query at a"
                    + " time, many at once, groups, the top ten, on several threads, beside updates and beside"
                    + " messages that are published. In turn with it, plain loops in C over arrays of the same rows"
                    + " do the same work, and with --beside duckdb that database.",
            "All answers are compared; a difference fails the run. Prints the medians of the rounds and of their"
                    + " ratios, and figures per core and GHz: of the clock that a loop of additions shows.",
            "",
            "--curve measures again and again with more rows, with queries that find more, or with more queries at"
                    + " once, and --output draws a chart of it: the broker's line beside those of the others.",
            "",
            "With --store the store is measured alone, without a broker, beside plain Java loops over its rows.",
            "",
            "With --updates-per-second a broker of this process is queried while its rows are updated at that"
                    + " pace, by a rule from which every answer follows; a wrong one fails the run. Also prints"
                    + " how long the duty cycles of the thread that sequences are, in its CPU time."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench state                         # a million rows",
            "  penstock bench state --rows 20000000 --json  # twenty million; takes about 12 GB of memory",
            "  penstock bench state --rows 20000 --rounds 1 # only to see that it works",
            "  penstock bench state --queries scan,group --beside duckdb --duckdb-jar duckdb_jdbc.jar",
            "  penstock bench state --curve rows --rows 50000000 --output charts # a chart; takes about 30 GB of memory",
            "  penstock bench state --curve selectivity --beside duckdb --duckdb-jar duckdb_jdbc.jar --output charts",
            "  penstock bench state --curve queries --output charts",
            "  penstock bench state --store --rows 10000000 # the store alone; takes about 3 GB of memory",
            "  penstock bench state --updates-per-second 100000 --seconds 60"
        })
public final class StateBenchCommand implements Callable<Integer> {
    private static final int ROW_COUNT_MIN = 1_000;
    private static final int ROW_COUNT_MAX = 100_000_000;
    private static final int ROUNDS = 5;
    private static final int SECONDS = 10;
    private static final int UPDATES_PER_SECOND_MAX = 10_000_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Records, 1000 to 100000000 (default: 1000000).")
    private int rowCount;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds, whose medians count, 1 to 100 (default: 5).")
    private @Nullable Integer rounds;

    @Option(
            names = "--updates-per-second",
            paramLabel = "N",
            description = "Query a broker while so many of its rows are updated, 1 to 10000000.")
    private @Nullable Integer updatesPerSecond;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "With --updates-per-second: measured time, after 3 s (default: 10).")
    private @Nullable Integer seconds;

    @Option(
            names = "--threading",
            paramLabel = "MODE",
            description = "With --updates-per-second: of the broker: shared or dedicated.")
    private @Nullable String threading;

    @Option(
            names = "--journal",
            paramLabel = "DIR",
            description =
                    "With --updates-per-second: the broker writes the updates to a log in a new directory in this "
                            + "one, and its state as well, one snapshot after the other.")
    private @Nullable Path journal;

    @Option(names = "--store", description = "Measure the store alone, beside plain Java loops.")
    private boolean isStore;

    @Mixin
    private RowsOptions options;

    @Mixin
    private CurveOptions curves;

    private @Nullable Curve curve;

    @Mixin
    private ResultOptions result;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Ranges.check("--rows", rowCount, ROW_COUNT_MIN, ROW_COUNT_MAX);
        checkTogether();
        final long rowLength =
                isStore || updatesPerSecond != null ? StoredRows.ROW_LENGTH_MAX : RowBroker.ROW_LENGTH_MAX;
        if (rowCount * rowLength > Machine.memoryLength()) {
            throw CommandFailure.badInput("--rows: more than fit into the memory of this machine: " + rowCount
                    + " (use " + Machine.memoryLength() / rowLength + " or fewer)");
        }
        final Json json = new Json().field("rows", rowCount);
        if (isStore || updatesPerSecond != null) {
            Machine.describe(json);
        } else {
            Machine.describeJava(json);
        }
        if (updatesPerSecond == null) {
            runQuiet(json);
        } else {
            if (journal == null) {
                runBroker(updatesPerSecond, "", json);
            } else {
                try (ScratchDirectory scratch = ScratchDirectory.make("--journal", journal)) {
                    runBroker(updatesPerSecond, scratch.path().toString(), json);
                }
            }
        }
        final String object = json.end();
        if (curve != null) {
            curves.write(curve, object);
        }
        result.print(spec, object);
        return Main.EXIT_OK;
    }

    private void runQuiet(final Json json) throws IOException, InterruptedException {
        if (seconds != null || threading != null || journal != null) {
            throw CommandFailure.badInput(
                    (seconds != null ? "--seconds" : threading != null ? "--threading" : "--journal")
                            + ": nothing is timed so (give --updates-per-second too, or leave it out)");
        }
        final int roundCount = rounds == null ? ROUNDS : rounds;
        Ranges.check("--rounds", roundCount, 1, 100);
        json.field("rounds", roundCount);
        if (isStore) {
            try (StoreRun run = new StoreRun(rowCount, roundCount)) {
                run.run(json);
            }
        } else {
            runRows(options.plan(rowCount, roundCount), json);
        }
    }

    private void runRows(final RowsPlan plan, final Json json) throws IOException, InterruptedException {
        json.field("seed", plan.seed());
        final String name = curves.name(RowsCurve.NAMES);
        if (name == null) {
            json.field("selectivity", plan.queries().selectivity());
            try (RowsRun run = new RowsRun(plan)) {
                run.run(json);
            }
        } else {
            curve = RowsCurve.measure(name, plan);
            curve.report(json.field("curve", name));
        }
    }

    private void runBroker(final int rate, final String directory, final Json json) throws InterruptedException {
        if (rounds != null) {
            throw CommandFailure.badInput("--rounds: there is one round with --updates-per-second (give --seconds)");
        }
        final int measuredS = seconds == null ? SECONDS : seconds;
        final String mode = threading == null ? "" : threading.toUpperCase(Locale.ROOT);
        Ranges.check("--updates-per-second", rate, 1, UPDATES_PER_SECOND_MAX);
        Ranges.check("--seconds", measuredS, 1, 3_600);
        if (!List.of("", "SHARED", "DEDICATED").contains(mode)) {
            throw CommandFailure.badInput("--threading: no such choice: " + threading + " (use shared or dedicated)");
        }
        json.field("seconds", measuredS);
        new LoadedRun(rowCount, rate, measuredS, mode, directory).run(json);
    }

    /** What is only for queries of a broker at rest is refused elsewhere. */
    private void checkTogether() {
        final String other = isStore ? "--store" : updatesPerSecond != null ? "--updates-per-second" : "";
        if (isStore && updatesPerSecond != null) {
            throw CommandFailure.badInput("--store: there is no broker to update (leave out --updates-per-second)");
        }
        for (final String name : RowsOptions.NAMES) {
            if (!other.isEmpty() && spec.commandLine().getParseResult().hasMatchedOption(name)) {
                throw CommandFailure.badInput(name + ": does not go with " + other + " (leave one out)");
            }
        }
    }
}
