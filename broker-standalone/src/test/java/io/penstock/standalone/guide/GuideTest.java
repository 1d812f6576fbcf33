package io.penstock.standalone.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.standalone.Main;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What all commands say of themselves. */
class GuideTest {
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

    private static List<CommandLine> all(final CommandLine root) {
        final List<CommandLine> all = new ArrayList<>();
        root.getSubcommands().forEach((name, each) -> {
            // That of picocli itself.
            if (!name.equals("help")) {
                all.add(each);
                all.addAll(all(each));
            }
        });
        return all;
    }
}
