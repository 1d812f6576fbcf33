package io.penstock.orderdesk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs each packaged order desk on each Java: {@code broker=JAR config=FILE work=FOLDER desks=JAR,JAR javas=PROGRAM,PROGRAM
 * [report=FILE] [orders=N]}. Ends with exit code 1 when an order was lost or filled twice, health did not follow the broker, or an
 * embedded broker started too slowly.
 */
public final class Main {
    private static final String USAGE =
            "order desk: give broker=JAR config=FILE work=FOLDER desks=JAR,… javas=PROGRAM,…";

    private Main() {}

    /**
     * Runs all.
     *
     * @param args of the command line.
     * @throws Exception when something here is broken, not what is tested.
     */
    public static void main(final String[] args) throws Exception {
        final Map<String, String> given = new HashMap<>();
        for (final String arg : args) {
            final int separator = arg.indexOf('=');
            if (separator < 0) {
                throw new IllegalArgumentException(USAGE);
            }
            given.put(arg.substring(0, separator), arg.substring(separator + 1));
        }
        final Report report = new Report(System.out);
        run(given, report);
        report.end(given.containsKey("report") ? Path.of(given.get("report")) : null);
        System.exit(report.isGood() ? 0 : 1);
    }

    private static void run(final Map<String, String> given, final Report report)
            throws IOException, InterruptedException {
        final int orderCount = Integer.parseInt(given.getOrDefault("orders", "400"));
        int number = 0;
        for (final Path desk : files(value(given, "desks"))) {
            for (final Path java : files(value(given, "javas"))) {
                final Path work = Path.of(value(given, "work")).toAbsolutePath().resolve("run-" + number++);
                delete(work);
                Files.createDirectories(work);
                final Programs programs = new Programs(
                        java,
                        Path.of(value(given, "broker")).toAbsolutePath(),
                        Path.of(value(given, "config")).toAbsolutePath(),
                        desk,
                        work);
                new RestartRun(programs, report, orderCount).run();
                new EmbeddedRun(programs, report).run();
                delete(work);
            }
        }
    }

    private static String value(final Map<String, String> given, final String name) {
        final String value = given.get(name);
        if (value == null) {
            throw new IllegalArgumentException(USAGE);
        }
        return value;
    }

    private static List<Path> files(final String texts) {
        final List<Path> files = new ArrayList<>();
        for (final String text : texts.split(",", -1)) {
            files.add(Path.of(text).toAbsolutePath());
        }
        return files;
    }

    private static void delete(final Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (var all = Files.walk(directory)) {
            for (final Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
