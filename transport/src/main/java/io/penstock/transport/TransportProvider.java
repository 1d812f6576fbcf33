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
     * Whether transports of this scheme call {@link TransportContext#wakeup()} whenever there is something to poll, so
     * that an owner of several may wait in any other.
     *
     * @return false when the owner has to wait in the transport itself, or in a loop if it joins one.
     */
    default boolean wakesOwner() {
        return false;
    }

    /**
     * Whether transports of this scheme can be waited for in {@link TransportContext#loop()}, together with others.
     *
     * @return false when the owner of such a transport can have no other that does not wake it.
     */
    default boolean joinsLoop() {
        return false;
    }

    /**
     * Whether what transports of this scheme send is encrypted, and needs {@link TransportContext#tls()} for it.
     *
     * @return false when anybody between the two peers can read it.
     */
    default boolean isEncrypted() {
        return false;
    }

    /**
     * Opens a transport with no listener and no connection yet.
     *
     * @param context what the owning agent gives to the transport.
     * @return a transport owned by the calling agent.
     * @throws IOException when the medium is not there: no device, no permission, no native library.
     */
    Transport open(TransportContext context) throws IOException;
}
