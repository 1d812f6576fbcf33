package io.penstock.transport;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a medium proves about the peer of a connection. Immutable.
 *
 * @param isEncrypted  whether nobody between the two can read or change what is sent.
 * @param certificates of the peer, its own first, verified by the medium; empty when it gave none.
 * @param userId       of the process at the other end, as the kernel knows it; {@link #UNKNOWN_USER} when the medium does
 *                     not tell.
 * @param server       certificate of the side that listens, as this side knows it: its own, or that of the peer. When somebody
 *                     between the two decrypts what passes, the two sides know different ones. Null when the medium has none.
 */
public record PeerIdentity(
        boolean isEncrypted, List<X509Certificate> certificates, int userId, @Nullable X509Certificate server) {
    public static final int UNKNOWN_USER = -1;

    /** Nothing is proved, and nothing is encrypted. */
    public static final PeerIdentity UNKNOWN = new PeerIdentity(false, List.of(), UNKNOWN_USER);

    /**
     * An identity of a medium whose listening side has no certificate.
     *
     * @param isEncrypted  whether nobody between the two can read or change what is sent.
     * @param certificates of the peer, its own first.
     * @param userId       of the process at the other end.
     */
    public PeerIdentity(final boolean isEncrypted, final List<X509Certificate> certificates, final int userId) {
        this(isEncrypted, certificates, userId, null);
    }

    public PeerIdentity {
        certificates = List.copyOf(certificates);
    }
}
