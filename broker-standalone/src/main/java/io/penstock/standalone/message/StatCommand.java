package io.penstock.standalone.message;

import io.penstock.client.PenstockClient;
import io.penstock.client.Stat;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a broker's counters. */
@Command(
        name = "stat",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the broker's counters as they are now.",
            "Their names begin with what they are of: broker, shard-0, io-0, replayer, file-replayer, historian or sinks."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock stat            # all of them",
            "  penstock stat shard-0.   # those whose names start so",
            "  penstock stat --json     # one JSON object for each, for programs"
        })
public final class StatCommand implements Callable<Integer> {
    private static final List<String> COLUMNS = List.of("counter", "value");

    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Parameters(
            paramLabel = "PREFIX",
            arity = "0..1",
            defaultValue = "",
            description = "Start of the names (default: all).")
    private String prefix;

    @Mixin
    private RowOptions rows;

    @Override
    public Integer call() {
        final List<Stat> stats;
        try (PenstockClient client = broker.connect()) {
            stats = client.stats(prefix);
            if (stats.isEmpty()) {
                throw CommandFailure.failed("no counter begins with " + prefix + " (there are "
                        + client.stats("").stream()
                                .map(stat -> stat.name().replaceFirst("\\..*", "."))
                                .distinct()
                                .collect(Collectors.joining(", "))
                        + ")");
            }
        }
        try (Rows out =
                rows.open(spec.commandLine().getOut(), spec.commandLine().getErr(), COLUMNS)) {
            stats.forEach(stat -> out.add(new Json()
                    .field("counter", stat.name())
                    .field("value", stat.value())
                    .end()));
        }
        return Main.EXIT_OK;
    }
}
