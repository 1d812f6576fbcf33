package io.penstock.transport.tcp;

import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import io.penstock.transport.stream.SocketLoop;
import io.penstock.transport.stream.StreamMedium;
import io.penstock.transport.stream.StreamTransport;
import io.penstock.transport.stream.tls.TlsSocketLoop;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Makes transports of scheme {@code tcps}, whose endpoints are {@code tcps://host:port}: {@code tcp} with TLS from the first
 * byte on.
 */
public final class TcpsTransportProvider implements TransportProvider {
    private static final StreamMedium MEDIUM = StreamMedium.plain("tcps");

    private final TcpTransportProvider sockets;

    /** Uses the sockets that are best on this machine. */
    public TcpsTransportProvider() {
        this(new TcpTransportProvider());
    }

    /**
     * Uses the sockets of a provider.
     *
     * @param sockets whose loops are used.
     */
    public TcpsTransportProvider(final TcpTransportProvider sockets) {
        this.sockets = sockets;
    }

    @Override
    public String scheme() {
        return MEDIUM.scheme();
    }

    @Override
    public boolean joinsLoop() {
        return true;
    }

    @Override
    public boolean isEncrypted() {
        return true;
    }

    @Override
    public Transport open(final TransportContext context) throws IOException {
        final TlsContexts tls = context.tls();
        if (tls == null) {
            throw new IOException("tcps: there are no settings of TLS (give the configuration a section tls)");
        }
        final SocketLoop medium = sockets.openLoop(context.loop());
        final TlsSocketLoop loop = new TlsSocketLoop(
                medium,
                tls,
                context.counters(),
                (peer, reason) -> context.handler().onRefused(textOf(peer), reason),
                SystemNanoClock.INSTANCE,
                context.connectionLimit());
        return new StreamTransport(context, MEDIUM, loop, SystemNanoClock.INSTANCE);
    }

    private static String textOf(final InetSocketAddress peer) {
        final InetAddress address = peer.getAddress();
        final String host = address.getHostAddress();
        return MEDIUM.scheme() + "://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + peer.getPort();
    }
}
