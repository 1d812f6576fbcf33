package io.penstock.standalone.columns;

import io.penstock.standalone.Main;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code penstock columns}: the columns of a broker's topics. */
@Command(
        name = "columns",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the columns of topics with state, or drops some, by the broker's admin server.",
            "A column has the values of one field, so that queries by this field need not read the records. The broker"
                    + " makes those that topics.columns names; queries make the others."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock columns list              # of all topics",
            "  penstock columns drop orders price # frees the memory of one"
        },
        subcommands = {ColumnsListCommand.class, ColumnsDropCommand.class})
public final class ColumnsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public ColumnsCommand() {}

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Main.EXIT_USAGE;
    }
}
