package io.penstock.transport.tck;

import io.penstock.transport.Connection;
import io.penstock.transport.SelectorLoop;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;

/** Transports whose owner waits in a loop, as one does that has several. */
final class SharedLoopProvider implements TransportProvider {
    private final TransportProvider provider;

    SharedLoopProvider(final TransportProvider provider) {
        this.provider = provider;
    }

    @Override
    public String scheme() {
        return provider.scheme();
    }

    @Override
    public Transport open(final TransportContext context) throws IOException {
        final SelectorLoop loop = new SelectorLoop();
        return new Waiting(
                loop,
                provider.open(new TransportContext(
                                context.handler(),
                                context.frameLengthMax(),
                                context.connectTimeoutNs(),
                                context.connectionLimit(),
                                context.counters(),
                                context.wakeup(),
                                loop,
                                context.errorHandler())
                        .tls(context.tls())));
    }

    private record Waiting(SelectorLoop loop, Transport transport) implements Transport {
        @Override
        public URI listen(final URI endpoint) throws IOException {
            return transport.listen(endpoint);
        }

        @Override
        public Connection connect(final URI endpoint) throws IOException {
            return transport.connect(endpoint);
        }

        @Override
        public int poll(final int frameLimit) {
            return transport.poll(frameLimit);
        }

        @Override
        public void await(final long timeoutNs) {
            if (transport.prepareToWait() && timeoutNs > 0) {
                try {
                    loop.await(timeoutNs);
                } catch (final IOException ex) {
                    throw new UncheckedIOException(ex);
                }
            }
        }

        @Override
        public void wakeup() {
            loop.wakeup();
        }

        @Override
        public void close() {
            transport.close();
            loop.close();
        }
    }
}
