package io.penstock.transport.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Managers of what was read from files. */
final class TlsManagers {
    private TlsManagers() {}

    /** Those of an identity; null for none. */
    static KeyManager @Nullable [] keys(final TlsFiles.@Nullable Identity identity) throws GeneralSecurityException {
        if (identity == null) {
            return null;
        }
        final KeyStore store = emptyStore();
        store.setKeyEntry("own", identity.key(), new char[0], identity.chain().toArray(new X509Certificate[0]));
        final KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    /** Those of certificates that are trusted, and of no others; null for those of the JDK. */
    static TrustManager @Nullable [] trust(final List<X509Certificate> trusted) throws GeneralSecurityException {
        if (trusted.isEmpty()) {
            return null;
        }
        final KeyStore store = emptyStore();
        for (int i = 0; i < trusted.size(); i++) {
            store.setCertificateEntry("trusted-" + i, trusted.get(i));
        }
        final TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyStore emptyStore() throws GeneralSecurityException {
        try {
            final KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            return store;
        } catch (final IOException e) {
            throw new GeneralSecurityException(e);
        }
    }
}
