package io.penstock.transport.sdp;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.transport.SelectorLoop;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import io.penstock.transport.fallback.AbsentTransport;
import io.penstock.transport.fallback.Fallback;
import io.penstock.transport.stream.SocketLoop;
import io.penstock.transport.stream.StreamMedium;
import io.penstock.transport.stream.StreamTransport;
import io.penstock.transport.stream.nio.NioSocketLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.agrona.concurrent.SystemNanoClock;

/** Makes transports of scheme {@code sdp}, whose endpoints are {@code sdp://host:port} with an IPv4 address. */
public final class SdpTransportProvider implements TransportProvider {
    static final String SCHEME = "sdp";

    /** Above it the protocol registers memory for each send. */
    private static final int UNIT = 64 * 1024;

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public boolean joinsLoop() {
        return true;
    }

    @Override
    public Transport open(final TransportContext context) throws IOException {
        final NativeLibrary library = NativeLibrary.get();
        if (!library.isAvailable()) {
            return absent(context, new SdpPreflight.Obstacle(library.report(), "see the native library"));
        }
        final NativeAccess access = library.access();
        final SdpPreflight preflight = new SdpPreflight(access);
        final SdpPreflight.Obstacle obstacle =
                preflight.obstacle(Runtime.version().feature(), System::getProperty);
        if (obstacle != null) {
            return absent(context, obstacle);
        }
        final SocketFamily family = new SocketFamily(access);
        final StreamMedium medium =
                medium((socket, endpoint) -> family.schemeOf(context, socket.localAddress(), endpoint));
        final Path rules = Path.of(System.getProperty(SdpPreflight.RULES_PROPERTY));
        final Transport sockets = new StreamTransport(context, medium, loop(context), SystemNanoClock.INSTANCE);
        return new SdpTransport(sockets, medium, new SdpRules(rules));
    }

    private static SocketLoop loop(final TransportContext context) throws IOException {
        final SelectorLoop shared = context.loop();
        return shared == null ? new NioSocketLoop(new SelectorLoop(), true) : new NioSocketLoop(shared, false);
    }

    private static StreamMedium medium(final StreamMedium.Check check) {
        return new StreamMedium(SCHEME, Set.of(Fallback.OPTION), UNIT, check);
    }

    private static Transport absent(final TransportContext context, final SdpPreflight.Obstacle obstacle)
            throws IOException {
        return new AbsentTransport(context, medium((socket, endpoint) -> SCHEME), obstacle.reason(), obstacle.remedy());
    }
}
