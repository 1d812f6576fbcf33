package io.penstock.transport.smc;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import io.penstock.transport.fallback.AbsentTransport;
import io.penstock.transport.fallback.Fallback;
import io.penstock.transport.stream.StreamMedium;
import io.penstock.transport.stream.StreamTransport;
import io.penstock.transport.stream.epoll.EpollSocketLoop;
import io.penstock.transport.stream.epoll.NativeEpoll;
import java.io.IOException;
import java.util.Set;
import org.agrona.concurrent.SystemNanoClock;

/** Makes transports of scheme {@code smc}, whose endpoints are {@code smc://host:port} with an IPv4 address. */
public final class SmcTransportProvider implements TransportProvider {
    static final String SCHEME = "smc";

    private static final int UNIT = 64 * 1024;

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public Transport open(final TransportContext context) throws IOException {
        final NativeLibrary library = NativeLibrary.get();
        if (!library.isAvailable()) {
            return absent(context, library.report(), "see the native library");
        }
        if (!NativeEpoll.isAvailable()) {
            return absent(context, "no native epoll: " + NativeEpoll.whyNot(), "use Linux, and Netty 4.2");
        }
        final NativeAccess access = library.access();
        final SmcSockets sockets = new SmcSockets(access);
        try {
            access.descriptorClose(sockets.open());
        } catch (final IOException ex) {
            return absent(context, String.valueOf(ex.getMessage()), "load the kernel's module: modprobe smc");
        }
        final StreamMedium medium = medium((socket, endpoint) -> sockets.schemeOf(context, socket, endpoint));
        final EpollSocketLoop loop = EpollSocketLoop.over(SystemNanoClock.INSTANCE, sockets);
        return new StreamTransport(context, medium, loop, SystemNanoClock.INSTANCE);
    }

    private static StreamMedium medium(final StreamMedium.Check check) {
        return new StreamMedium(SCHEME, Set.of(Fallback.OPTION), UNIT, check);
    }

    private static Transport absent(final TransportContext context, final String reason, final String remedy)
            throws IOException {
        return new AbsentTransport(context, medium((socket, endpoint) -> SCHEME), reason, remedy);
    }
}
