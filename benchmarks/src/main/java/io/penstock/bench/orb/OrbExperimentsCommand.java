package io.penstock.bench.orb;

import io.penstock.bench.option.Ranges;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Two experiments with calls: what a staging buffer costs, and how few connections many threads need. */
@Command(
        name = "orb-experiments",
        mixinStandardHelpOptions = true,
        description = {
            "staging: large arrays through buffers of 1KiB, 4KiB, 64KiB and 1MiB, by RMI and by CORBA.",
            "connections: 500 threads over at most 1, 10, 25 and 500 connections, by RMI and by CORBA. The steps"
                    + " of one stack are measured in turn. ./penstock bench orb-experiments, from the sources,"
                    + " builds what it needs."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock bench orb-experiments --output charts # both, as JSON and as charts",
            "  penstock bench orb-experiments staging --rounds 5"
        })
public final class OrbExperimentsCommand implements Callable<Integer> {
    private static final String STAGING = "staging";
    private static final String CONNECTIONS = "connections";
    private static final int NAME_WIDTH = 30;
    private static final int[] STEP_WIDTHS = {15};
    private static final int SOME_THREADS = 10;
    private static final long CELL_WARM_UP_MS = 200;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAME",
            description = "staging or connections (default: both).")
    private @Nullable String name;

    @Mixin
    private OrbPrograms programs;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            defaultValue = "15",
            description =
                    "Seconds after which something counts as warm even if it still gets faster, 0 to 600 (default:"
                            + " 15).")
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
            description = "Whose medians count, 1 to 100 (default: 5).")
    private int rounds;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Write orb-staging and orb-connections there, each as .json and as .svg.")
    private @Nullable Path output;

    @Option(names = "--json", description = "One JSON object a line, at once.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Ranges.check("--ms", ms, 10, 60_000);
        Ranges.check("--rounds", rounds, 1, 100);
        Ranges.check("--warm-up", warmUpSeconds, 0, 600);
        if (name != null && !name.equals(STAGING) && !name.equals(CONNECTIONS)) {
            throw CommandFailure.badInput(name + ": no such experiment (use staging or connections)");
        }
        programs.check();
        if (output != null) {
            Files.createDirectories(output);
        }
        boolean hasFailed = false;
        for (final Experiment each : experiments()) {
            hasFailed |= !run(each);
        }
        return hasFailed ? Main.EXIT_FAILED : Main.EXIT_OK;
    }

    private List<Experiment> experiments() {
        final List<Experiment> experiments = new ArrayList<>();
        if (name == null || name.equals(STAGING)) {
            experiments.add(Experiment.staging(programs, SOME_THREADS));
        }
        if (name == null || name.equals(CONNECTIONS)) {
            experiments.add(Experiment.connections(programs));
        }
        return experiments;
    }

    /** True when nothing has failed. */
    private boolean run(final Experiment experiment) throws IOException, InterruptedException {
        final Map<Experiment.Place, CellFigures> results = new LinkedHashMap<>();
        final List<String> lines = new ArrayList<>();
        print(header(experiment));
        for (final Experiment.Series series : experiment.series()) {
            try (CellProgress progress = new CellProgress();
                    Subjects<Step> subjects = new Subjects<>(
                            step -> series.setups().get(step.number()),
                            experiment.cells(),
                            Patience.usual(warmUpSeconds),
                            progress)) {
                for (final Cell cell : experiment.cells()) {
                    final List<CellFigures> figures = measure(experiment, series, cell, subjects, progress);
                    progress.clear();
                    for (int step = 0; step < figures.size(); step++) {
                        results.put(new Experiment.Place(series.name(), step, cell), figures.get(step));
                        lines.add(json(experiment, series, step, figures.get(step)));
                        print(isJson ? lines.get(lines.size() - 1) : row(experiment, series, step, figures.get(step)));
                    }
                }
            }
        }
        if (output != null) {
            final String file = "orb-" + experiment.id();
            Files.writeString(output.resolve(file + ".json"), "[\n" + String.join(",\n", lines) + "\n]\n");
            Files.writeString(
                    output.resolve(file + ".svg"), experiment.chart(results).svg());
        }
        return results.values().stream().allMatch(each -> each.failure() == null);
    }

    /** All steps in turn, there and back. */
    private List<CellFigures> measure(
            final Experiment experiment,
            final Experiment.Series series,
            final Cell cell,
            final Subjects<Step> subjects,
            final CellProgress progress)
            throws InterruptedException {
        final int stepCount = series.setups().size();
        final List<CellFigures> figures = IntStream.range(0, stepCount)
                .mapToObj(step -> new CellFigures(cell, series.name(), null))
                .toList();
        for (int number = 0; number < stepCount; number++) {
            try {
                subjects.start(new Step(series.name(), stepTitle(experiment, series, number), number));
            } catch (final MeasureFailure e) {
                figures.get(number).fail(e.reason());
            }
        }
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < stepCount; i++) {
                final int number = round % 2 == 0 ? i : stepCount - 1 - i;
                final Step step = new Step(series.name(), stepTitle(experiment, series, number), number);
                if (figures.get(number).failure() == null) {
                    progress.say(cell + ", round " + (round + 1) + " of " + rounds + ": " + step);
                    try {
                        figures.get(number).add(subjects.measure(step, cell, CELL_WARM_UP_MS, ms));
                    } catch (final MeasureFailure e) {
                        figures.get(number).fail(e.reason());
                    }
                }
            }
        }
        figures.forEach(CellFigures::judge);
        return figures;
    }

    /** One series at one step. */
    private record Step(String series, String title, int number) {
        @Override
        public String toString() {
            return series + ", " + title;
        }
    }

    private static String stepTitle(final Experiment experiment, final Experiment.Series series, final int step) {
        return series.setups().size() == 1 ? "any" : experiment.steps().get(step);
    }

    private void print(final String line) {
        if (!line.isEmpty()) {
            final PrintWriter out = spec.commandLine().getOut();
            out.println(line);
            out.flush();
        }
    }

    private String header(final Experiment experiment) {
        return isJson
                ? ""
                : CellLine.left(experiment.id().toUpperCase(Locale.ROOT), NAME_WIDTH)
                        + CellLine.right(STEP_WIDTHS, experiment.stepField().toUpperCase(Locale.ROOT))
                        + "  "
                        + CellLine.figureHeader();
    }

    private static String row(
            final Experiment experiment, final Experiment.Series series, final int step, final CellFigures figures) {
        return CellLine.left(series.name(), NAME_WIDTH)
                + CellLine.right(STEP_WIDTHS, stepTitle(experiment, series, step))
                + "  "
                + CellLine.figureRow(figures);
    }

    private static String json(
            final Experiment experiment, final Experiment.Series series, final int step, final CellFigures figures) {
        final Json json = new Json()
                .field("experiment", experiment.id())
                .field("stack", series.name())
                .field(experiment.stepField(), stepTitle(experiment, series, step));
        return CellLine.add(json, figures).end();
    }
}
