package io.penstock.transport.tls.openssl;

import io.netty.handler.ssl.OpenSslCertificateException;
import io.netty.internal.tcnative.CertificateVerifier;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The trust of the JDK, with the limits on the certificates of a chain that the JDK has elsewhere. */
final class BoundedTrust extends X509ExtendedTrustManager {
    private static final String LIMIT_OF_BOTH = "jdk.tls.maxCertificateChainLength";

    /** The most certificates that a client may send. */
    static final int CLIENT_CHAIN_LENGTH_MAX = limit("jdk.tls.server.maxInboundCertificateChainLength", 8);

    /** The most certificates that a server may send. */
    static final int SERVER_CHAIN_LENGTH_MAX = limit("jdk.tls.client.maxInboundCertificateChainLength", 10);

    private final X509ExtendedTrustManager trust;
    private final int chainLengthMax;

    private BoundedTrust(final X509ExtendedTrustManager trust, final int chainLengthMax) {
        this.trust = trust;
        this.chainLengthMax = chainLengthMax;
    }

    /** Of a side that listens; without authorities no client is trusted. */
    static BoundedTrust ofClients(final List<X509Certificate> authorities) throws GeneralSecurityException {
        return new BoundedTrust(of(storeOf(authorities)), CLIENT_CHAIN_LENGTH_MAX);
    }

    /** Of a side that connects; without authorities those of the JDK are trusted. */
    static BoundedTrust ofServers(final List<X509Certificate> authorities) throws GeneralSecurityException {
        return new BoundedTrust(of(authorities.isEmpty() ? null : storeOf(authorities)), SERVER_CHAIN_LENGTH_MAX);
    }

    private static int limit(final String name, final int otherwise) {
        return Integer.getInteger(name, Integer.getInteger(LIMIT_OF_BOTH, otherwise));
    }

    private static X509ExtendedTrustManager of(final @Nullable KeyStore store) throws GeneralSecurityException {
        final TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        for (final TrustManager each : factory.getTrustManagers()) {
            if (each instanceof X509ExtendedTrustManager trust) {
                return trust;
            }
        }
        throw new GeneralSecurityException("this JDK has no trust manager that checks hosts");
    }

    private static KeyStore storeOf(final List<X509Certificate> authorities) throws GeneralSecurityException {
        try {
            final KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("trusted-" + i, authorities.get(i));
            }
            return store;
        } catch (final IOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    private interface Check {
        void run() throws CertificateException;
    }

    /** Netty tells the peer of the dates itself; of anything else it would tell that there was an internal error. */
    private void check(final X509Certificate[] chain, final Check check) throws CertificateException {
        try {
            if (chain.length > chainLengthMax) {
                // In the words of the JDK.
                throw new CertificateException("Certificate chain length (" + chain.length
                        + ") exceeds the maximum allowed length (" + chainLengthMax + ")");
            }
            check.run();
        } catch (final CertificateException e) {
            if (isOfDates(e)) {
                throw e;
            }
            // Netty makes another exception of messages that begin as those about hosts do.
            throw new OpenSslCertificateException(
                    "not trusted: " + e.getMessage(),
                    e,
                    CertificateVerifier.X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY);
        }
    }

    private static boolean isOfDates(final Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            if (each instanceof CertificateExpiredException || each instanceof CertificateNotYetValidException) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String kind, final SSLEngine engine)
            throws CertificateException {
        check(chain, () -> trust.checkClientTrusted(chain, kind, engine));
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String kind, final SSLEngine engine)
            throws CertificateException {
        check(chain, () -> trust.checkServerTrusted(chain, kind, engine));
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String kind, final Socket socket)
            throws CertificateException {
        check(chain, () -> trust.checkClientTrusted(chain, kind, socket));
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String kind, final Socket socket)
            throws CertificateException {
        check(chain, () -> trust.checkServerTrusted(chain, kind, socket));
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String kind) throws CertificateException {
        check(chain, () -> trust.checkClientTrusted(chain, kind));
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String kind) throws CertificateException {
        check(chain, () -> trust.checkServerTrusted(chain, kind));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }
}
