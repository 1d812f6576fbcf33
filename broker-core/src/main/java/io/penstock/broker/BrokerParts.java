package io.penstock.broker;

import io.penstock.broker.agent.Engine;
import io.penstock.broker.agent.ThreadPlacement;
import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.concurrent.ErrorLog;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsReload;
import java.io.Closeable;
import java.net.URI;
import java.util.List;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a broker that runs.
 *
 * @param engine     serves clients.
 * @param security   lets them, or not.
 * @param tls        has the certificates; null when there are none.
 * @param reload     gives another configuration to what takes one.
 * @param endpoints  that clients connect to, as they were bound.
 * @param placements of threads on CPUs.
 * @param reports    tell how it is.
 * @param locks      of directories; closed last.
 */
record BrokerParts(
        Engine engine,
        ConfiguredSecurity security,
        @Nullable TlsContexts tls,
        BrokerReload reload,
        List<URI> endpoints,
        List<ThreadPlacement> placements,
        Reports reports,
        List<Closeable> locks) {
    /**
     * What tells how a broker is.
     *
     * @param counters of all parts.
     * @param errorLog has what failed.
     * @param events   tells the operator.
     */
    record Reports(BrokerCounters counters, ErrorLog errorLog, BrokerEvents events) {}

    BrokerCounters counters() {
        return reports.counters();
    }

    ErrorLog errorLog() {
        return reports.errorLog();
    }

    BrokerEvents events() {
        return reports.events();
    }

    TlsReload reloadCertificates() {
        return ConfiguredTls.reload(tls, events());
    }

    void close(final long messageCount, final long deliveredCount) {
        engine.close();
        security.close();
        events().onStopped(messageCount, deliveredCount);
        events().close();
        CloseHelper.quietCloseAll(locks);
    }
}
