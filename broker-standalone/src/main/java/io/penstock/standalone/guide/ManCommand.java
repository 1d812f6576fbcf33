package io.penstock.standalone.guide;

import io.penstock.file.FileErrors;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes pages for {@code man}. */
@Command(
        name = "man",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the page of a command for man(1), or writes those of all commands.",
            "The pages say what --help says."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock man publish | man -l -                  # reads one",
            "  penstock man --directory ~/.local/share/man/man1 # then: man penstock-publish"
        })
public final class ManCommand implements Callable<Integer> {
    private static final String HELP = "help";

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "COMMAND",
            arity = "0..2",
            description = "Whose page to print, of a command within a command both words (default: that of penstock).")
    private List<String> words = List.of();

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Write all pages to this directory, and print none.")
    private @Nullable Path directory;

    /** Made by the command line. */
    public ManCommand() {}

    @Override
    public Integer call() {
        final CommandLine commands = Main.commandLine();
        if (directory == null) {
            final PrintWriter out = spec.commandLine().getOut();
            out.print(ManPage.of(CommandWords.find(commands, words)));
            out.flush();
            return Main.EXIT_OK;
        }
        if (!words.isEmpty()) {
            throw CommandFailure.badInput(
                    "--directory: is for the pages of all commands (leave out " + String.join(" ", words) + ")");
        }
        try {
            Files.createDirectories(directory);
            write(directory, commands);
        } catch (final IOException e) {
            throw CommandFailure.failed(
                    directory + ": cannot be written: " + FileErrors.reasonOf(e) + " (give a directory of yours)");
        }
        return Main.EXIT_OK;
    }

    private static void write(final Path directory, final CommandLine command) throws IOException {
        Files.writeString(directory.resolve(ManPage.name(command) + ".1"), ManPage.of(command));
        for (final var inner : command.getSubcommands().entrySet()) {
            if (!inner.getKey().equals(HELP)
                    && !inner.getValue().getCommandSpec().usageMessage().hidden()) {
                write(directory, inner.getValue());
            }
        }
    }
}
