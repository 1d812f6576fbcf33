package io.penstock.transport;

import java.io.IOException;

/**
 * Makes transports of one URI scheme. Found with {@link java.util.ServiceLoader}, so that a new transport touches
 * nothing but its own module.
 */
public interface TransportProvider {
    /**
     * The URI scheme that this provider serves.
     *
     * @return the scheme in lower case, for example {@code tcp}.
     */
    String scheme();

    /**
     * Opens a transport with no listener and no connection yet.
     *
     * @param context what the owning agent gives to the transport.
     * @return a transport owned by the calling agent.
     * @throws IOException when the medium is not there: no device, no permission, no native library.
     */
    Transport open(TransportContext context) throws IOException;
}
