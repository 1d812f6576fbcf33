package io.penstock.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The reference and the commands say the same. */
@Tag("one-jdk")
class CommandLineReferenceTest {
    private static final Path REFERENCE = Path.of("..", "..", "docs", "reference", "cli.md");
    private static final Pattern SECTION = Pattern.compile("(?ms)^## ([a-z-]+(?: [a-z-]+)?)$(.*?)(?=^## |\\z)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`-[^|]*) \\|");
    private static final Pattern NAME = Pattern.compile("`(-[^`]+)`");
    private static final List<String> SHARED =
            List.of("## What commands that talk to a broker share", "## What commands that print rows share");
    private static final Set<String> ONLY_IN_THE_LAUNCHER = Set.of("verify");
    private static final Set<String> ON_EVERY_COMMAND = Set.of("-h", "--help", "-V", "--version");

    @Test
    void shouldDescribeEveryOptionOfEveryCommandWhenComparedWithTheCode() throws IOException {
        final String text = Files.readString(REFERENCE);
        final Map<String, Set<String>> documented = new TreeMap<>();
        SECTION.matcher(text).results().forEach(section -> documented.put(section.group(1), options(section.group(2))));
        documented.keySet().removeAll(ONLY_IN_THE_LAUNCHER);

        assertThat(documented).isEqualTo(commands(sharedOptions(text)));
    }

    @Test
    void shouldTeachWithExamplesWhenACommandIsAskedForHelp() {
        allCommands().forEach((name, command) -> {
            assertThat(command.getUsageMessage()).as(name).contains("Examples:", "  penstock " + name);
        });
    }

    private static Map<String, Set<String>> commands(final List<Set<String>> groups) {
        final Map<String, Set<String>> commands = new TreeMap<>();
        allCommands().forEach((name, command) -> {
            final Set<String> options = options(command);
            for (final Set<String> shared : groups) {
                if (options.containsAll(shared)) {
                    options.removeAll(shared);
                }
            }
            commands.put(name, options);
        });
        return commands;
    }

    /** By their names, those of commands within commands in two words. */
    private static Map<String, CommandLine> allCommands() {
        final Map<String, CommandLine> all = new TreeMap<>();
        Main.commandLine().getSubcommands().forEach((name, command) -> {
            if (!isInternal(name, command)) {
                all.put(name, command);
                command.getSubcommands().forEach((inner, within) -> all.put(name + " " + inner, within));
            }
        });
        return all;
    }

    private static boolean isInternal(final String name, final CommandLine command) {
        return name.equals("help") || command.getCommandSpec().usageMessage().hidden();
    }

    private static Set<String> options(final CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::names)
                .flatMap(names -> List.of(names).stream())
                .filter(name -> !ON_EVERY_COMMAND.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Set<String>> sharedOptions(final String text) {
        return SHARED.stream()
                .map(title -> {
                    final int start = text.indexOf(title);
                    return options(text.substring(start, text.indexOf("\n## ", start + 1)));
                })
                .toList();
    }

    private static Set<String> options(final String section) {
        return ROW.matcher(section)
                .results()
                .map(MatchResult::group)
                .flatMap(row -> NAME.matcher(row).results())
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
