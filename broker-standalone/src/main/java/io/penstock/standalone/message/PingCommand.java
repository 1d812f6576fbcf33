package io.penstock.standalone.message;

import io.penstock.client.PenstockClient;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.ControlCharacters;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Asks whether a broker is there and how long it takes to answer. */
@Command(
        name = "ping",
        mixinStandardHelpOptions = true,
        description = {
            "Asks a broker to answer, and prints how long it took.",
            "Exit code 0 when it answered each time."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock ping                             # the broker on this machine, five times",
            "  penstock ping -n 1 -b tcp://10.0.0.7:9100 # another one, once: for health checks"
        })
public final class PingCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BrokerOptions broker;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            defaultValue = "5",
            description = "How often to ask (default: 5).")
    private int count;

    @Override
    public Integer call() {
        if (count < 1) {
            throw CommandFailure.badInput("--count: too small: " + count + " (use 1 or more)");
        }
        final PrintWriter out = spec.commandLine().getOut();
        try (PenstockClient client = broker.connect()) {
            for (int i = 0; i < count; i++) {
                final Duration roundTrip = client.ping();
                if (i == 0) {
                    out.println(ControlCharacters.onOut(client.broker() + " at " + broker.server()));
                }
                out.printf("%.1f us%n", roundTrip.toNanos() / (double) TimeUnit.MICROSECONDS.toNanos(1));
                out.flush();
            }
        }
        return Main.EXIT_OK;
    }
}
