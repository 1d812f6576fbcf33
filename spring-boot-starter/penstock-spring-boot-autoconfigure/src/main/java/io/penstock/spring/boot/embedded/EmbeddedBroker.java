package io.penstock.spring.boot.embedded;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A broker that lives as long as the context: started when its bean is made, so that all beans that use it find it; drained and
 * closed after the client. Safe on any thread.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final Log LOG = LogFactory.getLog(EmbeddedBroker.class);

    private final Broker broker;
    private final Duration startDuration;
    private final Duration drainTimeout;
    private boolean isClosed;

    EmbeddedBroker(final BrokerConfig config, final Duration drainTimeout) {
        final long startNs = System.nanoTime();
        broker = launch(config);
        startDuration = Duration.ofNanos(System.nanoTime() - startNs);
        this.drainTimeout = drainTimeout;
        LOG.info("penstock: embedded broker started in " + startDuration.toMillis() + " ms, listening on "
                + broker.endpoints());
    }

    private static Broker launch(final BrokerConfig config) {
        try {
            return Broker.launch(config);
        } catch (final UncheckedIOException e) {
            throw new EmbeddedBrokerException(e);
        } catch (final IllegalArgumentException e) {
            throw EmbeddedConfig.refused(e);
        }
    }

    /**
     * The broker itself.
     *
     * @return until the context closes it.
     */
    public Broker broker() {
        return broker;
    }

    /**
     * Where it listens, with real ports.
     *
     * @return first the endpoint in the process, then those that are configured, in their order.
     */
    public List<URI> endpoints() {
        return broker.endpoints();
    }

    /**
     * How long it took to start.
     *
     * @return its share of the start of the application.
     */
    public Duration startDuration() {
        return startDuration;
    }

    /** Has new connections use what the SSL bundle has now, unless the broker is closed. */
    synchronized void reloadCertificates() {
        if (!isClosed) {
            broker.reloadCertificates();
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (!broker.drain(drainTimeout)) {
            LOG.warn("penstock: embedded broker closes before its clients have taken everything; waited "
                    + drainTimeout);
        }
        broker.close();
    }
}
