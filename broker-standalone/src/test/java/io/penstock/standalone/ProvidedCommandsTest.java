package io.penstock.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.standalone.serve.ServeCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

class ProvidedCommandsTest {
    private final StringWriter err = new StringWriter();

    @Test
    void shouldAddWhatAnotherJarProvides() {
        final CommandLine line = with(List.of(() -> List.of(Measure.class, Helper.class)));

        assertThat(line.getSubcommands().keySet()).containsSubsequence("serve", "bench", "bench-helper");
        assertThat(line.execute("bench")).isEqualTo(42);
    }

    @Test
    void shouldSayHowToGetTheBenchmarksWhenNobodyProvidesThem() {
        final CommandLine line = with(List.of());

        assertThat(line.execute("bench", "orb", "--quick", "--help")).isEqualTo(Main.EXIT_USAGE);
        assertThat(err.toString())
                .startsWith("penstock bench: penstock-benchmarks.jar: not found (put it beside penstock.jar")
                .hasLineCount(1);
    }

    @Test
    void shouldSayThatJarsDoNotFitWhenAProviderCannotBeLoaded() {
        for (final Throwable failure : List.of(
                new ServiceConfigurationError("io.penstock.Provider: not there"), new NoSuchMethodError("sum(int)"))) {
            final CommandLine line = with(List.of(() -> {
                throw failure instanceof ServiceConfigurationError of ? of : (NoSuchMethodError) failure;
            }));

            assertThat(line.getSubcommands()).containsKey("serve");
            assertThat(line.execute("bench")).isEqualTo(Main.EXIT_USAGE);
            assertThat(err.toString()).contains("does not fit this penstock.jar", failure.getMessage());
        }
    }

    @Test
    void shouldKeepItsOwnCommandWhenAnotherJarHasOneOfThatName() {
        final CommandLine line = with(List.of(() -> List.of(Measure.class, Serve.class, Helper.class)));

        final CommandLine serve = Objects.requireNonNull(line.getSubcommands().get("serve"));
        assertThat(serve.getCommandSpec().userObject()).isInstanceOf(ServeCommand.class);
        assertThat(line.getSubcommands()).containsKey("bench").doesNotContainKey("bench-helper");
    }

    @Test
    void shouldKeepHelpWhenAnotherJarHasACommandOfThatName() {
        final CommandLine line = with(List.of(() -> List.of(Help.class)));

        assertThat(line.execute("bench")).isEqualTo(Main.EXIT_USAGE);
        assertThat(err.toString()).contains("there is one of that name: help");
    }

    @Test
    void shouldNotAskProvidersWhenTheCommandIsItsOwn() {
        assertThat(Main.commandLine("serve").getSubcommands()).doesNotContainKey("bench");
        assertThat(Main.commandLine("help", "bench").getSubcommands()).containsKeys("bench", "help");
        assertThat(Main.commandLine().getSubcommands()).containsKeys("bench", "help");
    }

    private CommandLine with(final List<CommandProvider> providers) {
        final CommandLine line = Main.commandLine("serve");
        ProvidedCommands.addTo(line, providers);
        line.setErr(new PrintWriter(err));
        line.setExecutionExceptionHandler((failure, command, ignored) -> {
            err.append(command.getCommandSpec().qualifiedName() + ": " + failure.getMessage() + "\n");
            return failure instanceof CommandFailure known ? known.exitCode() : 1;
        });
        line.setParameterExceptionHandler((final ParameterException mistake, final String[] args) -> {
            throw mistake;
        });
        return line;
    }

    @Command(name = "bench")
    static final class Measure implements Callable<Integer> {
        @Override
        public Integer call() {
            return 42;
        }
    }

    @Command(name = "bench-helper", hidden = true)
    static final class Helper implements Callable<Integer> {
        @Override
        public Integer call() {
            return 0;
        }
    }

    @Command(name = "serve")
    static final class Serve implements Callable<Integer> {
        @Override
        public Integer call() {
            return 1;
        }
    }

    @Command(name = "help")
    static final class Help implements Callable<Integer> {
        @Override
        public Integer call() {
            return 0;
        }
    }
}
