package io.penstock.broker.config;

/** The configuration is wrong. Its message names the place, the key, what is wrong with it, and the remedy. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A mistake in a configuration.
     *
     * @param origin  where it stands.
     * @param message the key, what is wrong with it, and the remedy.
     */
    public ConfigException(final String origin, final String message) {
        super(origin + ": " + message);
    }
}
