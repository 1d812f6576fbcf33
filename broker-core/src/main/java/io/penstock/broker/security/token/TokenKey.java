package io.penstock.broker.security.token;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A key of an issuer, and the one algorithm that it may be used with: a token cannot choose another. Immutable.
 *
 * @param id        by which tokens name it; empty for none.
 * @param algorithm as tokens name it.
 * @param key       to check signatures with.
 */
record TokenKey(String id, String algorithm, PublicKey key) {
    private static final String RS256 = "RS256";
    private static final String ES256 = "ES256";
    private static final String EDDSA = "EdDSA";

    static final Set<String> ALGORITHMS = Set.of(RS256, ES256, EDDSA);

    private static final int RSA_BITS_MIN = 2048;
    private static final int RSA_BITS_MAX = 8192;
    private static final int COORDINATE_LENGTH = 32;

    /** The key of a member of a JWK set (RFC 7517); null when it is for something else. */
    static @Nullable TokenKey of(final Map<?, ?> jwk) throws TokenRefusal {
        final Object use = jwk.get("use");
        if (use != null && !use.equals("sig")) {
            return null;
        }
        final String id = jwk.get("kid") instanceof String given ? given : "";
        try {
            final TokenKey key = switch (text(jwk, "kty")) {
                case "RSA" -> new TokenKey(id, RS256, rsa(jwk));
                case "EC" -> text(jwk, "crv").equals("P-256") ? new TokenKey(id, ES256, ec(jwk)) : null;
                case "OKP" -> text(jwk, "crv").equals("Ed25519") ? new TokenKey(id, EDDSA, ed25519(jwk)) : null;
                default -> null;
            };
            final Object algorithm = jwk.get("alg");
            return key == null || algorithm == null || algorithm.equals(key.algorithm) ? key : null;
        } catch (final GeneralSecurityException e) {
            throw new TokenRefusal("key '" + id + "': " + e.getMessage());
        }
    }

    private static PublicKey rsa(final Map<?, ?> jwk) throws GeneralSecurityException, TokenRefusal {
        final BigInteger modulus = new BigInteger(1, bytes(text(jwk, "n")));
        if (modulus.bitLength() < RSA_BITS_MIN || modulus.bitLength() > RSA_BITS_MAX) {
            throw new TokenRefusal("an RSA key of " + modulus.bitLength() + " bits (use " + RSA_BITS_MIN + " or more)");
        }
        return KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(modulus, new BigInteger(1, bytes(text(jwk, "e")))));
    }

    private static PublicKey ec(final Map<?, ?> jwk) throws GeneralSecurityException, TokenRefusal {
        final AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
        curve.init(new ECGenParameterSpec("secp256r1"));
        final ECPoint point = new ECPoint(
                new BigInteger(1, coordinate(text(jwk, "x"))), new BigInteger(1, coordinate(text(jwk, "y"))));
        return KeyFactory.getInstance("EC")
                .generatePublic(new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class)));
    }

    private static PublicKey ed25519(final Map<?, ?> jwk) throws GeneralSecurityException, TokenRefusal {
        final byte[] little = coordinate(text(jwk, "x"));
        final byte[] big = new byte[little.length];
        for (int i = 0; i < little.length; i++) {
            big[i] = little[little.length - 1 - i];
        }
        final boolean isOdd = (big[0] & 0x80) != 0;
        big[0] &= 0x7F;
        return KeyFactory.getInstance("Ed25519")
                .generatePublic(new EdECPublicKeySpec(
                        NamedParameterSpec.ED25519, new EdECPoint(isOdd, new BigInteger(1, big))));
    }

    private static byte[] coordinate(final String text) throws TokenRefusal {
        final byte[] bytes = bytes(text);
        if (bytes.length != COORDINATE_LENGTH) {
            throw new TokenRefusal("a coordinate of " + bytes.length + " bytes");
        }
        return bytes;
    }

    private static String text(final Map<?, ?> jwk, final String name) throws TokenRefusal {
        if (jwk.get(name) instanceof String text) {
            return text;
        }
        throw new TokenRefusal("a key without " + name);
    }

    /** The bytes of Base64 for URLs without padding. */
    static byte[] bytes(final String text) throws TokenRefusal {
        if (text.indexOf('=') >= 0) {
            throw new TokenRefusal("Base64 with padding");
        }
        final byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (final IllegalArgumentException e) {
            throw new TokenRefusal("not Base64");
        }
        // Bits of the last character that decide nothing are zero, or one token could be written in several ways.
        if (!Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(text)) {
            throw new TokenRefusal("Base64 with bits that are not used");
        }
        return bytes;
    }

    /** Whether a text was signed by who has the other half of the key. */
    boolean hasSigned(final byte[] text, final byte[] signed) {
        final String name = switch (algorithm) {
            case RS256 -> "SHA256withRSA";
            case ES256 -> "SHA256withECDSAinP1363Format";
            default -> "Ed25519";
        };
        try {
            final Signature signature = Signature.getInstance(name);
            signature.initVerify(key);
            signature.update(text);
            return signature.verify(signed);
        } catch (final GeneralSecurityException e) {
            // A signature that is none.
            return false;
        }
    }
}
