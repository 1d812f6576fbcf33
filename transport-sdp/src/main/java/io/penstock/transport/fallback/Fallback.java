package io.penstock.transport.fallback;

import io.penstock.transport.TransportContext;
import io.penstock.transport.stream.StreamEndpoint;
import java.io.IOException;
import java.net.URI;

/** Whether TCP will do, as the option {@code fallback=tcp} of an endpoint says, and the reports of fallbacks. */
public final class Fallback {
    private static final String NAME = "fallback";
    private static final String TCP = "tcp";

    /** The option. */
    public static final String OPTION = NAME + "=" + TCP;

    private static final System.Logger LOGGER = System.getLogger("io.penstock.transport");

    private Fallback() {}

    /**
     * Lets TCP do, or refuses.
     *
     * @param context  whose counters count it.
     * @param endpoint that was asked for.
     * @param reason   why its medium is not used.
     * @param remedy   what helps.
     * @return the scheme that is used.
     * @throws IOException when the endpoint does not ask for TCP instead.
     */
    public static String toTcp(
            final TransportContext context, final StreamEndpoint endpoint, final String reason, final String remedy)
            throws IOException {
        if (!endpoint.options().containsKey(NAME)) {
            throw new IOException(
                    endpoint.uri() + ": " + reason + " (" + remedy + ", or let TCP do with ?" + OPTION + ")");
        }
        context.counters().onFallback();
        LOGGER.log(System.Logger.Level.WARNING, endpoint.uri() + ": falls back to TCP: " + reason);
        return TCP;
    }

    /**
     * A connection is what it was asked to be.
     *
     * @param endpoint that was asked for.
     * @param medium   that is used, for people.
     */
    public static void notNeeded(final StreamEndpoint endpoint, final String medium) {
        LOGGER.log(System.Logger.Level.DEBUG, endpoint.uri() + ": connected by " + medium);
    }

    /** The endpoint of TCP at the same place. */
    static URI tcpOf(final StreamEndpoint endpoint) {
        final String host = endpoint.host().indexOf(':') < 0 ? endpoint.host() : "[" + endpoint.host() + "]";
        return URI.create(TCP + "://" + host + ":" + endpoint.port());
    }
}
