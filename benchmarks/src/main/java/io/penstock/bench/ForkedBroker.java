package io.penstock.bench;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A broker that {@code penstock serve} runs in a process of its own, asked for samples through its standard input. */
final class ForkedBroker implements PenstockSubject.BrokerHost {
    private static final String LISTENING = "listening on ";

    private final Process process;
    private final BufferedReader answers;
    private final Writer questions;
    private final String endpoint;

    private ForkedBroker(final Process process, final BufferedReader answers, final String endpoint) {
        this.process = process;
        this.answers = answers;
        this.endpoint = endpoint;
        questions = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    }

    static ForkedBroker start(final BenchPlan plan) throws IOException {
        return start(command(plan));
    }

    /** Starts a broker with one key of its configuration set. */
    static ForkedBroker start(final BenchPlan plan, final String keyAndValue) throws IOException {
        final List<String> command = command(plan);
        command.add("--set=" + keyAndValue);
        return start(command);
    }

    private static ForkedBroker start(final List<String> command) throws IOException {
        final Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        final BufferedReader answers =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(LISTENING)) {
                return new ForkedBroker(process, answers, line.substring(LISTENING.length()));
            }
        }
        Children.end(process);
        throw CommandFailure.failed("penstock: the broker did not start (see its message above)");
    }

    private static String endpoint(final String transport) {
        return switch (transport) {
            case "ipc" -> "ipc:bench";
            case "ipc_futex" -> "ipc:bench?wait=futex";
            default -> "tcp://127.0.0.1:0";
        };
    }

    private static List<String> command(final BenchPlan plan) throws IOException {
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--samples",
                "--listen=" + endpoint(plan.broker().transport()),
                "--idle=" + plan.idle().name().toLowerCase(Locale.ROOT)));
        if (!plan.broker().threading().isEmpty()) {
            command.add("--threading=" + plan.broker().threading());
        }
        if (!plan.broker().journal().isEmpty()) {
            command.add("--set=journal.directory="
                    + ScratchDirectory.another(plan.broker().journal()));
            command.add("--set=journal.sync="
                    + (plan.broker().sync().isEmpty() ? "always" : plan.broker().sync()));
            command.add("--set=journal.intervalMs=1");
        }
        if (plan.broker().snapshots()) {
            command.add("--set=" + SnapshotsBeside.SETTING);
        }
        return command;
    }

    @Override
    public String endpoint() {
        return endpoint;
    }

    @Override
    public Subject.Usage usage(final double copiedBytes) {
        try {
            questions.write("\n");
            questions.flush();
            final String answer = answers.readLine();
            if (answer == null) {
                throw CommandFailure.failed("penstock: the broker is gone (see its message above)");
            }
            final Map<String, Double> sample = Probes.numbers(answer);
            return new Subject.Usage(
                    sample.getOrDefault("cpu_ns", Double.NaN),
                    sample.getOrDefault("allocated_bytes", Double.NaN),
                    copiedBytes);
        } catch (final IOException e) {
            throw CommandFailure.failed("penstock: the broker is gone: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        Children.end(process);
    }
}
