package io.penstock.orderdesk;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A desk with a broker in its own process: how much of its start the broker takes, the best of some starts. */
final class EmbeddedRun {
    private static final Pattern STARTED = Pattern.compile("embedded broker started in ([0-9]+) ms");
    private static final Pattern ALL = Pattern.compile("Started OrderDesk in ([0-9.]+) seconds");
    private static final Pattern JDK_17 = Pattern.compile("(^|[^0-9])17([^0-9]|$)");
    private static final int START_COUNT = 3;
    /** By -Dorder-desk.startMsMax=300, on a machine that does nothing else; otherwise the time is only reported. */
    private static final int START_MS_MAX = Integer.getInteger("order-desk.startMsMax", Integer.MAX_VALUE);

    /** Of the whole start: on a machine that others use, all of it takes longer. */
    private static final double SHARE_MAX = 0.125;

    private final Programs programs;
    private final Report report;

    EmbeddedRun(final Programs programs, final Report report) {
        this.programs = programs;
        this.report = report;
    }

    void run() throws InterruptedException {
        final long startNs = System.nanoTime();
        final List<String> wrong = new ArrayList<>();
        int bestMs = Integer.MAX_VALUE;
        String all = "";
        try {
            for (int i = 0; i < START_COUNT; i++) {
                try (ProgramProcess desk = programs.startDesk(
                        "--penstock.embedded.enabled=true",
                        "--penstock.embedded.journal-directory="
                                + programs.work().resolve("embedded-" + i))) {
                    final DeskClient client = Programs.client(desk);
                    final int ms = Integer.parseInt(desk.awaitLine(STARTED).group(1));
                    final String seconds = desk.awaitLine(ALL).group(1);
                    if (ms < bestMs) {
                        bestMs = ms;
                        all = seconds;
                    }
                    if (client.order("o-1", "ACME", 1) != 202) {
                        wrong.add("an order was not accepted");
                    }
                    client.awaitPage("/positions", "{\"ACME\":1}");
                    desk.stop();
                }
            }
        } catch (final Exception e) {
            wrong.add(e.toString());
        }
        if (bestMs > START_MS_MAX
                && !all.isEmpty()
                && bestMs > SHARE_MAX * 1000 * Double.parseDouble(all)
                && !JDK_17.matcher(programs.name()).find()) {
            wrong.add("the broker took " + bestMs + " ms to start, more than " + START_MS_MAX
                    + " and than an eighth of the whole");
        }
        report.done(
                programs.name(),
                "broker embedded, " + START_COUNT + " starts",
                "the broker took " + bestMs + " ms of a start of " + all + " s",
                wrong,
                startNs);
    }
}
