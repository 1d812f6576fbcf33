package io.penstock.broker.security.audit;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.storage.Storage;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** The audit of a broker: where entries are recorded, and what writes them. Owned by who starts the broker. */
public final class Audit implements AutoCloseable {
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long JOIN_TIMEOUT_MS = 5_000;

    private final AuditTrail trail;
    private final AuditWriter writer;
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private @Nullable Thread thread;

    private Audit(final AuditTrail trail, final AuditWriter writer) {
        this.trail = trail;
        this.writer = writer;
    }

    /**
     * Opens the files of an audit, and goes on where they end.
     *
     * @param storage  its directory, which nothing else writes to.
     * @param settings bounds.
     * @param clocks   for limits and times.
     * @param events   for the operator.
     * @param counters gets those of the audit.
     * @return the audit, written by nobody yet.
     * @throws IOException when the files cannot be read, or none can be written.
     */
    public static Audit open(
            final Storage storage,
            final AuditSettings settings,
            final Clocks clocks,
            final EventLog events,
            final BrokerCounters counters)
            throws IOException {
        final AuditTrail trail = new AuditTrail(
                settings.isRefusing(), new AuditLimiter(settings.entriesPerClientMax()), clocks.nano, clocks.epoch);
        return new Audit(
                trail,
                new AuditWriter(
                        storage,
                        settings,
                        trail,
                        clocks.nano,
                        events,
                        new AuditWriter.Counters(
                                counters.newCounter("audit", "auditEntries"),
                                counters.newCounter("audit", "auditEntriesLost"),
                                counters.newCounter("audit", "auditEntriesOmitted"))));
    }

    /** Where entries are recorded. */
    public AuditTrail trail() {
        return trail;
    }

    /** Starts a thread that writes. Without one, {@link #write} is called. */
    public void start(final String name) {
        final Thread started = new Thread(this::run, name);
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private void run() {
        while (!isClosing.get()) {
            if (writer.doWork() == 0) {
                trail.await(WAIT_NS);
            }
        }
        writer.finish();
    }

    /** Writes what was recorded, when no thread does. Called by one thread. */
    public int write() {
        return writer.doWork();
    }

    /** Writes everything, and ends the thread; it is left alone when it takes too long. */
    @Override
    public void close() {
        isClosing.set(true);
        final Thread started = thread;
        if (started == null) {
            writer.finish();
            return;
        }
        trail.wakeup();
        try {
            started.join(JOIN_TIMEOUT_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Where times come from.
     *
     * @param nano  for limits.
     * @param epoch for entries.
     */
    public record Clocks(NanoClock nano, EpochNanoClock epoch) {}
}
