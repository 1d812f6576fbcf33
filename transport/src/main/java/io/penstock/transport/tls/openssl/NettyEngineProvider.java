package io.penstock.transport.tls.openssl;

import io.penstock.transport.tls.TlsEngineProvider;
import io.penstock.transport.tls.TlsEngines;
import io.penstock.transport.tls.TlsException;
import io.penstock.transport.tls.TlsMaterial;
import java.security.Key;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Brings the native engine, where Netty's library of it is on the class path. */
public final class NettyEngineProvider implements TlsEngineProvider {
    private static final String TLS_1_3 = "TLSv1.3";

    /** It takes them all, whatever it is told, and decides itself which is the best one. */
    private static final List<String> CIPHERS_OF_TLS_1_3 =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

    private static final List<String> KEYS = List.of("EC", "RSA");

    /** Found by name. */
    public NettyEngineProvider() {
        // Nothing is loaded before somebody asks.
    }

    /**
     * Whether the library is there, in a version that fits.
     *
     * @return true when there can be engines.
     */
    public static boolean canBeUsed() {
        return NativeLibrary.whyNot() == null;
    }

    /**
     * The engines that were made and are not released yet, of all sides of this process.
     *
     * @return their number, for those who look for leaks; 0 where the library cannot be loaded.
     */
    public static int engineCount() {
        return canBeUsed() ? NativeEngine.count() : 0;
    }

    @Override
    public boolean isPresent() {
        return NativeLibrary.isPresent();
    }

    @Override
    public @Nullable String whyNot(final TlsMaterial material) {
        final String reason = NativeLibrary.whyNot();
        if (reason != null) {
            return reason;
        }
        if (!isOfKnownKind(material.key())) {
            return "it has no signatures by keys of this kind: tls.key: " + algorithm(material.key())
                    + " (use a key of EC or RSA)";
        }
        for (final X509Certificate authority : material.trusted()) {
            if (!isOfKnownKind(authority.getPublicKey())) {
                return "it has no signatures by keys of this kind: tls.trust: " + algorithm(authority.getPublicKey())
                        + " (use an authority with a key of EC or RSA)";
            }
        }
        if (material.config().protocols().contains(TLS_1_3)
                && !material.ciphers().containsAll(CIPHERS_OF_TLS_1_3)) {
            return "it cannot be kept to some cipher suites of " + TLS_1_3 + ": tls.ciphers (leave the key out)";
        }
        return null;
    }

    private static boolean isOfKnownKind(final @Nullable Key key) {
        return key == null || KEYS.contains(key.getAlgorithm());
    }

    private static String algorithm(final @Nullable Key key) {
        return key == null ? "none" : key.getAlgorithm();
    }

    @Override
    public TlsEngines open(final TlsMaterial material) throws TlsException {
        return NativeEngines.open(material);
    }
}
