package io.penstock.protocol.scram;

import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What a broker keeps of a password: enough to check it, not enough to log on with. Immutable: its arrays are not
 * changed by anybody.
 *
 * @param salt       of this user alone.
 * @param iterations by which guessing is slowed down.
 * @param storedKey  that a proof is checked with.
 * @param serverKey  that the broker proves itself with.
 */
// Nobody changes the arrays, and equality is by their content.
@SuppressWarnings("ArrayRecordComponent")
public record ScramVerifier(byte[] salt, int iterations, byte[] storedKey, byte[] serverKey) {
    /** Fewer are no protection (RFC 7677). */
    public static final int ITERATIONS_MIN = 4096;

    /** More would keep a client busy for too long. */
    public static final int ITERATIONS_MAX = 10_000_000;

    /** Less than half a second for a client that starts just for one command. */
    public static final int ITERATIONS_DEFAULT = 100_000;

    private static final String PREFIX = "SCRAM-SHA-256$";
    private static final int SALT_LENGTH = 16;
    private static final int SALT_LENGTH_MAX = 64;

    /**
     * Derives one from a password. Takes about a microsecond for two iterations.
     *
     * @param password   as it was entered.
     * @param iterations see {@link #ITERATIONS_DEFAULT}.
     * @return with a new salt; null when the password has characters that cannot be entered reliably, or none.
     */
    public static @Nullable ScramVerifier derive(final String password, final int iterations) {
        return derive(password, ScramKeys.random(SALT_LENGTH), iterations);
    }

    static @Nullable ScramVerifier derive(final String password, final byte[] salt, final int iterations) {
        final String prepared = PreparedText.of(password);
        if (prepared == null || prepared.isEmpty()) {
            return null;
        }
        final byte[] salted = ScramKeys.salted(prepared, salt, iterations);
        return new ScramVerifier(
                salt, iterations, ScramKeys.hash(ScramKeys.clientKey(salted)), ScramKeys.serverKey(salted));
    }

    /**
     * Whether a password is the one that this was derived from. As slow as deriving one.
     *
     * @param password as it was entered.
     * @return the same time later for each, whether it is or not.
     */
    public boolean matches(final String password) {
        final ScramVerifier other = derive(password, salt, iterations);
        return other != null && MessageDigest.isEqual(storedKey, other.storedKey);
    }

    /**
     * Reads what {@link #text} writes.
     *
     * @param text one word.
     * @return null when it is something else.
     */
    public static @Nullable ScramVerifier parse(final String text) {
        if (!text.startsWith(PREFIX)) {
            return null;
        }
        final String[] parts = text.substring(PREFIX.length()).split("[:$]", -1);
        if (parts.length != 4 || !parts[0].matches("[0-9]{4,8}")) {
            return null;
        }
        final int iterations = Integer.parseInt(parts[0]);
        final byte[] salt = ScramMessage.bytes(parts[1]);
        final byte[] storedKey = ScramMessage.bytes(parts[2]);
        final byte[] serverKey = ScramMessage.bytes(parts[3]);
        return iterations < ITERATIONS_MIN
                        || iterations > ITERATIONS_MAX
                        || salt == null
                        || salt.length == 0
                        || salt.length > SALT_LENGTH_MAX
                        || storedKey == null
                        || storedKey.length != ScramKeys.LENGTH
                        || serverKey == null
                        || serverKey.length != ScramKeys.LENGTH
                ? null
                : new ScramVerifier(salt, iterations, storedKey, serverKey);
    }

    /**
     * For a file: {@code SCRAM-SHA-256$<iterations>:<salt>$<stored key>:<server key>}, in Base64.
     *
     * @return one word.
     */
    public String text() {
        final Base64.Encoder base64 = Base64.getEncoder();
        return PREFIX
                + iterations
                + ':'
                + base64.encodeToString(salt)
                + '$'
                + base64.encodeToString(storedKey)
                + ':'
                + base64.encodeToString(serverKey);
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof ScramVerifier that
                && iterations == that.iterations
                && MessageDigest.isEqual(salt, that.salt)
                && MessageDigest.isEqual(storedKey, that.storedKey)
                && MessageDigest.isEqual(serverKey, that.serverKey);
    }

    @Override
    public int hashCode() {
        return java.util.Arrays.hashCode(storedKey);
    }

    /** Does not show what guesses could be checked with. */
    @Override
    public String toString() {
        return "ScramVerifier[iterations=" + iterations + "]";
    }
}
