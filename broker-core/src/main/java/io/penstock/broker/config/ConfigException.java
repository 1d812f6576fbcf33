package io.penstock.broker.config;

/** The configuration is wrong. Its message names the place, the key, what is wrong with it, and the remedy. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String origin;
    private final String key;

    /**
     * A mistake in a configuration.
     *
     * @param origin  where it stands.
     * @param message the key, what is wrong with it, and the remedy.
     */
    public ConfigException(final String origin, final String message) {
        super(text(origin, message));
        this.origin = origin;
        key = message.substring(0, Math.max(0, message.indexOf(':')));
    }

    /**
     * Where the mistake stands.
     *
     * @return for example {@code penstock.yaml:12}.
     */
    public String origin() {
        return origin;
    }

    /**
     * What the mistake is about.
     *
     * @return the path of a key, unless the file as a whole is wrong.
     */
    public String key() {
        return key;
    }

    /** An option of a command line is a place that may be named as its key is, and is not said twice. */
    private static String text(final String origin, final String message) {
        if (message.startsWith(origin + ":")) {
            return message;
        }
        final String key = origin.replaceFirst("^--", "");
        return message.startsWith(key + ":") ? origin + message.substring(key.length()) : origin + ": " + message;
    }
}
