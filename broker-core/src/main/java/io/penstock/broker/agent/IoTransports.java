package io.penstock.broker.agent;

import io.penstock.transport.SelectorLoop;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The transports of one I/O agent, one for each scheme that it listens on, and where it waits for them: in one of them
 * if all others wake it, else in a loop that they share.
 */
final class IoTransports implements AutoCloseable {
    private final Map<String, Transport> byScheme = new TreeMap<>();
    private final TransportSwitches switches = new TransportSwitches();
    private Transport[] all = new Transport[0];

    /** All but the one that the agent waits in. */
    private Transport[] prepared = new Transport[0];

    private @Nullable Transport awaited;
    private @Nullable SelectorLoop loop;

    /** Makes the context of a transport. */
    interface ContextMaker {
        /** Makes the context of the transport of a scheme; the loop is the one in which it waits, null when it has its own. */
        TransportContext make(String scheme, @Nullable SelectorLoop loop);
    }

    /** Opens what endpoints need. Called once, before the agent starts. */
    void open(final List<URI> endpoints, final ContextMaker contexts) throws IOException {
        final Map<String, TransportProvider> providers = new TreeMap<>();
        for (final URI endpoint : endpoints) {
            providers.put(String.valueOf(endpoint.getScheme()), Transports.providerFor(endpoint));
        }
        final List<TransportProvider> waiting = providers.values().stream()
                .filter(provider -> !provider.wakesOwner())
                .toList();
        if (waiting.size() > 1) {
            if (!waiting.stream().allMatch(TransportProvider::joinsLoop)) {
                throw new IOException("listen: endpoints of schemes " + providers.keySet()
                        + " cannot share an I/O agent (use threading DEDICATED with an ioAgentCount of "
                        + waiting.size() + " or more)");
            }
            loop = new SelectorLoop();
        }
        for (final Map.Entry<String, TransportProvider> provider : providers.entrySet()) {
            final Transport transport = provider.getValue().open(contexts.make(provider.getKey(), loop));
            byScheme.put(provider.getKey(), transport);
            if (loop == null && (awaited == null || !provider.getValue().wakesOwner())) {
                awaited = transport;
            }
        }
        all = byScheme.values().toArray(new Transport[0]);
        final List<Transport> others = new ArrayList<>(byScheme.values());
        others.remove(awaited);
        prepared = others.toArray(new Transport[0]);
    }

    /** Says what messages are sent from. Called before anything is listened on. */
    void prepareBodies(final DirectBuffer memory) {
        for (final Transport transport : all) {
            transport.prepareBodies(memory);
        }
    }

    /** Listens on one of the endpoints. */
    URI listen(final URI endpoint) throws IOException {
        final Transport transport = byScheme.get(String.valueOf(endpoint.getScheme()));
        if (transport == null) {
            throw new IllegalStateException("I/O agent: no transport was opened for " + endpoint);
        }
        final URI bound = transport.listen(endpoint);
        switches.onListening(bound);
        return bound;
    }

    /** Whether the transports take new connections. */
    TransportSwitches switches() {
        return switches;
    }

    /** All transports, to be polled; the array must not be changed. */
    Transport[] all() {
        return all;
    }

    /** Blocks until something is to be polled, until woken, or until the time is up. */
    void await(final long timeoutNs) {
        for (final Transport transport : prepared) {
            if (!transport.prepareToWait()) {
                return;
            }
        }
        final Transport transport = awaited;
        if (transport != null) {
            transport.await(timeoutNs);
        } else if (loop != null) {
            await(loop, timeoutNs);
        }
    }

    private static void await(final SelectorLoop loop, final long timeoutNs) {
        try {
            loop.await(timeoutNs);
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Ends a present or the next wait. Any thread, once opened. */
    void wakeup() {
        final Transport transport = awaited;
        if (transport != null) {
            transport.wakeup();
        } else if (loop != null) {
            loop.wakeup();
        }
    }

    @Override
    public void close() {
        CloseHelper.closeAll(byScheme.values());
        CloseHelper.close(loop);
    }
}
