package io.penstock.transport.tcp;

import io.penstock.transport.SelectorLoop;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import io.penstock.transport.stream.SocketLoop;
import io.penstock.transport.stream.StreamMedium;
import io.penstock.transport.stream.StreamTransport;
import io.penstock.transport.stream.epoll.EpollSocketLoop;
import io.penstock.transport.stream.epoll.NativeEpoll;
import io.penstock.transport.stream.nio.NioSocketLoop;
import java.io.IOException;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Makes transports of scheme {@code tcp}, whose endpoints are {@code tcp://host:port}. Uses Netty's native epoll where
 * it is present in a version that fits, and Java's selector elsewhere, unless one of them is chosen. A loop that several
 * transports share is always Java's selector.
 */
public final class TcpTransportProvider implements TransportProvider {
    private static final StreamMedium MEDIUM = StreamMedium.plain("tcp");

    private final boolean isEpoll;
    private final NanoClock clock;

    /** Uses what is best on this machine. */
    public TcpTransportProvider() {
        this(NativeEpoll.isAvailable());
    }

    private TcpTransportProvider(final boolean isEpoll) {
        this.isEpoll = isEpoll;
        this.clock = SystemNanoClock.INSTANCE;
    }

    /**
     * A provider that uses Java's selector, which is there on every machine.
     *
     * @return the provider.
     */
    public static TcpTransportProvider nio() {
        return new TcpTransportProvider(false);
    }

    /**
     * A provider that uses Netty's native epoll, and whose {@link #open} fails where that is not present.
     *
     * @return the provider.
     */
    public static TcpTransportProvider epoll() {
        return new TcpTransportProvider(true);
    }

    /**
     * Whether Netty's native epoll is present.
     *
     * @return true on Linux when its library could be loaded.
     */
    public static boolean isEpollAvailable() {
        return NativeEpoll.isAvailable();
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
    public Transport open(final TransportContext context) throws IOException {
        return new StreamTransport(context, MEDIUM, openLoop(context.loop()), clock);
    }

    /** An owner that waits for other transports as well waits in Java's selector. */
    SocketLoop openLoop(final @Nullable SelectorLoop shared) throws IOException {
        if (isEpoll && !NativeEpoll.isAvailable()) {
            throw new IOException(
                    "tcp: native epoll is not available: " + NativeEpoll.whyNot() + " (use Java's selector)");
        }
        if (shared != null) {
            return new NioSocketLoop(shared, false);
        }
        return isEpoll ? new EpollSocketLoop(clock) : new NioSocketLoop(new SelectorLoop(), true);
    }
}
