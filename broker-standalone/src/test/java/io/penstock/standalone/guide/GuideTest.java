package io.penstock.standalone.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.penstock.standalone.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What all commands say of themselves. */
class GuideTest {
    private static final Pattern WORD = Pattern.compile("(?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+");

    @Test
    void shouldBeginWithAWholeSentenceWhenHelpListsCommands() {
        for (final CommandLine each : all(Main.commandLine())) {
            final String[] description = each.getCommandSpec().usageMessage().description();

            assertThat(description).as(each.getCommandName()).isNotEmpty();
            for (final String piece : description) {
                assertThat(piece).as(each.getCommandName()).matches("|(?s)[A-Z].*[.?!]|Sinks need .*");
            }
        }
    }

    @Test
    void shouldShowTheWholeSentenceWhenAskedForHelp() {
        assertThat(Main.commandLine().getUsageMessage().replaceAll("\\s+", " "))
                .contains("a file of the broker that blocks of many producers are merged into.")
                .contains(
                        "Prints the state of the world: the last record of each key of a topic, one a line, as it is now or"
                                + " as it was.");
    }

    @Test
    void shouldShowExamplesWhenAnyCommandIsAskedForHelp() {
        for (final CommandLine each : all(Main.commandLine())) {
            if (!each.getCommandName().equals("bench")) {
                assertThat(each.getUsageMessage())
                        .as(each.getCommandName())
                        .contains("Examples:", "  " + each.getCommandSpec().qualifiedName());
            }
        }
    }

    @Test
    void shouldBeACommandOfAShellWhenAnExampleIsPasted() {
        int count = 0;
        for (final CommandLine each : withRoot()) {
            for (final String example : each.getCommandSpec().usageMessage().footer()) {
                for (final List<String> words : commands(example.formatted())) {
                    if (words.get(0).equals("penstock")) {
                        assertThatCode(() -> Main.commandLine()
                                        .parseArgs(words.stream().skip(1).toArray(String[]::new)))
                                .as(example)
                                .doesNotThrowAnyException();
                        count++;
                    }
                }
            }
        }
        assertThat(count).isGreaterThan(100);
    }

    @Test
    void shouldNotBreakExamplesWhenTheTerminalIsNarrow() {
        for (final CommandLine each : withRoot()) {
            each.setUsageHelpWidth(60);

            for (final String example : each.getCommandSpec().usageMessage().footer()) {
                assertThat(each.getUsageMessage().lines())
                        .as(each.getCommandName())
                        .contains(example.formatted());
            }
        }
    }

    @Test
    void shouldPrintWhatTheCommandSaysWhenAskedForHelpOfACommandWithinAnother() {
        assertThat(run("help", "topic", "info")).isEqualTo(run("topic", "info", "--help"));
        assertThat(run("help", "publish")).isEqualTo(run("publish", "--help"));
        assertThat(run("help")).isEqualTo(run("--help"));
        assertThat(run("help", "publsh"))
                .isEqualTo("2: penstock help: no such command: publsh (did you mean publish?)\n");
        assertThat(run("help", "topic", "inof"))
                .isEqualTo("2: penstock help: no such command: topic inof (did you mean info?)\n");
    }

    private static String run(final String... args) {
        final StringWriter text = new StringWriter();
        final PrintWriter to = new PrintWriter(text);
        return Main.commandLine(args).setOut(to).setErr(to).execute(args) + ": " + text;
    }

    @Test
    void shouldHaveEverySectionWhenAPageForMan() {
        final String page = ManPage.of(find("log", "ls"));

        assertThat(page)
                .startsWith(".TH \"PENSTOCK-LOG-LS\" 1 ")
                .contains(".SH \"NAME\"\npenstock\\-log\\-ls \\- Lists the files of a log")
                .contains(".SH \"SYNOPSIS\"\npenstock log ls ")
                .contains(".TP\n\\fB\\-\\-quick\\fR\n")
                .contains(".SH \"EXAMPLES\"\n.nf\n", "penstock\\-log(1)");
        assertThat(page.lines()).noneMatch(line -> line.startsWith(".") && line.startsWith(". "));
        assertThat(ManPage.of(Main.commandLine()))
                .contains("penstock\\-publish(1)")
                .doesNotContain("warm\\-up");
    }

    @Test
    void shouldBeAsciiWhenAPageForManHasOtherCharacters() {
        assertThat(ManPage.of(new CommandLine(new Quick())))
                .contains("Takes 5 \\[u00B5]s")
                .matches("[\\n -~]*");
    }

    @Command(name = "quick", description = "Takes 5 µs.")
    private static final class Quick {}

    @Test
    void shouldOfferEveryCommandAndOptionWhenCompletedByFish() {
        final String script = FishCompletion.of("penstock", Main.commandLine());

        assertThat(script)
                .contains("complete -c penstock -n '__penstock_at' -f -a publish -d 'Publishes")
                .contains("complete -c penstock -n '__penstock_at log' -f -a ls")
                .contains("complete -c penstock -n '__penstock_in publish' -s r -l rate -r -d 'At most so fast")
                .contains("complete -c penstock -n '__penstock_in log ls' -l quick -d ")
                .doesNotContain("warm-up");
    }

    private static CommandLine find(final String... words) {
        CommandLine found = Main.commandLine();
        for (final String word : words) {
            found = Objects.requireNonNull(found.getSubcommands().get(word));
        }
        return found;
    }

    /** The commands of a line as a shell reads it, each in words; not what stands in parentheses. */
    private static List<List<String>> commands(final String line) {
        final List<List<String>> commands = new ArrayList<>();
        List<String> words = new ArrayList<>();
        final Matcher matcher = WORD.matcher(line);
        while (matcher.find() && !matcher.group().startsWith("#")) {
            final String word = matcher.group();
            if (word.equals("|")) {
                commands.add(words);
                words = new ArrayList<>();
            } else if (word.startsWith("<") || word.startsWith(">")) {
                break;
            } else {
                words.add(word.replaceAll("(?s)'([^']*)'|\"([^\"]*)\"", "$1$2"));
            }
        }
        commands.add(words);
        return commands;
    }

    private static List<CommandLine> withRoot() {
        final CommandLine root = Main.commandLine();
        final List<CommandLine> all = all(root);
        all.add(root);
        return all;
    }

    private static List<CommandLine> all(final CommandLine root) {
        final List<CommandLine> all = new ArrayList<>();
        root.getSubcommands().forEach((name, each) -> {
            all.add(each);
            all.addAll(all(each));
        });
        return all;
    }
}
