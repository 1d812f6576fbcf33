package io.penstock.bench.orb;

import io.penstock.bench.option.Ranges;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.config.ByteCount;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures calls of the bridge. */
@Command(
        name = "orb",
        mixinStandardHelpOptions = true,
        description = {
            "Calls the bridge by RMI, as the JDK has it and over the connections of a pool, beside a server of"
                    + " the JDK's plain RMI with the same contract; and by omniORB, beside GlassFish's ORB with"
                    + " that contract: in turn, in processes of their own. echo is answered by the bridge itself,"
                    + " publish by the broker.",
            "A cell is an operation, a number of threads that call, and a size. ./penstock bench orb, from the"
                    + " sources, builds what calls and serves by CORBA."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench orb                # all cells, five rounds of a second",
            "  penstock bench orb --quick --json # shorter rounds, for 8 minutes at most",
            "  penstock bench orb --full         # five rounds of two seconds",
            "  penstock bench orb --kinds rmi_pooled --operations echo --threads 500 --sizes 64KiB"
        })
public final class OrbBenchCommand implements Callable<Integer> {
    private static final String THREADS = "1,10,100,500";
    private static final String SIZES = "1KiB,64KiB,1MiB";
    private static final int THREAD_COUNT_MAX = 1_000;
    private static final int LENGTH_MAX = 16 << 20;
    private static final long WARM_UP_MS = 100;
    private static final long FIRST_WARM_UP_MS = 300;
    private static final int QUICK_MS = 300;
    private static final int FULL_MS = 2_000;
    private static final int PAIR_COUNT = 5;
    /** Half a minute less than is promised: for what ends slowly or is started again. */
    private static final long QUICK_LIMIT_MS = 450_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--kinds",
            paramLabel = "NAMES",
            description =
                    "rmi, rmi_pooled and iiop, with commas (default: all; iiop only with --omniorb and --glassfish).")
    private @Nullable String kinds;

    @Option(
            names = "--operations",
            paramLabel = "NAMES",
            defaultValue = "echo,publish",
            description = "echo, publish, or both with a comma between them (default: both).")
    private String operations;

    @Option(
            names = "--threads",
            paramLabel = "NUMBERS",
            defaultValue = THREADS,
            description = "Threads that call, with commas, each 1 to 1000 (default: " + THREADS + ").")
    private String threads;

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            defaultValue = SIZES,
            description = "Lengths of payloads, with commas, each 1KiB to 16MiB (default: " + SIZES + ").")
    private String sizes;

    @Mixin
    private OrbPrograms programs;

    @Option(
            names = "--omniorb-connections",
            paramLabel = "N",
            defaultValue = "0",
            description = "Of omniORB to a server at most, 1 to 1000 (default: its own default).")
    private int omniorbConnections;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            defaultValue = "15",
            description =
                    "Seconds after which a kind counts as warm even if it still gets faster, 0 to 600 (default: 15).")
    private int warmUpSeconds;

    @Option(
            names = "--ms",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Measured time of each in milliseconds, 10 to 60000 (default: 1000).")
    private long ms;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Of each cell, 1 to 100 (default: 5).")
    private int rounds;

    @Option(
            names = "--quick",
            description =
                    "Rounds of " + QUICK_MS + " ms: five, or fewer of some cells, so that all end within 8 minutes.")
    private boolean isQuick;

    @Option(names = "--full", description = "Five rounds of " + FULL_MS + " ms.")
    private boolean isFull;

    @Option(names = "--json", description = "One JSON object a line, at once; the last one is of all cells together.")
    private boolean isJson;

    @Override
    public Integer call() throws InterruptedException {
        Ranges.check("--ms", ms, 10, 60_000);
        Ranges.check("--rounds", rounds, 1, 100);
        Ranges.check("--warm-up", warmUpSeconds, 0, 600);
        Ranges.check("--omniorb-connections", omniorbConnections, 0, 1_000);
        if (isQuick && isFull) {
            throw CommandFailure.badInput("--quick: goes not with --full (leave one out)");
        }
        for (final String each : isQuick || isFull ? List.of("--ms", "--rounds") : List.<String>of()) {
            if (spec.commandLine().getParseResult().hasMatchedOption(each)) {
                throw CommandFailure.badInput(
                        (isQuick ? "--quick" : "--full") + ": goes not with " + each + " (leave one out)");
            }
        }
        programs.check();
        final List<Cell> cells = cells();
        final Set<Kind> measured = kinds();
        final Summary summary = new Summary();
        final Patience patience = isQuick ? Patience.quick(warmUpSeconds) : Patience.usual(warmUpSeconds);
        final RoundBudget budget = new RoundBudget(
                cells,
                measured.size(),
                FIRST_WARM_UP_MS + measuredMs(),
                patience.firstCallsMs(),
                isQuick ? QUICK_LIMIT_MS : Long.MAX_VALUE);
        final long startNs = System.nanoTime();
        try (CellProgress progress = new CellProgress();
                Subjects<Kind> subjects =
                        new Subjects<>(each -> each.setup(programs, omniorbConnections), cells, patience, progress)) {
            for (final Cell each : cells) {
                for (final CellFigures figures :
                        measure(each, measured, subjects, progress, summary, budget, startNs)) {
                    summary.add(figures);
                    progress.clear();
                    print(figures, summary.isFirst(figures));
                }
            }
        }
        print(summary);
        return summary.failedCount() == 0 ? Main.EXIT_OK : Main.EXIT_FAILED;
    }

    private List<Cell> cells() {
        final List<Cell> cells = new ArrayList<>();
        // Few threads first: the runtime keeps connections of many for a while.
        for (final String count : threads.split(",", -1)) {
            final long threadCount = ByteCount.parse("--threads", count);
            Ranges.check("--threads", threadCount, 1, THREAD_COUNT_MAX);
            for (final String operation : operations.split(",", -1)) {
                if (!operation.equals(Cell.ECHO) && !operation.equals(Cell.PUBLISH)) {
                    throw CommandFailure.badInput(
                            "--operations: no such choice: " + operation + " (use echo, publish or both)");
                }
                for (final String size : sizes.split(",", -1)) {
                    final long length = ByteCount.parse("--sizes", size);
                    Ranges.check("--sizes", length, 1 << 10, LENGTH_MAX);
                    cells.add(new Cell(operation, (int) threadCount, (int) length));
                }
            }
        }
        return cells;
    }

    /** Those that are asked for, and what they are compared with. */
    private Set<Kind> kinds() {
        final Set<Kind> chosen = EnumSet.noneOf(Kind.class);
        final String missing = programs.missing();
        if (kinds == null && missing != null) {
            spec.commandLine().getErr().println("bench orb: iiop is left out: " + missing);
        }
        final String names = kinds != null ? kinds : missing == null ? "rmi,rmi_pooled,iiop" : "rmi,rmi_pooled";
        for (final String name : names.split(",", -1)) {
            final Kind kind = Kind.compared(name);
            if (kind == null) {
                throw CommandFailure.badInput("--kinds: no such choice: " + name + " (use rmi, rmi_pooled or iiop)");
            }
            if (kind == Kind.IIOP && missing != null) {
                throw CommandFailure.badInput(missing);
            }
            chosen.add(kind);
            chosen.add(Objects.requireNonNull(kind.beside()));
        }
        return chosen;
    }

    private List<CellFigures> measure(
            final Cell cell,
            final Set<Kind> kinds,
            final Subjects<Kind> subjects,
            final CellProgress progress,
            final Summary summary,
            final RoundBudget budget,
            final long startNs)
            throws InterruptedException {
        final Map<Kind, CellFigures> figures = new EnumMap<>(Kind.class);
        for (final Kind each : kinds) {
            // A kind that others are compared with comes before them.
            figures.put(
                    each, new CellFigures(cell, each.id(), each.beside() == null ? null : figures.get(each.beside())));
        }
        for (final Kind each : kinds) {
            try {
                subjects.start(each);
            } catch (final MeasureFailure e) {
                Objects.requireNonNull(figures.get(each)).fail(e.reason());
            }
        }
        final int roundCount = isFull || isQuick ? PAIR_COUNT : rounds;
        for (int round = 0; round < roundCount; round++) {
            if (round > 0 && !budget.allows(cell, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs))) {
                summary.leaveOut(roundCount - round);
                break;
            }
            for (final Kind each : Kind.order(kinds, round)) {
                final CellFigures of = Objects.requireNonNull(figures.get(each));
                if (of.failure() == null) {
                    progress.say(cell + ", round " + (round + 1) + " of " + roundCount + ": " + each.id());
                    try {
                        of.add(subjects.measure(each, cell, round == 0 ? FIRST_WARM_UP_MS : WARM_UP_MS, measuredMs()));
                    } catch (final MeasureFailure e) {
                        of.fail(e.reason());
                    }
                }
            }
        }
        figures.values().forEach(CellFigures::judge);
        return List.copyOf(figures.values());
    }

    private long measuredMs() {
        return isFull ? FULL_MS : isQuick ? QUICK_MS : ms;
    }

    private void print(final CellFigures figures, final boolean isFirst) {
        final PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(CellLine.json(figures));
        } else {
            if (isFirst) {
                out.println(CellLine.header());
            }
            out.println(CellLine.row(figures));
        }
        out.flush();
    }

    private void print(final Summary summary) {
        final PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            out.println(summary.json());
        } else {
            out.println();
            summary.lines().forEach(out::println);
            out.printf(
                    "%d CPUs; ratio: calls beside plain's or glassfish's in the same round, median; best: best quartile;"
                            + " p99: likewise, median; mb/s: payload one way%n",
                    Runtime.getRuntime().availableProcessors());
        }
        out.flush();
    }
}
