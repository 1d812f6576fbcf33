package io.penstock.protocol.scram;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What ties a conversation to the encrypted connection that it takes place on (RFC 5929, {@code tls-server-end-point}): a hash of
 * the certificate of the side that listens. Whoever decrypts between the two shows the client another certificate.
 */
public final class ChannelBinding {
    /** The mechanism with it. */
    public static final String MECHANISM = "SCRAM-SHA-256-PLUS";

    static final String FLAG = "p=tls-server-end-point";

    private static final String SHA_256 = "SHA-256";

    private ChannelBinding() {}

    /**
     * Whether a certificate can be bound to: its signature has one hash.
     *
     * @param server certificate of the side that listens; null for none.
     * @return false when there is none, or it cannot.
     */
    public static boolean isPossible(final @Nullable X509Certificate server) {
        return server != null && hashOf(server) != null;
    }

    /**
     * The bytes that both sides have to agree on.
     *
     * @param server certificate of the side that listens; null for none.
     * @return the hash of it; null when there is none to be had.
     */
    public static byte @Nullable [] of(final @Nullable X509Certificate server) {
        final String hash = server == null ? null : hashOf(server);
        if (server == null || hash == null) {
            return null;
        }
        try {
            return MessageDigest.getInstance(hash).digest(server.getEncoded());
        } catch (final GeneralSecurityException e) {
            return null;
        }
    }

    /** That of the certificate's signature, but nothing weaker than SHA-256. */
    private static @Nullable String hashOf(final X509Certificate certificate) {
        final String name = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
        if (name.equals("RSASSA-PSS")) {
            return strong(pssHash(certificate));
        }
        if (name.equals("ED25519")) {
            return "SHA-512";
        }
        final int with = name.indexOf("WITH");
        return with < 0 ? null : strong(name.substring(0, with));
    }

    private static @Nullable String strong(final @Nullable String hash) {
        if (hash == null) {
            return null;
        }
        return switch (hash.replace("-", "")) {
            case "MD5", "SHA1", "SHA256" -> SHA_256;
            case "SHA224" -> "SHA-224";
            case "SHA384" -> "SHA-384";
            case "SHA512" -> "SHA-512";
            default -> null;
        };
    }

    private static @Nullable String pssHash(final X509Certificate certificate) {
        try {
            final AlgorithmParameters parameters = AlgorithmParameters.getInstance("RSASSA-PSS");
            final byte[] encoded = certificate.getSigAlgParams();
            if (encoded == null) {
                return null;
            }
            parameters.init(encoded);
            final AlgorithmParameterSpec spec = parameters.getParameterSpec(PSSParameterSpec.class);
            return spec instanceof PSSParameterSpec pss ? pss.getDigestAlgorithm().toUpperCase(Locale.ROOT) : null;
        } catch (final GeneralSecurityException | java.io.IOException e) {
            return null;
        }
    }
}
