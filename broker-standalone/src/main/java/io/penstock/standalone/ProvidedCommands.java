package io.penstock.standalone;

import java.util.ServiceConfigurationError;
import picocli.CommandLine;
import picocli.CommandLine.PicocliException;

/** Commands of other jars, and what stands in for the benchmarks while their jar is not there. */
final class ProvidedCommands {
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
                provider.commands().forEach(line::addSubcommand);
            }
        } catch (final ServiceConfigurationError | LinkageError | PicocliException e) {
            // A jar of another version. Commands that do not need it go on.
            reason = MissingBench.doesNotFit(e);
        }
        if (!line.getSubcommands().containsKey(MissingBench.NAME)) {
            line.addSubcommand(new CommandLine(new MissingBench(reason)).setUnmatchedArgumentsAllowed(true));
        }
    }
}
