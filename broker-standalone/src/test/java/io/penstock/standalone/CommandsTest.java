package io.penstock.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
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

    @Test
    void shouldReadAllCommandsWhenNoneIsNamedOrOneIsMisspelt() {
        for (final String[] args : new String[][] {{}, {"--help"}, {"sevre"}, {"help"}, {"-x", "serve"}}) {
            assertThat(Main.commandLine(args).getSubcommands().keySet())
                    .containsAll(Commands.NAMES)
                    .doesNotContain("warm-up");
        }
    }
}
