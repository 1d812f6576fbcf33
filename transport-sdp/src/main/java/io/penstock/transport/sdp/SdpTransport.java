package io.penstock.transport.sdp;

import io.penstock.transport.Connection;
import io.penstock.transport.Transport;
import io.penstock.transport.stream.StreamEndpoint;
import io.penstock.transport.stream.StreamMedium;
import java.io.IOException;
import java.net.URI;

/** Java's sockets, opened only where the rules make them into others. */
final class SdpTransport implements Transport {
    private final Transport sockets;
    private final StreamMedium medium;
    private final SdpRules rules;

    SdpTransport(final Transport sockets, final StreamMedium medium, final SdpRules rules) {
        this.sockets = sockets;
        this.medium = medium;
        this.rules = rules;
    }

    @Override
    public URI listen(final URI endpoint) throws IOException {
        rules.require(SdpRules.Action.BIND, StreamEndpoint.parse(endpoint, medium));
        return sockets.listen(endpoint);
    }

    @Override
    public Connection connect(final URI endpoint) throws IOException {
        rules.require(SdpRules.Action.CONNECT, StreamEndpoint.parse(endpoint, medium));
        return sockets.connect(endpoint);
    }

    @Override
    public int poll(final int frameLimit) {
        return sockets.poll(frameLimit);
    }

    @Override
    public void await(final long timeoutNs) {
        sockets.await(timeoutNs);
    }

    @Override
    public boolean prepareToWait() {
        return sockets.prepareToWait();
    }

    @Override
    public void wakeup() {
        sockets.wakeup();
    }

    @Override
    public void close() {
        sockets.close();
    }
}
