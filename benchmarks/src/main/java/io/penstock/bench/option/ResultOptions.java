package io.penstock.bench.option;

import io.penstock.bench.BenchTable;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How a command prints what it has measured: as a table, or as it is. Owned by the command's thread. */
public final class ResultOptions {
    @Option(names = "--json", description = "Print one JSON object.")
    private boolean isJson;

    /** Made by the command line. */
    public ResultOptions() {}

    /**
     * Prints what was measured.
     *
     * @param spec   of the command.
     * @param object of JSON.
     * @throws IOException when that is none.
     */
    public void print(final CommandSpec spec, final String object) throws IOException {
        final PrintWriter out = spec.commandLine().getOut();
        out.print(isJson ? object + System.lineSeparator() : BenchTable.of(object));
        out.flush();
    }
}
