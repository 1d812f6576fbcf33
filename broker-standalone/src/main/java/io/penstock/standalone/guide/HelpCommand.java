package io.penstock.standalone.guide;

import io.penstock.standalone.Main;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what {@code --help} of a command prints. */
@Command(
        name = "help",
        mixinStandardHelpOptions = true,
        description = "Prints the help of a command, as its --help does.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock help publish    # of a command", //
            "  penstock help topic info # of a command within one"
        })
public final class HelpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "COMMAND",
            arity = "0..2",
            description = "Whose help to print, of a command within a command both words (default: that of penstock).")
    private List<String> words = List.of();

    /** Made by the command line. */
    public HelpCommand() {}

    @Override
    public Integer call() {
        final CommandLine commands = spec.root().commandLine();
        CommandWords.find(commands, words).usage(spec.commandLine().getOut());
        return Main.EXIT_OK;
    }
}
