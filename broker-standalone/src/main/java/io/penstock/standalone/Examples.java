package io.penstock.standalone;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Examples of help are lines for a shell: they stay whole on terminals that are narrower. */
final class Examples {
    private Examples() {}

    /** Keeps those of a command whole, and of all commands within it. */
    static void keepWhole(final CommandLine command) {
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER, Examples::lines);
        command.getSubcommands().values().forEach(Examples::keepWhole);
    }

    private static String lines(final Help help) {
        return Stream.of(help.commandSpec().usageMessage().footer())
                .map(line -> line.formatted() + System.lineSeparator())
                .collect(Collectors.joining());
    }
}
