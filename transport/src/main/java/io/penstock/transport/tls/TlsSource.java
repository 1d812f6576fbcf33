package io.penstock.transport.tls;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * Gives what a side has and trusts, instead of files: for programs that manage keys and certificates themselves. Asked on any
 * thread.
 */
@FunctionalInterface
public interface TlsSource {
    /** There is none: files are read. */
    TlsSource FILES = () -> {
        throw new GeneralSecurityException("there is no source but files");
    };

    /**
     * Asked at the start, and again when a client connects or a broker reads its certificates again. Connections that there are keep
     * what they have.
     *
     * @return the same as before as long as nothing has changed, so that sessions of TLS can be taken up again.
     * @throws GeneralSecurityException when it cannot be made; new connections use the one from before then.
     */
    SSLContext context() throws GeneralSecurityException;

    /**
     * The certificate of this side and those that lead to its authority, so that somebody hears before it ends.
     *
     * @return its own first; empty for none, or when that is not known.
     */
    default List<X509Certificate> chain() {
        return List.of();
    }
}
