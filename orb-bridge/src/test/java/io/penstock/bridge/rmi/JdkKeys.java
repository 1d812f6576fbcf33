package io.penstock.bridge.rmi;

import io.penstock.test.tls.TestAuthority;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/**
 * Keys that the JDK's own properties name, from the first use of this class on: the JDK reads them once in a process, and
 * the stubs of an encrypted bridge connect with them.
 */
final class JdkKeys {
    static final TestAuthority AUTHORITY = new TestAuthority("authority");
    static final String PASSWORD = "changeit";

    /** A certificate for {@code bridge} at 127.0.0.1, with its key. */
    static final String KEYS;

    /** The authority, as what is trusted. */
    static final String TRUSTED;

    static {
        try {
            final Path folder = Files.createTempDirectory("jdk-keys");
            final Path trusted = folder.resolve("trusted.p12");
            KEYS = AUTHORITY.issue("bridge", "127.0.0.1").writePkcs12(folder.resolve("keys.p12"), PASSWORD);
            TRUSTED = trusted.toString();
            final KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("authority", AUTHORITY.certificate());
            try (OutputStream out = Files.newOutputStream(trusted)) {
                store.store(out, PASSWORD.toCharArray());
            }
            Path.of(KEYS).toFile().deleteOnExit();
            trusted.toFile().deleteOnExit();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        System.setProperty("javax.net.ssl.keyStore", KEYS);
        System.setProperty("javax.net.ssl.keyStorePassword", PASSWORD);
        System.setProperty("javax.net.ssl.trustStore", TRUSTED);
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
    }

    private JdkKeys() {}
}
