package io.penstock.bridge.rmi;

import io.penstock.bridge.config.TlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes sockets with the configured keys. */
final class Tls {
    private Tls() {}

    static @Nullable SSLSocketFactory factory(final TlsConfig config) throws IOException {
        if (!config.isUsed()) {
            return null;
        }
        try {
            final KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(
                    load("bridge.rmi.tls.keyStore", config.keyStore(), config.keyStorePassword()),
                    config.keyStorePassword().toCharArray());
            TrustManager[] trusted = {};
            if (config.needsClientCertificates()) {
                final TrustManagerFactory trust =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trust.init(load("bridge.rmi.tls.trustStore", config.trustStore(), config.trustStorePassword()));
                trusted = trust.getTrustManagers();
            }
            final SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trusted, null);
            return context.getSocketFactory();
        } catch (final GeneralSecurityException e) {
            throw new IOException("bridge.rmi.tls: cannot be used: " + e.getMessage(), e);
        }
    }

    private static KeyStore load(final String key, final String path, final String password)
            throws IOException, GeneralSecurityException {
        final KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            store.load(in, password.toCharArray());
        } catch (final IOException e) {
            throw new IOException(
                    key + ": cannot be read: " + path + ": " + e.getMessage()
                            + " (give a file made by keytool, and its password)",
                    e);
        }
        return store;
    }
}
