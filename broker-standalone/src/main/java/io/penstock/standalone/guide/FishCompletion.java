package io.penstock.standalone.guide;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Completion for fish. */
final class FishCompletion {
    /** The words before the cursor begin with the given ones, or are just these. Commands come before all options. */
    private static final String FUNCTIONS = """
            # Completion of PROGRAM for fish.
            function __PROGRAM_in
                set -l words (commandline -opc)
                set -e words[1]
                test (count $words) -ge (count $argv); or return 1
                set -l i 1
                for word in $argv
                    test "$words[$i]" = "$word"; or return 1
                    set i (math $i + 1)
                end
            end
            function __PROGRAM_at
                set -l words (commandline -opc)
                set -e words[1]
                test (count $words) -eq (count $argv); and __PROGRAM_in $argv
            end
            complete -c PROGRAM -f -n __PROGRAM_at
            """;

    private final String name;
    private final StringBuilder script = new StringBuilder();

    private FishCompletion(final String name) {
        this.name = name;
    }

    /**
     * The script.
     *
     * @param name     of the program.
     * @param commands of it.
     */
    static String of(final String name, final CommandLine commands) {
        final FishCompletion completion = new FishCompletion(name);
        completion.script.append(FUNCTIONS.replace("PROGRAM", name));
        completion.add(List.of(), commands);
        return completion.script.toString();
    }

    private void add(final List<String> path, final CommandLine command) {
        final String within = String.join(" ", path);
        for (final OptionSpec option : command.getCommandSpec().options()) {
            if (!option.hidden()) {
                line("in " + within, flags(option), first(option.description()));
            }
        }
        command.getSubcommands().forEach((word, inner) -> {
            if (!inner.getCommandSpec().usageMessage().hidden()) {
                line(
                        "at " + within,
                        "-f -a " + word,
                        first(inner.getCommandSpec().usageMessage().description()));
                final List<String> deeper = new ArrayList<>(path);
                deeper.add(word);
                add(deeper, inner);
            }
        });
    }

    private static String flags(final OptionSpec option) {
        final StringBuilder flags = new StringBuilder();
        for (final String each : option.names()) {
            flags.append(each.startsWith("--") ? " -l " + each.substring(2) : " -s " + each.substring(1));
        }
        return flags.append(option.arity().max() > 0 ? " -r" : "").toString().strip();
    }

    private void line(final String condition, final String what, final String description) {
        script.append("complete -c ")
                .append(name)
                .append(" -n '__")
                .append(name)
                .append('_')
                .append(condition.strip())
                .append("' ")
                .append(what)
                .append(" -d '")
                .append(description.replace("\\", "\\\\").replace("'", "\\'"))
                .append("'\n");
    }

    private static String first(final String... description) {
        return description.length == 0 ? "" : description[0];
    }
}
