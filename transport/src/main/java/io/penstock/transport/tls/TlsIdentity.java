package io.penstock.transport.tls;

import io.penstock.transport.PeerIdentity;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What a handshake has proved. */
public final class TlsIdentity {
    private TlsIdentity() {}

    /**
     * The identity of a peer.
     *
     * @param session  of its connection, whose handshake is done.
     * @param isServer whether this side listens.
     * @return with the peer's verified certificates, its own first; without any when it has shown none.
     */
    public static PeerIdentity of(final SSLSession session, final boolean isServer) {
        final List<X509Certificate> peer = peerCertificates(session);
        final List<X509Certificate> listening = isServer ? x509(session.getLocalCertificates()) : peer;
        return new PeerIdentity(
                true, peer, PeerIdentity.UNKNOWN_USER, listening.isEmpty() ? null : listening.get(0));
    }

    private static List<X509Certificate> peerCertificates(final SSLSession session) {
        try {
            return x509(session.getPeerCertificates());
        } catch (final SSLPeerUnverifiedException e) {
            return List.of();
        }
    }

    private static List<X509Certificate> x509(final Certificate @Nullable [] certificates) {
        return certificates == null
                ? List.of()
                : Arrays.stream(certificates).map(X509Certificate.class::cast).toList();
    }
}
