package io.penstock.faults;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.SessionConfig;
import io.penstock.broker.WindowConfig;
import io.penstock.broker.journal.SyncPolicy;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What runs on the machine whose power is cut: a broker under load, and after the cut the check of its log. */
final class Guest {
    static final String READY = "guest: ready";
    static final String RESULT = "guest: result ";

    private static final int FILE_LENGTH = 1024 * 1024;
    private static final int SEGMENT_COUNT = 8;
    private static final int MESSAGE_LENGTH_MAX = 64 * 1024;
    private static final long PRINT_EACH_MS = 2;

    private Guest() {}

    /** Publishes for ever, and prints what is acknowledged; when that begins, that it is ready. */
    static void load(final Path directory, final String sync, final PrintStream out) throws InterruptedException {
        final Acknowledged acknowledged = new Acknowledged(Settings.PUBLISHER_COUNT);
        try (Broker broker = Broker.launch(config(directory, sync));
                Load load = Load.start(broker.endpoints().get(0).toString(), acknowledged, Settings.IN_FLIGHT_MAX)) {
            boolean ready = false;
            final long[] printed = new long[acknowledged.publisherCount()];
            while (load.refusal() == null) {
                for (int i = 0; i < printed.length; i++) {
                    final long highest = acknowledged.highest(i);
                    if (highest > printed[i]) {
                        printed[i] = highest;
                        out.println(Acknowledged.line(i, highest));
                    }
                }
                if (!ready && acknowledged.count() > 0) {
                    ready = true;
                    out.println(READY);
                }
                out.flush();
                TimeUnit.MILLISECONDS.sleep(PRINT_EACH_MS);
            }
            out.println("guest: refused: " + load.refusal());
        }
    }

    /** Compares a log with what the other side of the power cut has heard, and starts a broker with it. */
    static void check(final Path directory, final Path heard, final PrintStream out) throws IOException {
        final Acknowledged acknowledged = Acknowledged.read(heard, Settings.PUBLISHER_COUNT);
        final LogContents log = LogContents.read(directory, Settings.PUBLISHER_COUNT);
        final Tally tally = log.compare(acknowledged);
        String wrong = log.damage();
        if (wrong == null) {
            try (Broker broker = Broker.launch(config(directory, "always"))) {
                wrong = LiveState.difference(broker.endpoints().get(0).toString(), log);
            } catch (final UncheckedIOException | IllegalArgumentException e) {
                wrong = "the broker did not start: " + e.getMessage();
            }
        }
        out.println(RESULT + tally.acknowledged() + " " + tally.recovered() + " " + tally.lost() + " "
                + tally.duplicated() + " " + (wrong == null ? "" : wrong));
        out.flush();
    }

    static BrokerConfig config(final Path directory, final String sync) {
        return BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .window(new WindowConfig(FILE_LENGTH, SEGMENT_COUNT))
                .sessions(sessions())
                .journal(JournalConfig.in(directory.toString())
                        .withFileLength(FILE_LENGTH)
                        .withSync(SyncPolicy.valueOf(sync.toUpperCase(Locale.ROOT))))
                .build();
    }

    private static SessionConfig sessions() {
        final SessionConfig defaults = SessionConfig.defaults();
        return new SessionConfig(
                defaults.sessionCountMax(),
                defaults.subscriptionCountMax(),
                MESSAGE_LENGTH_MAX,
                defaults.topicCountMax(),
                defaults.publisherCountMax(),
                defaults.descriptorRingLength(),
                defaults.pendingAckCountMax(),
                defaults.stagingLengthMax(),
                defaults.heartbeatIntervalMs(),
                defaults.logonTimeoutMs());
    }
}
