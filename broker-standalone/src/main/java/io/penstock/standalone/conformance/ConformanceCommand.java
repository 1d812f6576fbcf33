package io.penstock.standalone.conformance;

import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock conformance}: runs files of filter cases. */
@Command(
        name = "conformance",
        mixinStandardHelpOptions = true,
        description = {
            "Runs filter cases and lists those that fail.",
            "A file holds an object with cases, or with decisions that override what cases of tier"
                    + " 'choice' expect. Cases of tier 'core' and 'sql' have to pass."
        },
        footerHeading = "%nExamples:%n",
        footer = "  penstock conformance cases.json decisions.json",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all core and sql cases passed", "1:one failed", "2:a file is wrong"})
public final class ConformanceCommand implements Callable<Integer> {
    private static final int EXIT_OK = 0;
    private static final int EXIT_FAILED = 1;

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "JSON files of cases and decisions.")
    private List<Path> files = List.of();

    /** Made by the command line. */
    public ConformanceCommand() {}

    @Override
    public Integer call() {
        final ConformanceRunner runner = new ConformanceRunner();
        for (final Path file : files) {
            try {
                runner.read(file);
            } catch (final IOException e) {
                throw CommandFailure.badInput("cannot read cases: " + e.getMessage());
            }
        }
        final PrintWriter out = spec.commandLine().getOut();
        return runner.run(out) ? EXIT_OK : EXIT_FAILED;
    }
}
