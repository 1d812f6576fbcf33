package io.penstock.transport.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What engines are made of: settings, and what their files had. Immutable.
 *
 * @param config        the settings.
 * @param key           of this side's certificate; null for none.
 * @param chain         this side's certificate and those that lead to its authority, its own first; empty for none.
 * @param trusted       authorities that are trusted, and no others; empty for those of the JDK.
 * @param isServer      whether this side listens.
 * @param isHostChecked whether a side that connects takes only certificates for the host that was asked for.
 */
public record TlsMaterial(
        TlsConfig config,
        @Nullable PrivateKey key,
        List<X509Certificate> chain,
        List<X509Certificate> trusted,
        boolean isServer,
        boolean isHostChecked) {
    public TlsMaterial {
        chain = List.copyOf(chain);
        trusted = List.copyOf(trusted);
    }

    /**
     * The suites that the settings allow.
     *
     * @return the best one first.
     */
    public List<String> ciphers() {
        return config.ciphers().isEmpty() ? TlsCiphers.of(config.protocols()) : config.ciphers();
    }

    /** Does not show the key. */
    @Override
    public String toString() {
        return "TlsMaterial[" + config + "]";
    }
}
