package io.penstock.transport;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a medium proves about the peer of a connection. Immutable.
 *
 * @param isEncrypted  whether nobody between the two can read or change what is sent.
 * @param certificates of the peer, its own first, verified by the medium; empty when it gave none.
 * @param userId       of the process at the other end, as the kernel knows it; {@link #UNKNOWN_USER} when the medium does
 *                     not tell.
 */
public record PeerIdentity(boolean isEncrypted, List<X509Certificate> certificates, int userId) {
    public static final int UNKNOWN_USER = -1;

    /** Nothing is proved, and nothing is encrypted. */
    public static final PeerIdentity UNKNOWN = new PeerIdentity(false, List.of(), UNKNOWN_USER);

    public PeerIdentity {
        certificates = List.copyOf(certificates);
    }
}
