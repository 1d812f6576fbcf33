package io.penstock.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Kills a broker with {@code kill -9} under load, at random moments, and starts it again. */
final class KillRun {
    private static final String WHAT = "kill -9";
    private static final int CYCLES_OF_A_LOG = 10;
    private static final int FIRST_ACK_MS_MAX = 10_000;
    private static final int LOAD_MS_MAX = 400;
    private static final int START_MS_MAX = 500;

    /** One in so many starts is killed at any moment, also before anybody can connect. */
    private static final int EARLY_EACH = 8;

    private final Settings settings;
    private final Report report;
    private final Random random;
    private Tally total = Tally.NONE;

    KillRun(final Settings settings, final Report report) {
        this.settings = settings;
        this.report = report;
        random = new Random(settings.seed());
    }

    void run() throws IOException, InterruptedException {
        final long startNs = System.nanoTime();
        String wrong = null;
        int cycles = 0;
        while (cycles < settings.killCount() && wrong == null) {
            final int count = Math.min(CYCLES_OF_A_LOG, settings.killCount() - cycles);
            wrong = run(Folders.fresh(settings.work().resolve("kill")).resolve("log"), count);
            cycles += count;
            report.progress(WHAT, cycles, settings.killCount(), total);
        }
        report.done(
                WHAT,
                cycles + " cycles",
                total.toString(),
                wrong == null ? null : wrong + " (seed " + settings.seed() + ", " + settings.work() + ")",
                System.nanoTime() - startNs);
    }

    /** Kills the broker of one log again and again. Returns what is wrong, or null. */
    private @Nullable String run(final Path directory, final int cycles) throws IOException, InterruptedException {
        final Acknowledged acknowledged = new Acknowledged(Settings.PUBLISHER_COUNT);
        LogContents log = null;
        for (int cycle = 0; cycle < cycles; cycle++) {
            final String wrong = cycle(directory, acknowledged, log);
            if (wrong != null) {
                return "cycle " + cycle + ": " + wrong;
            }
            log = LogContents.read(directory, Settings.PUBLISHER_COUNT);
            final Tally tally = log.compare(acknowledged);
            if (log.damage() != null || !tally.isGood()) {
                total = total.plus(tally);
                return "cycle " + cycle + ": " + tally + (log.damage() == null ? "" : "; " + log.damage());
            }
        }
        if (log != null) {
            total = total.plus(log.compare(acknowledged));
        }
        return null;
    }

    private @Nullable String cycle(
            final Path directory, final Acknowledged acknowledged, final @Nullable LogContents log)
            throws IOException, InterruptedException {
        try (BrokerProcess broker =
                BrokerProcess.start(settings.jar(), directory, List.of(), "--set", "journal.fileLength=262144")) {
            if (log != null && random.nextInt(EARLY_EACH) == 0) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(START_MS_MAX));
                return null;
            }
            final String endpoint = broker.awaitEndpoint();
            if (endpoint == null) {
                return "the broker did not start: " + broker.output();
            }
            final String difference = log == null ? null : LiveState.difference(endpoint, log);
            if (difference != null) {
                return difference;
            }
            try (Load load = Load.start(endpoint, acknowledged, Settings.IN_FLIGHT_MAX)) {
                awaitAcknowledgement(acknowledged, acknowledged.count());
                TimeUnit.MILLISECONDS.sleep(random.nextInt(LOAD_MS_MAX));
                if (!broker.isAlive()) {
                    return "the broker ended by itself: " + broker.output();
                }
                broker.kill();
                if (load.outOfOrder() > 0) {
                    return load.outOfOrder() + " acknowledgements were out of order";
                }
                return load.refusal() == null ? null : "a message was refused: " + load.refusal();
            }
        }
    }

    /** Waits until the load has begun, so that the moment of the kill lies in it. */
    private static void awaitAcknowledgement(final Acknowledged acknowledged, final long before)
            throws InterruptedException {
        for (int ms = 0; ms < FIRST_ACK_MS_MAX && acknowledged.count() == before; ms++) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
