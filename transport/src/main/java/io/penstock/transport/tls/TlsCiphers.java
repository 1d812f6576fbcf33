package io.penstock.transport.tls;

import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** The versions and cipher suites that may be used: forward secret, with authenticated encryption. */
public final class TlsCiphers {
    static final String TLS_1_3 = "TLSv1.3";
    static final String TLS_1_2 = "TLSv1.2";

    private static final List<String> PROTOCOLS = List.of(TLS_1_3, TLS_1_2);

    private static final List<String> OF_TLS_1_3 =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

    private static final List<String> OF_TLS_1_2 = List.of(
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private TlsCiphers() {}

    static void check(final List<String> protocols, final List<String> ciphers) {
        if (protocols.isEmpty()) {
            throw new IllegalArgumentException("tls.protocols: is empty (use " + TLS_1_3 + ")");
        }
        for (final String protocol : protocols) {
            if (!PROTOCOLS.contains(protocol)) {
                throw new IllegalArgumentException("tls.protocols: not known, or not safe: " + protocol + " (use "
                        + TLS_1_3 + ", and " + TLS_1_2 + " for peers that know nothing newer)");
            }
        }
        final List<String> known = of(protocols);
        for (final String cipher : ciphers) {
            if (!known.contains(cipher)) {
                throw new IllegalArgumentException("tls.ciphers: not known, or not safe, or not of " + protocols + ": "
                        + cipher + " (use some of " + known + ")");
            }
        }
        for (final String protocol : protocols) {
            if (!ciphers.isEmpty() && of(List.of(protocol)).stream().noneMatch(ciphers::contains)) {
                throw new IllegalArgumentException(
                        "tls.ciphers: none of " + protocol + " (add one of " + of(List.of(protocol)) + ")");
            }
        }
    }

    /** The suites of versions, the best one first. */
    static List<String> of(final List<String> protocols) {
        return Stream.concat(
                        protocols.contains(TLS_1_3) ? OF_TLS_1_3.stream() : Stream.empty(),
                        protocols.contains(TLS_1_2) ? OF_TLS_1_2.stream() : Stream.empty())
                .toList();
    }

    /** The suites that settings allow and the JDK of a context has. */
    static List<String> supported(final TlsConfig config, final SSLContext context) throws TlsException {
        final List<String> wanted = config.ciphers().isEmpty() ? of(config.protocols()) : config.ciphers();
        final List<String> supported =
                List.of(context.getSupportedSSLParameters().getCipherSuites());
        final List<String> ciphers = wanted.stream().filter(supported::contains).toList();
        if (ciphers.isEmpty()) {
            throw new TlsException("tls.ciphers: this JDK has none of them: " + wanted + " (leave the key out)");
        }
        return ciphers;
    }
}
