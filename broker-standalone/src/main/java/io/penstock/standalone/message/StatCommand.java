package io.penstock.standalone.message;

import io.penstock.client.PenstockClient;
import io.penstock.client.Stat;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a broker's counters. */
@Command(
        name = "stat",
        mixinStandardHelpOptions = true,
        description = "Prints the broker's counters as they are now.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock stat              all of them",
            "  penstock stat transport.   those whose names start so",
            "  penstock stat --json       one JSON object, for programs"
        })
public final class StatCommand implements Callable<Integer> {
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

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean isJson;

    @Override
    public Integer call() {
        final List<Stat> stats;
        try (PenstockClient client = broker.connect()) {
            stats = client.stats(prefix);
        }
        final PrintWriter out = spec.commandLine().getOut();
        if (isJson) {
            final Json json = new Json();
            stats.forEach(stat -> json.field(stat.name(), stat.value()));
            out.println(json.end());
        } else {
            final int width =
                    stats.stream().mapToInt(stat -> stat.name().length()).max().orElse(1);
            stats.forEach(stat -> out.printf("%-" + width + "s %,15d%n", stat.name(), stat.value()));
        }
        out.flush();
        return Main.EXIT_OK;
    }
}
