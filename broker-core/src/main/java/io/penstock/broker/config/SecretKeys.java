package io.penstock.broker.config;

import java.util.List;
import java.util.Locale;

/** Keys of a configuration whose values are never shown. */
public final class SecretKeys {
    private static final List<String> ENDINGS = List.of("password", "passwords", "secret", "secrets", "token");

    private SecretKeys() {}

    /**
     * Whether values of a key are secret.
     *
     * @param key or the last word of its path.
     * @return by what it ends with.
     */
    public static boolean contains(final String key) {
        final String lower = key.toLowerCase(Locale.ROOT);
        return ENDINGS.stream().anyMatch(lower::endsWith);
    }
}
