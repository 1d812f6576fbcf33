package io.penstock.bench.figure;

import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a curve. Owned by the command's thread. */
public final class CurveOptions {
    @Option(
            names = "--curve",
            paramLabel = "NAME",
            description =
                    "Measure in steps of one thing. Of bench state: rows (1000, 10000 … up to --rows), selectivity"
                            + " (0.01 %% to 100 %% of the rows found), or queries (1, 2, 4 … 64 at once). Of bench match:"
                            + " filters (1, 10, 100 … up to --subscriptions).")
    private @Nullable String name;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "With --curve: a directory; figures are written there as .json, and a chart of them as .svg.")
    private @Nullable Path output;

    /** Made by the command line. */
    public CurveOptions() {}

    /**
     * Which curve is asked for.
     *
     * @param known all there are.
     * @return its name; null for none.
     */
    public @Nullable String name(final List<String> known) {
        if (name == null && output != null) {
            throw CommandFailure.badInput("--output: there is no chart (give --curve)");
        }
        if (name != null && !known.contains(name)) {
            throw CommandFailure.badInput(
                    "--curve: no such choice: " + name + " (use " + String.join(", ", known) + ")");
        }
        return name;
    }

    /**
     * Writes it, if that is asked for.
     *
     * @param curve that was measured.
     * @param json  the whole object.
     * @throws IOException when it cannot be written.
     */
    public void write(final Curve curve, final String json) throws IOException {
        if (output != null) {
            curve.write(output, json);
        }
    }
}
