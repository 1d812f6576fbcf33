package io.penstock.transport.tls;

import java.util.List;

/**
 * The settings of TLS, for either side. Immutable.
 *
 * @param certificate        file with this side's certificate and those that lead to its authority, PEM or PKCS#12; empty
 *                           for none.
 * @param key                PEM file with the key of the certificate; empty when the certificate's file has it as well.
 * @param password           of the key, or of the PKCS#12 file; empty for none.
 * @param trust              file with the certificates of trusted authorities, PEM or PKCS#12; empty for those of the JDK.
 * @param trustPassword      of the PKCS#12 file; empty for none.
 * @param clientCertificates whether those that connect are asked for a certificate. For the side that listens.
 * @param protocols          versions that are spoken.
 * @param ciphers            cipher suites that may be used, the best one first; empty for all that {@link TlsCiphers} knows.
 * @param handshakeTimeoutMs the longest handshake, in milliseconds.
 * @param source             of what the files would have; {@link TlsSource#FILES} for the files.
 * @param engine             that encrypts the connections of transports.
 */
public record TlsConfig(
        String certificate,
        String key,
        String password,
        String trust,
        String trustPassword,
        ClientCertificates clientCertificates,
        List<String> protocols,
        List<String> ciphers,
        int handshakeTimeoutMs,
        TlsSource source,
        EngineChoice engine) {
    public static final List<String> PROTOCOLS_DEFAULT = List.of(TlsCiphers.TLS_1_3);
    public static final int HANDSHAKE_TIMEOUT_MS_DEFAULT = 10_000;
    private static final int HANDSHAKE_TIMEOUT_MS_MIN = 100;
    private static final int HANDSHAKE_TIMEOUT_MS_MAX = 600_000;
    private static final TlsConfig NONE = new TlsConfig(
            "",
            "",
            "",
            "",
            "",
            ClientCertificates.NONE,
            PROTOCOLS_DEFAULT,
            List.of(),
            HANDSHAKE_TIMEOUT_MS_DEFAULT,
            TlsSource.FILES,
            EngineChoice.AUTO);

    public TlsConfig {
        protocols = List.copyOf(protocols);
        ciphers = List.copyOf(ciphers);
        TlsCiphers.check(protocols, ciphers);
        if (!key.isEmpty() && certificate.isEmpty()) {
            throw new IllegalArgumentException(
                    "tls.key: there is no certificate for it: " + key + " (give tls.certificate as well)");
        }
        if (!source.equals(TlsSource.FILES) && !(certificate + trust).isEmpty()) {
            throw new IllegalArgumentException(
                    "tls.certificate, tls.trust: beside certificates that the program gives: "
                            + (certificate.isEmpty() ? trust : certificate) + " (give one of them)");
        }
        if (clientCertificates != ClientCertificates.NONE && trust.isEmpty() && source.equals(TlsSource.FILES)) {
            throw new IllegalArgumentException("tls.trust: is empty, but tls.clientCertificates asks for certificates"
                    + " (name a file with the authorities that sign those of clients)");
        }
        if (handshakeTimeoutMs < HANDSHAKE_TIMEOUT_MS_MIN || handshakeTimeoutMs > HANDSHAKE_TIMEOUT_MS_MAX) {
            throw new IllegalArgumentException("tls.handshakeTimeoutMs: out of range: " + handshakeTimeoutMs + " (use "
                    + HANDSHAKE_TIMEOUT_MS_MIN + " to " + HANDSHAKE_TIMEOUT_MS_MAX + ")");
        }
    }

    /**
     * Settings without any file: a side that connects trusts the authorities of the JDK; one that listens cannot do
     * with these.
     *
     * @return the defaults.
     */
    public static TlsConfig defaults() {
        return NONE;
    }

    /**
     * Changes the certificate.
     *
     * @param newCertificate file, PEM or PKCS#12.
     * @param newKey         PEM file; empty when the other one has the key as well.
     * @return the same with these.
     */
    public TlsConfig certificate(final String newCertificate, final String newKey) {
        return new TlsConfig(
                newCertificate,
                newKey,
                password,
                trust,
                trustPassword,
                clientCertificates,
                protocols,
                ciphers,
                handshakeTimeoutMs,
                source,
                engine);
    }

    /**
     * Changes the password of the key, or of the PKCS#12 file with it.
     *
     * @param value empty for none.
     * @return the same with this one.
     */
    public TlsConfig password(final String value) {
        return new TlsConfig(
                certificate,
                key,
                value,
                trust,
                trustPassword,
                clientCertificates,
                protocols,
                ciphers,
                handshakeTimeoutMs,
                source,
                engine);
    }

    /**
     * Changes whom to trust.
     *
     * @param file     with the certificates of authorities, PEM or PKCS#12; empty for those of the JDK.
     * @param newPassword of the PKCS#12 file; empty for none.
     * @return the same with these.
     */
    public TlsConfig trust(final String file, final String newPassword) {
        return new TlsConfig(
                certificate,
                key,
                password,
                file,
                newPassword,
                clientCertificates,
                protocols,
                ciphers,
                handshakeTimeoutMs,
                source,
                engine);
    }

    /**
     * Changes whether those that connect are asked for a certificate.
     *
     * @param value for the side that listens.
     * @return the same with this.
     */
    public TlsConfig clientCertificates(final ClientCertificates value) {
        return new TlsConfig(
                certificate,
                key,
                password,
                trust,
                trustPassword,
                value,
                protocols,
                ciphers,
                handshakeTimeoutMs,
                source,
                engine);
    }

    /**
     * Changes what is spoken.
     *
     * @param newProtocols versions.
     * @param newCiphers   suites, the best one first; empty for all that are known.
     * @return the same with these.
     */
    public TlsConfig protocols(final List<String> newProtocols, final List<String> newCiphers) {
        return new TlsConfig(
                certificate,
                key,
                password,
                trust,
                trustPassword,
                clientCertificates,
                newProtocols,
                newCiphers,
                handshakeTimeoutMs,
                source,
                engine);
    }

    /**
     * Changes how long a handshake may take.
     *
     * @param value in milliseconds.
     * @return the same with this.
     */
    public TlsConfig handshakeTimeoutMs(final int value) {
        return new TlsConfig(
                certificate,
                key,
                password,
                trust,
                trustPassword,
                clientCertificates,
                protocols,
                ciphers,
                value,
                source,
                engine);
    }

    /**
     * Takes what the files would have from the program.
     *
     * @param value that gives it; {@link TlsSource#FILES} for files.
     * @return the same with this.
     */
    public TlsConfig source(final TlsSource value) {
        return new TlsConfig(
                certificate,
                key,
                password,
                trust,
                trustPassword,
                clientCertificates,
                protocols,
                ciphers,
                handshakeTimeoutMs,
                value,
                engine);
    }

    /**
     * Changes what encrypts the connections of transports.
     *
     * @param value the engine.
     * @return the same with this.
     */
    public TlsConfig engine(final EngineChoice value) {
        return new TlsConfig(
                certificate,
                key,
                password,
                trust,
                trustPassword,
                clientCertificates,
                protocols,
                ciphers,
                handshakeTimeoutMs,
                source,
                value);
    }

    /**
     * Whether a side that listens can do with these.
     *
     * @return true when a file has a certificate, or the program gives one.
     */
    public boolean hasCertificate() {
        return !certificate.isEmpty() || !source.equals(TlsSource.FILES);
    }

    /** Does not show the passwords. */
    @Override
    public String toString() {
        return "TlsConfig[certificate=" + certificate + ", key=" + key + ", trust=" + trust + ", clientCertificates="
                + clientCertificates + ", protocols=" + protocols + ", ciphers=" + ciphers + ", engine=" + engine + "]";
    }
}
