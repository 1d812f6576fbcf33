package io.penstock.transport.tls;

import io.penstock.transport.PeerIdentity;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** What a handshake has proved. */
public final class TlsIdentity {
    private TlsIdentity() {}

    /**
     * The identity of a peer.
     *
     * @param session of its connection, whose handshake is done.
     * @return with the peer's verified certificates, its own first; without any when it has shown none.
     */
    public static PeerIdentity of(final SSLSession session) {
        try {
            final List<X509Certificate> certificates = Arrays.stream(session.getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
            return new PeerIdentity(true, certificates, PeerIdentity.UNKNOWN_USER);
        } catch (final SSLPeerUnverifiedException e) {
            return new PeerIdentity(true, List.of(), PeerIdentity.UNKNOWN_USER);
        }
    }
}
