package io.penstock.bench.state;

import io.penstock.bench.BenchTable;
import io.penstock.bench.ScratchDirectory;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what keeps and queries the state. */
@Command(
        name = "state",
        mixinStandardHelpOptions = true,
        description = {
            "Loads orders of about 190 bytes into a store of this process, looks them up, queries and updates"
                    + " them, each beside a plain Java loop over the same rows in the same round, and the scan"
                    + " also beside its filter alone over documents in the cache.",
            "Answers are compared. Prints the medians of the rounds, and of their ratios.",
            "",
            "With --updates-per-second a broker of this process is queried while its rows are updated at that"
                    + " pace, by a rule from which every answer follows; a wrong one fails the run. Also prints"
                    + " how long the duty cycles of the thread that sequences are, in its CPU time."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench state                         # a million rows",
            "  penstock bench state --rows 10000000 --json  # ten million; takes about 3 GB of memory",
            "  penstock bench state --rows 20000 --rounds 1 # only to see that it works",
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

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--rows", rowCount, ROW_COUNT_MIN, ROW_COUNT_MAX);
        if (rowCount * StoredRows.ROW_LENGTH_MAX > Machine.memoryLength()) {
            throw CommandFailure.badInput("--rows: more than fit into the memory of this machine: " + rowCount
                    + " (use " + Machine.memoryLength() / StoredRows.ROW_LENGTH_MAX + " or fewer)");
        }
        final Json json = Machine.describe(new Json().field("rows", rowCount));
        if (updatesPerSecond == null) {
            runStore(json);
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
        final PrintWriter out = spec.commandLine().getOut();
        out.print(isJson ? object + System.lineSeparator() : BenchTable.of(object));
        out.flush();
        return Main.EXIT_OK;
    }

    private void runStore(final Json json) throws InterruptedException {
        if (seconds != null || threading != null || journal != null) {
            throw CommandFailure.badInput(
                    (seconds != null ? "--seconds" : threading != null ? "--threading" : "--journal")
                            + ": nothing is timed so (give --updates-per-second too, or leave it out)");
        }
        final int roundCount = rounds == null ? ROUNDS : rounds;
        check("--rounds", roundCount, 1, 100);
        json.field("rounds", roundCount);
        try (StoreRun run = new StoreRun(rowCount, roundCount)) {
            run.run(json);
        }
    }

    private void runBroker(final int rate, final String directory, final Json json) throws InterruptedException {
        if (rounds != null) {
            throw CommandFailure.badInput("--rounds: there is one round with --updates-per-second (give --seconds)");
        }
        final int measuredS = seconds == null ? SECONDS : seconds;
        final String mode = threading == null ? "" : threading.toUpperCase(Locale.ROOT);
        check("--updates-per-second", rate, 1, UPDATES_PER_SECOND_MAX);
        check("--seconds", measuredS, 1, 3_600);
        if (!List.of("", "SHARED", "DEDICATED").contains(mode)) {
            throw CommandFailure.badInput("--threading: no such choice: " + threading + " (use shared or dedicated)");
        }
        json.field("seconds", measuredS);
        new LoadedRun(rowCount, rate, measuredS, mode, directory).run(json);
    }

    private static void check(final String option, final int value, final int min, final int max) {
        if (value < min || value > max) {
            throw CommandFailure.badInput(option + ": out of range: " + value + " (use " + min + " to " + max + ")");
        }
    }
}
