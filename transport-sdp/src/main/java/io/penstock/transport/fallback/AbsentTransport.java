package io.penstock.transport.fallback;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.Transports;
import io.penstock.transport.stream.StreamEndpoint;
import io.penstock.transport.stream.StreamMedium;
import java.io.IOException;
import java.net.URI;

/** Opened in place of a transport whose medium this machine has not. */
public final class AbsentTransport implements Transport {
    private static final URI ANY_TCP = URI.create("tcp://localhost:0");

    private final TransportContext context;
    private final StreamMedium medium;
    private final Transport tcp;
    private final String reason;
    private final String remedy;

    /**
     * Opens it.
     *
     * @param context of the agent that owns it.
     * @param medium  that is not there.
     * @param reason  why.
     * @param remedy  what helps.
     * @throws IOException when TCP is not there either.
     */
    public AbsentTransport(
            final TransportContext context, final StreamMedium medium, final String reason, final String remedy)
            throws IOException {
        this.context = context;
        this.medium = medium;
        this.reason = reason;
        this.remedy = remedy;
        tcp = Transports.providerFor(ANY_TCP).open(context);
    }

    @Override
    public URI listen(final URI uri) throws IOException {
        final URI bound = tcp.listen(toTcp(uri));
        final String query = uri.getRawQuery();
        return URI.create(medium.scheme() + "://" + bound.getRawAuthority() + (query == null ? "" : "?" + query));
    }

    @Override
    public Connection connect(final URI uri) throws IOException {
        return tcp.connect(toTcp(uri));
    }

    private URI toTcp(final URI uri) throws IOException {
        final StreamEndpoint endpoint = StreamEndpoint.parse(uri, medium);
        Fallback.toTcp(context, endpoint, reason, remedy);
        return Fallback.tcpOf(endpoint);
    }

    @Override
    public int poll(final int frameLimit) {
        return tcp.poll(frameLimit);
    }

    @Override
    public void await(final long timeoutNs) {
        tcp.await(timeoutNs);
    }

    @Override
    public boolean prepareToWait() {
        return tcp.prepareToWait();
    }

    @Override
    public void wakeup() {
        tcp.wakeup();
    }

    @Override
    public void close() {
        tcp.close();
    }
}
