package io.penstock.standalone.guide;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Nearest;
import java.util.List;
import picocli.CommandLine;

/** Finds commands by their words. */
final class CommandWords {
    private CommandWords() {}

    /**
     * Finds a command.
     *
     * @param commands to look in.
     * @param words    of a command, or of a command within one; of none for all commands.
     * @return the command.
     * @throws CommandFailure when there is none of that name.
     */
    static CommandLine find(final CommandLine commands, final List<String> words) {
        CommandLine found = commands;
        for (final String word : words) {
            final CommandLine inner = found.getSubcommands().get(word);
            if (inner == null) {
                final List<String> near =
                        Nearest.of(word, found.getSubcommands().keySet());
                throw CommandFailure.badInput("no such command: " + String.join(" ", words) + " ("
                        + (near.isEmpty()
                                ? "see " + found.getCommandSpec().qualifiedName() + " --help"
                                : "did you mean " + String.join(" or ", near) + "?")
                        + ")");
            }
            found = inner;
        }
        return found;
    }
}
