package io.penstock.broker;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.event.EventThread;
import io.penstock.broker.storage.Storage;
import io.penstock.file.FileErrors;
import io.penstock.transport.tls.TlsReload;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/** Events of a broker's own life, and the thread that writes events, unless the caller drives the broker. */
final class BrokerEvents implements AutoCloseable {
    private final BrokerConfig config;
    private final EventLog log;
    private final @Nullable EventThread thread;
    private long drainingNs;

    BrokerEvents(final BrokerConfig config, final BrokerCounters counters) {
        this.config = config;
        log = new EventLog(
                config.events(),
                config.nanoClock(),
                config.epochClock(),
                counters.newCounter("broker", "eventsSuppressed"));
        thread = config.threading() == ThreadingMode.INVOKER ? null : new EventThread(log, "penstock-events");
    }

    EventLog log() {
        return log;
    }

    /** A folder that others may use stays as it is: somebody may have given it to them. */
    void onOpened(final String what, final @Nullable Storage storage) {
        try {
            final String rights = storage == null ? null : storage.wideRights();
            if (storage != null && rights != null) {
                log.report(
                        EventKind.WIDE_RIGHTS,
                        "folder",
                        storage.path(""),
                        "of",
                        what,
                        "rights",
                        rights,
                        "remedy",
                        "chmod 700 " + storage.path(""));
            }
        } catch (final IOException e) {
            log.report(EventKind.WIDE_RIGHTS, "of", what, "reason", FileErrors.reasonOf(e));
        }
    }

    void onListening(final List<URI> endpoints) {
        new StartEvents(log).report(config, endpoints);
    }

    void onReloaded(final TlsReload reload) {
        log.report(
                reload.isRefused() ? EventKind.CERTIFICATES_REFUSED : EventKind.CERTIFICATES_RELOADED,
                reload.isRefused() ? "reason" : "changes",
                reload.text());
    }

    void onDraining(final Duration timeout) {
        drainingNs = config.nanoClock().nanoTime();
        log.report(EventKind.DRAINING, "timeoutMs", timeout.toMillis());
    }

    void onDrained(final boolean isDrained) {
        log.report(
                isDrained ? EventKind.DRAINED : EventKind.DRAIN_TIMED_OUT,
                "waitedMs",
                TimeUnit.NANOSECONDS.toMillis(config.nanoClock().nanoTime() - drainingNs));
    }

    void onStopped(final long messageCount, final long deliveredCount) {
        log.report(EventKind.STOPPED, "messages", messageCount, "delivered", deliveredCount);
    }

    /** Writes what was reported, when no thread does. */
    void write() {
        if (thread == null) {
            log.doWork();
        }
    }

    @Override
    public void close() {
        if (thread == null) {
            log.finish();
        } else {
            CloseHelper.close(thread);
        }
    }
}
