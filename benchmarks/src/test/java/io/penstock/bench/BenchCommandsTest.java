package io.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.standalone.CommandProvider;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchCommandsTest {
    @Test
    void shouldBeFoundWithAllThatItStartsWhenTheCommandLineLooksForMore() {
        final CommandLine line = new CommandLine(CommandLine.Model.CommandSpec.create());

        for (final CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
            provider.commands().forEach(line::addSubcommand);
        }

        assertThat(line.getSubcommands().keySet())
                .containsExactly(
                        "bench", "bench-crowd", "bench-put-producers", "bench-orb-server", "bench-orb-callers");
        assertThat(Objects.requireNonNull(line.getSubcommands().get("bench")).getSubcommands())
                .containsOnlyKeys("state", "match", "fan-out", "fanout", "journal", "put", "orb", "orb-experiments");
    }
}
