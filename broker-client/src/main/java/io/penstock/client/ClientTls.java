package io.penstock.client;

import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsSource;
import javax.net.ssl.SSLContext;

/**
 * What a client needs for encrypted endpoints. Immutable.
 *
 * <pre>{@code
 * ClientConfig.builder("tcps://broker.example:9100").tls(ClientTls.trusting("authority.pem")).build();
 * }</pre>
 *
 * @param config        whom it trusts, and its own certificate, if it has one.
 * @param isHostChecked whether the certificate of the broker has to be for the host that the endpoint names. Without this
 *                      whoever has any certificate of a trusted authority can pose as the broker.
 */
public record ClientTls(TlsConfig config, boolean isHostChecked) {
    private static final ClientTls DEFAULTS = new ClientTls(TlsConfig.defaults(), true);

    /**
     * Trusts the authorities of the JDK, checks the host, and has no certificate of its own.
     *
     * @return the defaults.
     */
    public static ClientTls defaults() {
        return DEFAULTS;
    }

    /**
     * Trusts the authorities of a file, and no others.
     *
     * @param file with their certificates, as PEM or PKCS#12 without a password.
     * @return with the defaults for the rest.
     */
    public static ClientTls trusting(final String file) {
        return new ClientTls(TlsConfig.defaults().trust(file, ""), true);
    }

    /**
     * Takes certificates and trust from the program, which manages them itself.
     *
     * @param context of its key and trust managers, for all connections of the client.
     * @return with the defaults for the rest: versions and ciphers are those of {@link TlsConfig}, not of the context.
     */
    public static ClientTls of(final SSLContext context) {
        return of(() -> context);
    }

    /**
     * Takes certificates and trust from the program, which may change them while the client runs.
     *
     * @param source asked each time that the client connects.
     * @return with the defaults for the rest: versions and ciphers are those of {@link TlsConfig}, not of the context.
     */
    public static ClientTls of(final TlsSource source) {
        return new ClientTls(TlsConfig.defaults().source(source), true);
    }

    /**
     * Adds a certificate, by which the broker knows the client.
     *
     * @param certificate file with the certificate and those that lead to its authority, PEM or PKCS#12.
     * @param key         PEM file with its key; empty when the other file has it.
     * @return the same with these.
     */
    public ClientTls certificate(final String certificate, final String key) {
        return new ClientTls(config.certificate(certificate, key), isHostChecked);
    }

    /**
     * Adds the password of the key, or of the PKCS#12 file with it.
     *
     * @param value empty for none.
     * @return the same with this one.
     */
    public ClientTls password(final String value) {
        return new ClientTls(config.password(value), isHostChecked);
    }

    /**
     * Changes what encrypts the connections of the client. {@link EngineChoice#AUTO} unless this is called.
     *
     * @param engine that of the JDK, or a native one where it is on the class path.
     * @return the same with this.
     */
    public ClientTls engine(final EngineChoice engine) {
        return new ClientTls(config.engine(engine), isHostChecked);
    }

    /**
     * Takes any certificate of a trusted authority, whichever host it is for. For networks of which nobody else has such a
     * certificate.
     *
     * @return the same without the check.
     */
    public ClientTls withoutHostCheck() {
        return new ClientTls(config, false);
    }
}
