package io.penstock.transport.rsocket;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import io.penstock.transport.fallback.AbsentTransport;
import io.penstock.transport.fallback.Fallback;
import io.penstock.transport.stream.StreamMedium;
import io.penstock.transport.stream.StreamTransport;
import java.io.IOException;
import java.util.Set;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;

/** Makes transports of scheme {@code rsocket}, whose endpoints are {@code rsocket://host:port}. */
public final class RsocketTransportProvider implements TransportProvider {
    private static final String SCHEME = "rsocket";

    /** Longer sends bring nothing: the library cuts them into pieces of at most that. */
    private static final int UNIT = 64 * 1024;

    private static final StreamMedium MEDIUM =
            new StreamMedium(SCHEME, Set.of(Fallback.OPTION), UNIT, (socket, endpoint) -> {
                Fallback.notNeeded(endpoint, "RDMA");
                return SCHEME;
            });

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
        final RsocketCalls calls = new RsocketCalls(library.access());
        final @Nullable String missing = calls.missing();
        if (missing != null) {
            return absent(context, missing, "install librdmacm1");
        }
        final int probe = calls.probe();
        if (probe < 0) {
            return absent(
                    context,
                    "this machine has no RDMA device: " + calls.text(probe),
                    "see 'rdma link'; load rdma_ucm and the driver of a device");
        }
        return open(context, library.access(), calls);
    }

    private static Transport open(final TransportContext context, final NativeAccess access, final RsocketCalls calls)
            throws IOException {
        return new StreamTransport(context, MEDIUM, new RsocketLoop(access, calls), SystemNanoClock.INSTANCE);
    }

    private static Transport absent(final TransportContext context, final String reason, final String remedy)
            throws IOException {
        return new AbsentTransport(context, MEDIUM, reason, remedy);
    }
}
