package io.penstock.faults;

import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Steps that the runs with disks that fail have in common. */
final class DiskFault {
    private static final int TIMEOUT_S = 30;

    /** How long the last acknowledgements are reported. */
    private static final Duration RECENT = Duration.ofSeconds(5);

    private DiskFault() {}

    /** Waits until a load was refused with a code. Returns what was wrong, or null. */
    static @Nullable String awaitRefusal(final Load load, final ErrorCode code) throws InterruptedException {
        return awaitRefusal(load, code, Duration.ofSeconds(TIMEOUT_S));
    }

    static @Nullable String awaitRefusal(final Load load, final ErrorCode code, final Duration timeout)
            throws InterruptedException {
        final long startNs = System.nanoTime();
        final Duration recent = RECENT.compareTo(timeout) < 0 ? RECENT : timeout;
        final long recentNs = timeout.minus(recent).toNanos();
        long before = load.acknowledgedCount();
        while (load.refusal() == null) {
            final boolean isOver = load.runningCount() == 0;
            // Asked once more: one may have been refused since, and ended.
            if (isOver && load.refusal() == null) {
                return "no publisher runs any more, and none was refused; " + load.acknowledgedCount()
                        + " messages were acknowledged; " + load.ends();
            }
            final long elapsedNs = System.nanoTime() - startNs;
            if (elapsedNs > timeout.toNanos()) {
                return "publishes were not refused within " + timeout.toSeconds() + " s; " + load.runningCount()
                        + " publishers run; " + load.acknowledgedCount() + " messages were acknowledged, "
                        + (load.acknowledgedCount() - before) + " of them in the last " + recent.toSeconds() + " s"
                        + (load.ends().isEmpty() ? "" : "; " + load.ends());
            }
            before = elapsedNs > recentNs ? before : load.acknowledgedCount();
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return load.refusal() == code ? null : "refused with " + load.refusal() + " in place of " + code;
    }

    /** Waits until more was acknowledged than before. Returns what was wrong, or null. */
    static @Nullable String awaitAcknowledgement(final Acknowledged acknowledged, final long before)
            throws InterruptedException {
        final long startNs = System.nanoTime();
        while (acknowledged.count() <= before) {
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(TIMEOUT_S)) {
                return "nothing was acknowledged within " + TIMEOUT_S + " s";
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return null;
    }

    /** Starts a sound broker with a log, and compares its state with it. Returns what is wrong, or null. */
    static @Nullable String restart(final Path jar, final Path directory, final String... options)
            throws IOException, InterruptedException {
        final LogContents log = LogContents.read(directory, Settings.PUBLISHER_COUNT);
        try (BrokerProcess broker = BrokerProcess.start(jar, directory, List.of(), options)) {
            final String endpoint = broker.awaitEndpoint();
            return endpoint == null
                    ? "the broker did not start again: " + broker.output()
                    : LiveState.difference(endpoint, log);
        }
    }

    /** Runs a program. Returns what it says when it fails, or null. */
    static @Nullable String run(final String... command) throws IOException, InterruptedException {
        final Process process =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? null : String.join(" ", command) + ": " + said.strip();
    }
}
