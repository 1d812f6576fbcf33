package io.penstock.standalone.config;

/** The configuration is wrong. Its message names the place, the key, what is wrong with it, and the remedy. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConfigException(final String origin, final String message) {
        super(origin + ": " + message);
    }
}
