package io.penstock.broker;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.event.EventThread;
import io.penstock.broker.security.audit.Audit;
import io.penstock.broker.security.audit.AuditClient;
import io.penstock.broker.security.audit.AuditKind;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.broker.storage.Storage;
import io.penstock.file.FileErrors;
import io.penstock.transport.tls.TlsReload;
import java.io.IOException;
import java.io.UncheckedIOException;
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
    private @Nullable Audit audit;
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

    /** Opens the audit, if there is to be one, and begins to write it. */
    void openAudit(final @Nullable Storage storage, final BrokerCounters counters) {
        if (storage == null) {
            return;
        }
        try {
            final Audit opened = Audit.open(
                    storage,
                    config.audit().settings(),
                    new Audit.Clocks(config.nanoClock(), config.epochClock()),
                    log,
                    counters);
            audit = opened;
            if (thread != null) {
                opened.start("penstock-audit");
            }
        } catch (final IOException e) {
            throw new UncheckedIOException("audit: " + storage.path("") + ": " + FileErrors.reasonOf(e), e);
        }
    }

    /** Where to record what concerns security. */
    AuditTrail audit() {
        return audit == null ? AuditTrail.NONE : audit.trail();
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
        audit().record(AuditKind.STARTED, AuditClient.BROKER, false, 0, "listening on " + endpoints, "");
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
        audit().record(AuditKind.STOPPED, AuditClient.BROKER, false, 0, "", "");
        log.report(EventKind.STOPPED, "messages", messageCount, "delivered", deliveredCount);
    }

    /** Writes what was reported, when no thread does. */
    void write() {
        if (thread == null) {
            if (audit != null) {
                audit.write();
            }
            log.doWork();
        }
    }

    @Override
    public void close() {
        CloseHelper.close(audit);
        if (thread == null) {
            log.finish();
        } else {
            CloseHelper.close(thread);
        }
    }
}
