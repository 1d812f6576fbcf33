package io.penstock.protocol.scram;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** Internal: the keys of RFC 5802, section 3, with SHA-256. */
public final class ScramKeys {
    /** Length of each key in bytes. */
    public static final int LENGTH = 32;

    private static final String MAC = "HmacSHA256";
    private static final byte[] CLIENT_KEY = "Client Key".getBytes(US_ASCII);
    private static final byte[] SERVER_KEY = "Server Key".getBytes(US_ASCII);
    private static final int NONCE_LENGTH = 18;
    private static final SecureRandom RANDOM = new SecureRandom();

    private ScramKeys() {}

    /** Internal: the slow step. */
    static byte[] salted(final String password, final byte[] salt, final int iterations) {
        final PBEKeySpec key = new PBEKeySpec(password.toCharArray(), salt, iterations, LENGTH * Byte.SIZE);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(key)
                    .getEncoded();
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException("scram: the JDK lacks PBKDF2WithHmacSHA256", e);
        } finally {
            key.clearPassword();
        }
    }

    static byte[] clientKey(final byte[] salted) {
        return hmac(salted, CLIENT_KEY);
    }

    static byte[] serverKey(final byte[] salted) {
        return hmac(salted, SERVER_KEY);
    }

    /**
     * Internal: a keyed hash.
     *
     * @param key  of it.
     * @param text to hash.
     * @return {@link #LENGTH} bytes.
     */
    public static byte[] hmac(final byte[] key, final byte[] text) {
        try {
            final Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac.doFinal(text);
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException("scram: the JDK lacks " + MAC, e);
        }
    }

    static byte[] hash(final byte[] text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text);
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException("scram: the JDK lacks SHA-256", e);
        }
    }

    static byte[] xor(final byte[] a, final byte[] b) {
        final byte[] result = a.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] ^= b[i];
        }
        return result;
    }

    /**
     * Internal: bytes that nobody can guess.
     *
     * @param length how many.
     * @return new ones.
     */
    public static byte[] random(final int length) {
        final byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** Internal: a nonce of printable characters without a comma. */
    public static String nonce() {
        return Base64.getEncoder().encodeToString(random(NONCE_LENGTH));
    }
}
