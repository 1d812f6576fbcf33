package io.penstock.transport.tls;

import io.penstock.file.FileErrors;
import io.penstock.file.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the files that settings of TLS name. Its errors name the setting, the file, the reason and the remedy. */
final class TlsFiles {
    private static final long FILE_LENGTH_MAX = 4 * 1024 * 1024;

    private static final String PKCS12 = "PKCS12";

    private TlsFiles() {}

    /**
     * A certificate and its key.
     *
     * @param chain its own first.
     */
    record Identity(List<X509Certificate> chain, PrivateKey key) {
        X509Certificate own() {
            return chain.get(0);
        }
    }

    /** The certificate and key of settings that name one. */
    static Identity identity(final TlsConfig config) throws TlsException {
        final byte[] file = read("tls.certificate", config.certificate());
        final Identity identity = explained(
                "tls.certificate",
                config.certificate(),
                () -> Pem.is(file) ? ofPem(config, file) : ofStore(file, config.password()));
        if (!PrivateKeys.fits(identity.key(), identity.own().getPublicKey())) {
            throw new TlsException(
                    keySetting(config) + ": the key does not belong to the first certificate of " + config.certificate()
                            + " (give the key it was made for, and put this side's own certificate first)");
        }
        return identity;
    }

    private static String keySetting(final TlsConfig config) {
        return config.key().isEmpty() ? "tls.certificate: " + config.certificate() : "tls.key: " + config.key();
    }

    private static Identity ofPem(final TlsConfig config, final byte[] file) throws TlsException {
        final List<Pem.Block> blocks = Pem.blocks(file);
        final List<X509Certificate> chain = certificates(blocks);
        if (chain.isEmpty()) {
            throw new TlsException("there is no certificate in it (name the file with the certificate)");
        }
        final PrivateKey key = config.key().isEmpty()
                ? PrivateKeys.of(blocks, config.password())
                : explained("tls.key", config.key(), () -> keyIn(config));
        if (key == null) {
            throw new TlsException("there is no key in it (give tls.key)");
        }
        return new Identity(chain, key);
    }

    private static PrivateKey keyIn(final TlsConfig config) throws TlsException {
        final byte[] file = read("tls.key", config.key());
        final PrivateKey key = PrivateKeys.of(Pem.blocks(file), config.password());
        if (key == null) {
            throw new TlsException("there is no private key in PEM in it (write it so: openssl pkcs8 -topk8 -nocrypt)");
        }
        return key;
    }

    private static Identity ofStore(final byte[] file, final String password) throws TlsException {
        final KeyStore store = store(file, password, "tls.password");
        try {
            for (final String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias) && store.getKey(alias, password.toCharArray()) instanceof PrivateKey key) {
                    return new Identity(x509(store.getCertificateChain(alias)), key);
                }
            }
        } catch (final UnrecoverableKeyException e) {
            throw new TlsException("the password opens the file, but not the key in it (use one for both)", e);
        } catch (final GeneralSecurityException e) {
            throw new TlsException("the key in it cannot be used: " + e.getMessage() + " (make the file anew)", e);
        }
        throw new TlsException("there is no key with a certificate in it (name the file with both)");
    }

    /** The certificates of authorities. */
    static List<X509Certificate> trusted(final TlsConfig config) throws TlsException {
        final byte[] file = read("tls.trust", config.trust());
        return explained("tls.trust", config.trust(), () -> {
            final List<X509Certificate> trusted =
                    Pem.is(file) ? certificates(Pem.blocks(file)) : trustedOf(file, config.trustPassword());
            if (trusted.isEmpty()) {
                throw new TlsException(
                        "there is no trusted certificate in it (name the file with the authorities' certificates;"
                                + " keytool -importcert adds one to PKCS#12)");
            }
            return trusted;
        });
    }

    private static List<X509Certificate> trustedOf(final byte[] file, final String password) throws TlsException {
        final KeyStore store = store(file, password, "tls.trustPassword");
        final List<X509Certificate> trusted = new ArrayList<>();
        try {
            for (final String alias : Collections.list(store.aliases())) {
                if (store.isCertificateEntry(alias)
                        && store.getCertificate(alias) instanceof X509Certificate certificate) {
                    trusted.add(certificate);
                }
            }
        } catch (final GeneralSecurityException e) {
            throw new TlsException("it cannot be used: " + e.getMessage() + " (make the file anew)", e);
        }
        return trusted;
    }

    private static KeyStore store(final byte[] file, final String password, final String setting) throws TlsException {
        try {
            final KeyStore store = KeyStore.getInstance(PKCS12);
            store.load(new ByteArrayInputStream(file), password.toCharArray());
            return store;
        } catch (final IOException e) {
            throw e.getCause() instanceof UnrecoverableKeyException
                    ? new TlsException("the password does not open it (correct " + setting + ")", e)
                    : new TlsException("it is neither PEM nor PKCS#12 (convert it: openssl x509, openssl pkcs12)", e);
        } catch (final GeneralSecurityException e) {
            throw new TlsException("it cannot be used: " + e.getMessage() + " (make the file anew)", e);
        }
    }

    private static List<X509Certificate> certificates(final List<Pem.Block> blocks) throws TlsException {
        final List<X509Certificate> certificates = new ArrayList<>();
        for (final Pem.Block block : blocks) {
            if (block.label().equals(Pem.CERTIFICATE)) {
                try {
                    certificates.add((X509Certificate) CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(block.bytes())));
                } catch (final GeneralSecurityException e) {
                    throw new TlsException(
                            "certificate " + (certificates.size() + 1)
                                    + " in it cannot be decoded (copy the file again)",
                            e);
                }
            }
        }
        return certificates;
    }

    private static List<X509Certificate> x509(final Certificate[] chain) {
        return Arrays.stream(chain).map(X509Certificate.class::cast).toList();
    }

    private static byte[] read(final String setting, final String name) throws TlsException {
        final Path file = Path.of(name);
        try {
            if (Files.size(file) > FILE_LENGTH_MAX) {
                throw new TlsException(setting + ": " + name + ": is longer than " + FILE_LENGTH_MAX
                        + " bytes (name a file with certificates)");
            }
            return Files.readAllBytes(file);
        } catch (final TlsException e) {
            throw e;
        } catch (final IOException e) {
            throw new TlsException(
                    setting + ": cannot be read: " + name + ": " + FileErrors.reasonOf(e)
                            + " (give it to the user that runs this program, or correct the name)",
                    e);
        }
    }

    /** What is there to be said about the rights to the file with the key; null when only its owner has some. */
    static @Nullable String wideRights(final TlsConfig config) {
        final String name = config.key().isEmpty() ? config.certificate() : config.key();
        try {
            return OwnerOnly.wideRights(Path.of(name)) == null ? null : name;
        } catch (final IOException e) {
            return null;
        }
    }

    private interface Reading<T> {
        T read() throws TlsException;
    }

    /** Says of what is wrong in a file where that is. */
    private static <T> T explained(final String setting, final String file, final Reading<T> reading)
            throws TlsException {
        try {
            return reading.read();
        } catch (final TlsException e) {
            throw String.valueOf(e.getMessage()).startsWith("tls.")
                    ? e
                    : new TlsException(setting + ": " + file + ": " + e.getMessage(), e);
        }
    }
}
