package io.penstock.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

class CommandsTest {
    @Test
    void shouldFindEachCommandByItsOwnNameWhenListed() {
        for (final String name : Commands.NAMES) {
            final Class<?> command = Commands.find(name);

            assertThat(command).as(name).isNotNull();
            assertThat(Objects.requireNonNull(command)
                            .getAnnotation(Command.class)
                            .name())
                    .isEqualTo(name);
        }
        assertThat(Commands.find("nope")).isNull();
    }

    @Test
    void shouldReadOneCommandWhenTheLineNamesIt() {
        assertThat(Main.commandLine("topics", "x").getSubcommands()).containsOnlyKeys("topics", "help");
        assertThat(Main.commandLine("help", "serve").getSubcommands())
                .containsKeys("serve", "bench")
                .doesNotContainKey("sow");
        assertThat(Main.commandLine("--version").getSubcommands()).containsOnlyKeys("help");
        assertThat(Main.commandLine("warm-up").getSubcommands()).containsKey("warm-up");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sow", "subscribe"})
    void shouldSayWhatIsWrongInOneLineWhenTheTopicIsEmpty(final String name) {
        final StringWriter err = new StringWriter();
        final String[] args = {name, "", "--broker", "inproc:nobody"};

        assertThat(Main.commandLine(args).setErr(new PrintWriter(err)).execute(args))
                .isEqualTo(Main.EXIT_USAGE);
        assertThat(err.toString())
                .startsWith("penstock " + name + ": ")
                .contains("topic is empty (")
                .hasLineCount(1);
    }

    @Test
    void shouldReadAllCommandsWhenNoneIsNamedOrOneIsMisspelt() {
        for (final String[] args : new String[][] {{}, {"--help"}, {"sevre"}, {"help"}, {"-x", "serve"}}) {
            assertThat(Main.commandLine(args).getSubcommands().keySet())
                    .containsAll(Commands.NAMES)
                    .doesNotContain("warm-up");
        }
    }
}
