package io.penstock.standalone;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.event.EventHandler;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Runs the short commands once against a broker of its own, with nothing printed: for the start script, which has Java archive
 * the classes that are loaded meanwhile.
 */
@Command(name = "warm-up", hidden = true, description = "Loads the classes of short commands.")
final class WarmUpCommand implements Callable<Integer> {
    private static final String TOPIC = "warm-up";

    @Override
    public Integer call() {
        final InputStream in = System.in;
        final PrintStream out = System.out;
        final PrintStream err = System.err;
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                        .listen("tcp://127.0.0.1:0")
                        .events(EventHandler.NONE)
                        .build());
                PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8)) {
            System.setIn(new ByteArrayInputStream("{\"id\":1}\n".getBytes(StandardCharsets.UTF_8)));
            System.setOut(nowhere);
            System.setErr(nowhere);
            run(broker.endpoints().get(0).toString());
        } finally {
            System.setIn(in);
            System.setOut(out);
            System.setErr(err);
        }
        return Main.EXIT_OK;
    }

    private static void run(final String endpoint) {
        final PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        for (final List<String> each : List.of(
                List.of("publish", TOPIC, "--topic-key", "id", "-b", endpoint),
                List.of("topics", "-b", endpoint),
                List.of("stat", "-b", endpoint),
                List.of("ping", "-n", "1", "-b", endpoint),
                List.of("sow", TOPIC, "id = 1", "-b", endpoint),
                List.of("subscribe", TOPIC, "--sow", "-n", "1", "-b", endpoint),
                List.of("delete", TOPIC, "--key", "{\"id\":1}", "-b", endpoint),
                List.of("--version"),
                List.of("topics", "--help"))) {
            final String[] words = each.toArray(new String[0]);
            Main.run(Main.commandLine(words).setOut(out), words);
        }
    }
}
