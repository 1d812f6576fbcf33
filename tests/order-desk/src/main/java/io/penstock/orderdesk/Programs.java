package io.penstock.orderdesk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is started.
 *
 * @param java   that runs it.
 * @param broker the runnable jar.
 * @param config of the broker.
 * @param desk   the packaged application.
 * @param work   folder for files.
 */
record Programs(Path java, Path broker, Path config, Path desk, Path work) {
    private static final Pattern LISTENING = Pattern.compile("listening on (tcp:\\S+)");
    private static final Pattern TOMCAT = Pattern.compile("Tomcat started on port[^0-9]*([0-9]+)");

    /** What a report calls it. */
    String name() {
        final String home = java.getName(java.getNameCount() - 3).toString();
        return desk.getName(desk.getNameCount() - 1).toString().replaceAll("-1\\.0\\.0\\.jar$", "") + " on " + home;
    }

    /** Starts a broker on an endpoint, whose port may be 0. */
    ProgramProcess startBroker(final String endpoint) throws IOException {
        return start(List.of(
                "-jar",
                broker.toString(),
                "serve",
                config.toString(),
                "--listen",
                endpoint,
                "--set",
                "journal.directory=" + work.resolve("journal")));
    }

    /** Where a broker listens. */
    static String endpoint(final ProgramProcess broker) throws InterruptedException {
        return first(broker, LISTENING);
    }

    /** Starts a desk on a port of its own. */
    ProgramProcess startDesk(final String... arguments) throws IOException {
        final List<String> all = new ArrayList<>(List.of("-jar", desk.toString(), "--server.port=0"));
        all.addAll(List.of(arguments));
        return start(all);
    }

    /** Where a desk listens. */
    static DeskClient client(final ProgramProcess desk) throws InterruptedException {
        return new DeskClient(Integer.parseInt(first(desk, TOMCAT)));
    }

    private static String first(final ProgramProcess process, final Pattern pattern) throws InterruptedException {
        final Matcher matcher = process.awaitLine(pattern);
        return matcher.group(1);
    }

    private ProgramProcess start(final List<String> arguments) throws IOException {
        final List<String> command = new ArrayList<>(List.of(
                java.toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx256m"));
        command.addAll(arguments);
        final ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).directory(work.toFile());
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        return new ProgramProcess(builder.start());
    }
}
