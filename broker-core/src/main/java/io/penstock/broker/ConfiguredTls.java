package io.penstock.broker;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsException;
import io.penstock.transport.tls.TlsReload;
import java.net.URI;
import java.time.Instant;
import org.agrona.concurrent.EpochNanoClock;
import org.jspecify.annotations.Nullable;

/** Makes what encrypted endpoints of a configuration need. */
final class ConfiguredTls {
    private static final long NS_PER_MS = 1_000_000;

    private ConfiguredTls() {}

    /** Null when the configuration has neither an encrypted endpoint nor a certificate. */
    static @Nullable TlsContexts open(final BrokerConfig config) {
        if (!config.tls().hasCertificate()) {
            for (final URI endpoint : config.listen()) {
                if (ListenCheck.isEncrypted(endpoint)) {
                    throw new IllegalArgumentException("tls.certificate: is empty, but " + endpoint
                            + " is encrypted (give the file with the broker's certificate, and tls.key)");
                }
            }
            return null;
        }
        final EpochNanoClock clock = config.epochClock();
        try {
            return TlsContexts.forServer(config.tls(), () -> Instant.ofEpochMilli(clock.nanoTime() / NS_PER_MS));
        } catch (final TlsException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Reads certificates again, and says what came of it. */
    static TlsReload reload(final @Nullable TlsContexts tls, final BrokerEvents events) {
        if (tls == null) {
            return new TlsReload(false, false, "no certificate is configured");
        }
        final TlsReload reload = tls.reload();
        events.onReloaded(reload);
        return reload;
    }

    /** Says what there is to be said of the certificate now, and keeps an eye on its end. */
    static void watch(
            final TlsContexts tls, final BrokerConfig config, final BrokerCounters counters, final EventLog events) {
        final String wide = tls.wideRights();
        if (wide != null) {
            events.report(EventKind.WIDE_RIGHTS, "file", wide, "of", "tls.key", "remedy", "chmod 600 " + wide);
        }
        final CertificateWatch watch = new CertificateWatch(
                tls, config.epochClock(), counters.newCounter("broker", "certificateDaysLeft"), events);
        watch.begin();
        events.atIntervals(watch);
    }
}
