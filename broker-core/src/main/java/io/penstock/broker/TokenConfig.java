package io.penstock.broker;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Bearer tokens by which clients may prove who they are.
 *
 * @param keys       of their issuer, a JWK set: path of a file, or an address that begins with {@code https:}; empty for no
 *                   tokens.
 * @param trust      file with the certificates of the authorities that sign the one of that address, PEM or PKCS#12 without a
 *                   password; empty for the authorities of the JDK.
 * @param issuer     that tokens have to name.
 * @param audience   that tokens have to be for.
 * @param skewMs     by which the clocks of issuer and broker may differ.
 * @param userClaim  of a token, whose value is the user.
 * @param rolesClaim of a token, whose value is the user's roles.
 */
public record TokenConfig(
        String keys, String trust, String issuer, String audience, long skewMs, String userClaim, String rolesClaim) {
    public static final long SKEW_MS_DEFAULT = 60_000;

    private static final long SKEW_MS_MAX = 600_000;

    public TokenConfig {
        Limits.check("security.tokens.skewMs", skewMs, 0, SKEW_MS_MAX);
        if (!keys.isEmpty() && issuer.isEmpty()) {
            throw new IllegalArgumentException(
                    "security.tokens.issuer: empty (name the issuer whose tokens count, as they do)");
        }
        if (!keys.isEmpty() && audience.isEmpty()) {
            throw new IllegalArgumentException("security.tokens.audience: empty (name what tokens have to be for: else"
                    + " every token of the issuer would count)");
        }
        if (!trust.isEmpty() && !isAddress(keys)) {
            throw new IllegalArgumentException("security.tokens.trust: " + trust + ": there is no https address to be trusted"
                    + " (leave it out, or give the address in security.tokens.keys)");
        }
        if (isAddress(keys) && !isHost(keys)) {
            throw new IllegalArgumentException(
                    "security.tokens.keys: not an address: " + keys + " (write it as https://id.example.com/keys)");
        }
        if (keys.startsWith("http:")) {
            throw new IllegalArgumentException(
                    "security.tokens.keys: not encrypted: " + keys + " (use an https address, or a file)");
        }
    }

    /** No tokens. */
    public static TokenConfig none() {
        return new TokenConfig("", "", "", "", SKEW_MS_DEFAULT, "sub", "roles");
    }

    private static boolean isAddress(final String keys) {
        return keys.startsWith("https:");
    }

    private static boolean isHost(final String address) {
        try {
            return new URI(address).getHost() != null;
        } catch (final URISyntaxException e) {
            return false;
        }
    }

    boolean isUsed() {
        return !keys.isEmpty();
    }
}
