package io.penstock.transport.tck;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;

/** The TCK over TLS, on whichever sockets. */
abstract class TlsTransportTck extends SocketTransportTck {
    @Override
    protected URI endpoint() {
        return URI.create("tcps://127.0.0.1:0");
    }

    /** Its handshake goes on while the listening side is polled here. */
    @Override
    protected RawPeer connectRaw(final URI endpoint) {
        final CompletableFuture<RawPeer> peer = CompletableFuture.supplyAsync(() -> {
            try {
                return new RawTlsPeer(endpoint, TlsMedium.peerContext());
            } catch (final IOException e) {
                throw new AssertionError(e);
            } catch (final Exception e) {
                throw new AssertionError("no TLS", e);
            }
        });
        while (!peer.isDone()) {
            pollAll();
        }
        return peer.join();
    }

    /** A handshake takes milliseconds. */
    @Override
    protected int comeAndGoCount() {
        return Integer.getInteger("penstock.connections", 50);
    }

    /** The engine of the JDK allocates for each record; a record has several frames. */
    @Override
    protected double allocatedPerFrameMax() {
        return 1000;
    }
}
