package io.penstock.test.tls;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/**
 * A certificate with its key.
 *
 * @param chain its own certificate first, without that of the authority.
 * @param key   of it.
 */
public record TestCertificate(List<X509Certificate> chain, PrivateKey key) {
    public TestCertificate {
        chain = List.copyOf(chain);
    }

    /**
     * Writes the certificate as PEM.
     *
     * @param file to write.
     * @return its name.
     */
    public String writeCertificate(final Path file) {
        return write(file, pem(chain));
    }

    /**
     * Writes the key as PEM.
     *
     * @param file to write.
     * @return its name.
     */
    public String writeKey(final Path file) {
        return write(file, block("PRIVATE KEY", key.getEncoded()));
    }

    /**
     * Writes both as PKCS#12.
     *
     * @param file     to write.
     * @param password of the file, and of the key in it.
     * @return its name.
     */
    public String writePkcs12(final Path file, final String password) {
        try (OutputStream out = Files.newOutputStream(file)) {
            final KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("own", key, password.toCharArray(), chain.toArray(new Certificate[0]));
            store.store(out, password.toCharArray());
            return file.toString();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String pem(final List<X509Certificate> certificates) {
        final StringBuilder text = new StringBuilder();
        try {
            for (final X509Certificate certificate : certificates) {
                text.append(block("CERTIFICATE", certificate.getEncoded()));
            }
        } catch (final CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }

    /**
     * A block of PEM.
     *
     * @param label of it.
     * @param der   its bytes.
     * @return lines.
     */
    public static String block(final String label, final byte[] der) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + label + "-----\n";
    }

    static String write(final Path file, final String text) {
        try {
            return Files.writeString(file, text, StandardCharsets.US_ASCII).toString();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
