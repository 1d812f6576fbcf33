package io.penstock.standalone.message;

import io.penstock.client.PenstockClient;
import io.penstock.client.Stat;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a broker's counters. */
@Command(
        name = "stat",
        mixinStandardHelpOptions = true,
        description = "Prints the broker's counters as they are now.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock stat            # all of them",
            "  penstock stat transport. # those whose names start so",
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
