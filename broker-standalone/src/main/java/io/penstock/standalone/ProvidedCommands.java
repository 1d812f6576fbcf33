package io.penstock.standalone;

import java.util.ServiceConfigurationError;
import picocli.CommandLine;
import picocli.CommandLine.PicocliException;

/** Commands of other jars, and what stands in for the benchmarks while their jar is not there. */
final class ProvidedCommands {
    /** Comes after all others. */
    private static final String HELP = "help";

    private ProvidedCommands() {}

    /**
     * Adds them.
     *
     * @param line      to add them to.
     * @param providers of this class path.
     */
    static void addTo(final CommandLine line, final Iterable<CommandProvider> providers) {
        String reason = MissingBench.NOT_FOUND;
        try {
            for (final CommandProvider provider : providers) {
                for (final Class<?> command : provider.commands()) {
                    add(line, new CommandLine(command, line.getFactory()));
                }
            }
        } catch (final ServiceConfigurationError | LinkageError | PicocliException e) {
            // A jar of another version. Commands that do not need it go on.
            reason = MissingBench.doesNotFit(e);
        }
        if (!line.getSubcommands().containsKey(MissingBench.NAME)) {
            line.addSubcommand(new CommandLine(new MissingBench(reason)).setUnmatchedArgumentsAllowed(true));
        }
    }

    /** Refuses a name that is taken before picocli does, which puts the new command in place of the old one first. */
    private static void add(final CommandLine line, final CommandLine command) {
        for (final String name : command.getCommandSpec().names()) {
            if (Commands.find(name) != null || line.getSubcommands().containsKey(name) || name.equals(HELP)) {
                throw new PicocliException("command: there is one of that name: " + name);
            }
        }
        line.addSubcommand(command);
    }
}
