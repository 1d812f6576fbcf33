package io.penstock.standalone.bench.orb;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.config.ByteCount;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import io.penstock.standalone.console.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures calls of the bridge. */
@Command(
        name = "orb",
        mixinStandardHelpOptions = true,
        description = {
            "Calls the bridge by RMI, as the JDK has it and over the connections of a pool, and beside it a server of the",
            "JDK's plain RMI with the same contract, in turn, in processes of their own: echo, which the bridge answers"
                    + " itself,",
            "and publish, which the broker answers. A cell is an operation, a number of threads that call, and a size."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench orb                                         all cells, five rounds",
            "  penstock bench orb --quick                                 shorter",
            "  penstock bench orb --full                                  five rounds of two seconds",
            "  penstock bench orb --operations echo --threads 500 --sizes 64KiB --rounds 5"
        })
public final class OrbBenchCommand implements Callable<Integer> {
    private static final String THREADS = "1,10,100,500";
    private static final String SIZES = "1KiB,64KiB,1MiB";
    private static final int THREAD_COUNT_MAX = 1_000;
    private static final int LENGTH_MAX = 16 << 20;
    private static final long WARM_UP_MS = 300;
    private static final long FIRST_WARM_UP_MS = 1_500;
    private static final int MANY_THREADS = 500;
    private static final int SHORT_LENGTH = 64 << 10;

    @Spec
    private CommandSpec spec;

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

    @Option(names = "--quick", description = "Five rounds of 500 ms.")
    private boolean isQuick;

    @Option(names = "--full", description = "Five rounds of 2 s.")
    private boolean isFull;

    @Option(names = "--json", description = "One JSON object a line; the last one is of all cells together.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--ms", ms, 10, 60_000);
        check("--rounds", rounds, 1, 100);
        if (isQuick && isFull) {
            throw CommandFailure.badInput("--quick: goes not with --full (leave one out)");
        }
        final List<Cell> cells = cells();
        final List<CellFigures> figures = new ArrayList<>();
        final Map<Subject.Kind, Subject> subjects = new EnumMap<>(Subject.Kind.class);
        try (ProgressLine progress = ProgressLine.onErr()) {
            for (final Subject.Kind kind : Subject.Kind.values()) {
                subjects.put(kind, Subject.start(kind));
            }
            for (final Cell each : cells) {
                figures.addAll(measure(each, subjects, progress));
            }
        } finally {
            subjects.values().forEach(Subject::close);
        }
        print(figures);
        return Main.EXIT_OK;
    }

    private List<Cell> cells() {
        final List<Cell> cells = new ArrayList<>();
        // Few threads first: the runtime keeps connections of many for a while.
        for (final String count : threads.split(",", -1)) {
            final long threadCount = ByteCount.parse("--threads", count);
            check("--threads", threadCount, 1, THREAD_COUNT_MAX);
            for (final String operation : operations.split(",", -1)) {
                if (!operation.equals(Cell.ECHO) && !operation.equals(Cell.PUBLISH)) {
                    throw CommandFailure.badInput(
                            "--operations: no such choice: " + operation + " (use echo, publish or both)");
                }
                for (final String size : sizes.split(",", -1)) {
                    final long length = ByteCount.parse("--sizes", size);
                    check("--sizes", length, 1 << 10, LENGTH_MAX);
                    cells.add(new Cell(operation, (int) threadCount, (int) length));
                }
            }
        }
        return cells;
    }

    private List<CellFigures> measure(
            final Cell cell, final Map<Subject.Kind, Subject> subjects, final ProgressLine progress)
            throws IOException, InterruptedException {
        final List<CellFigures> figures = new ArrayList<>();
        for (final Subject.Kind kind : Subject.Kind.values()) {
            if (kind != Subject.Kind.PLAIN) {
                figures.add(new CellFigures(cell, kind));
            }
        }
        final int roundCount = isFull || isQuick ? 5 : rounds;
        for (int round = 0; round < roundCount; round++) {
            progress.draw(cell + ", round " + (round + 1) + " of " + roundCount);
            final Map<Subject.Kind, Subject.Result> results = new EnumMap<>(Subject.Kind.class);
            final Subject.Kind[] kinds = Subject.Kind.values();
            for (int i = 0; i < kinds.length; i++) {
                // There and back, and from another one on, so that nobody is always the first.
                final int place = round % 2 == 0 ? i : kinds.length - 1 - i;
                final Subject.Kind kind = kinds[(place + round / 2) % kinds.length];
                results.put(
                        kind,
                        of(subjects, kind).measure(cell, round == 0 ? FIRST_WARM_UP_MS : WARM_UP_MS, measuredMs()));
            }
            for (final CellFigures each : figures) {
                each.add(of(results, each.kind()), of(results, Subject.Kind.PLAIN));
            }
        }
        return figures;
    }

    private static <T> T of(final Map<Subject.Kind, T> map, final Subject.Kind kind) {
        return Objects.requireNonNull(map.get(kind));
    }

    private long measuredMs() {
        return isFull ? 2_000 : isQuick ? 500 : ms;
    }

    private void print(final List<CellFigures> figures) {
        final PrintWriter out = spec.commandLine().getOut();
        final Table table = new Table();
        for (final CellFigures each : figures) {
            if (isJson) {
                out.println(each.json());
            } else {
                table.add(each.json());
            }
        }
        table.lines().forEach(out::println);
        final String together = together(figures);
        if (isJson) {
            out.println(together);
        } else {
            final Table sums = new Table();
            sums.add(together);
            out.println();
            sums.lines().forEach(out::println);
            out.printf(
                    "%d CPUs; ratio: calls beside those of plain RMI in the same round, median; mb_per_s: payload one"
                            + " way%n",
                    Runtime.getRuntime().availableProcessors());
        }
        out.flush();
    }

    /** The geometric mean of the cells of each kind, the worst cell, and the tail where it counts. */
    private static String together(final List<CellFigures> figures) {
        double worst = Double.MAX_VALUE;
        double tail = Double.NaN;
        for (final CellFigures each : figures) {
            worst = Math.min(worst, each.ratioBest());
            if (each.kind() == Subject.Kind.RMI_POOLED
                    && each.cell().threadCount() == MANY_THREADS
                    && each.cell().length() <= SHORT_LENGTH) {
                tail = Double.isNaN(tail) ? each.p99Ratio() : Math.max(tail, each.p99Ratio());
            }
        }
        final Json json = new Json();
        for (final Subject.Kind kind : Subject.Kind.values()) {
            if (kind != Subject.Kind.PLAIN) {
                json.field(kind.id() + "_ratio_geometric_mean", mean(figures, kind));
            }
        }
        return json.field("ratio_best_quartile_min", worst)
                .field("pooled_p99_ratio_at_500_max", tail)
                .end();
    }

    private static double mean(final List<CellFigures> figures, final Subject.Kind kind) {
        return Math.exp(figures.stream()
                .filter(each -> each.kind() == kind)
                .mapToDouble(each -> Math.log(each.ratio()))
                .average()
                .orElse(Double.NaN));
    }

    private static void check(final String option, final long value, final long min, final long max) {
        if (value < min || value > max) {
            throw CommandFailure.badInput(option + ": out of range: " + value + " (use " + min + " to " + max + ")");
        }
    }
}
