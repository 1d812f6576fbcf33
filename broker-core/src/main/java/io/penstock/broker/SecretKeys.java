package io.penstock.broker;

import java.util.List;
import java.util.Locale;

/** Keys of a configuration whose values are never shown. */
final class SecretKeys {
    private static final List<String> ENDINGS = List.of("password", "passwords", "secret", "secrets", "token");

    private SecretKeys() {}

    static boolean contains(final String key) {
        final String lower = key.toLowerCase(Locale.ROOT);
        return ENDINGS.stream().anyMatch(lower::endsWith);
    }
}
