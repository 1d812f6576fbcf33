package io.penstock.standalone.demo;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.PenstockClient;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.Version;
import io.penstock.standalone.console.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows a broker at work, and checks what it shows. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Starts a broker on a free port of this machine, publishes 20,000 flights and a week of earthquakes"
                    + " to it, shows what live subscriptions with filters receive, and queries the last flight of"
                    + " each route and a view of them meanwhile.",
            "Then it checks that nothing was lost. It needs nothing, leaves nothing behind, and ends by itself."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  penstock demo             # about 15 seconds", "  penstock demo --seconds 3 # for the impatient"})
public final class DemoCommand implements Callable<Integer> {
    private static final int SECONDS_MAX = 45;
    private static final int FULL_SPEED_PASSES = 10;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "12",
            description = "How long the paced part takes, 1 to " + SECONDS_MAX + " (default: 12).")
    private int seconds;

    @Option(names = "--plain", description = "Plain lines, even on a terminal.")
    private boolean isPlain;

    @Override
    public Integer call() throws IOException {
        if (seconds < 1 || seconds > SECONDS_MAX) {
            throw CommandFailure.badInput("--seconds: out of range: " + seconds + " (use 1 to " + SECONDS_MAX + ")");
        }
        final PrintWriter out = spec.commandLine().getOut();
        final Scenario scenario = Scenario.load();
        final BrokerConfig config = scenario.brokerConfig("tcp://127.0.0.1:0");
        try (Broker broker = Broker.launch(config)) {
            final String endpoint = broker.endpoints().get(0).toString();
            out.printf(
                    "Penstock %s: a broker on %s, a publisher, a subscriber with %d filters, queries of state, all over TCP%n%n",
                    Version.current(), endpoint, scenario.watches().size());
            try (PenstockClient subscriber = PenstockClient.connect(endpoint);
                    PenstockClient inquirer = PenstockClient.connect(endpoint);
                    PenstockClient publisher = PenstockClient.connect(endpoint)) {
                final DemoRun run = new DemoRun(scenario, publisher, inquirer, display(out));
                run.warmUp(subscriber);
                run.subscribe(subscriber);
                run.publishPaced(TimeUnit.SECONDS.toNanos(seconds));
                final long fullSpeedNs = run.publishAtFullSpeed(FULL_SPEED_PASSES);
                return report(out, scenario, run, fullSpeedNs);
            }
        }
    }

    private Display display(final PrintWriter out) {
        return Terminal.isOut() && !isPlain ? new TerminalDisplay(out, Terminal.columns()) : new PlainDisplay(out);
    }

    private static int report(
            final PrintWriter out, final Scenario scenario, final DemoRun run, final long fullSpeedNs) {
        run.askLast();
        final List<String> mistakes = run.mistakes(FULL_SPEED_PASSES);
        mistakes.addAll(run.stateMistakes());
        if (!mistakes.isEmpty()) {
            throw CommandFailure.failed("something went wrong: " + String.join("; ", mistakes));
        }
        final Feed repeated = scenario.feeds().get(0);
        final long repeatedCount = (long) FULL_SPEED_PASSES * repeated.count();
        out.printf(
                "Paced:      %,d messages; publish to delivery p50 %,.0f us, p99 %,.0f us, p99.9 %,.0f us, max %,.0f us%n",
                scenario.messageCount(),
                run.arrivals().latencyUs(50),
                run.arrivals().latencyUs(99),
                run.arrivals().latencyUs(99.9),
                run.arrivals().latencyUs(100));
        out.printf(
                "Full speed: %,d flights more in %.2f s (%,.0f a second), each through all filters%n",
                repeatedCount, fullSpeedNs / 1e9, repeatedCount * 1e9 / fullSpeedNs);
        out.printf(
                "Checked:    %,d messages arrived, each once, in order and byte for byte; every filter matched what it"
                        + " should:%n",
                run.arrivals().count());
        run.counters().forEach(counter -> out.printf("            %,6d  %s%n", counter.matches(), counter.watch()));
        out.printf(
                "State:      the last flight of each of %,d routes and %,d earthquakes:%n",
                scenario.kept().get(0).expected(), scenario.kept().get(1).expected());
        for (final Inquiry inquiry : run.inquiries()) {
            out.printf(
                    "%n            %s (asked %,d times)%n", inquiry.question().title(), inquiry.answers());
            inquiry.newest().forEach(line -> out.println("              " + line));
        }
        out.printf("%nNext:       penstock serve; then publish, subscribe and sow (penstock --help)%n");
        out.flush();
        return Main.EXIT_OK;
    }
}
