package io.penstock.spring.boot;

import org.jspecify.annotations.Nullable;

/** A property below {@code penstock} has a value that cannot be used. */
public final class PenstockConfigurationException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String property;

    /**
     * A wrong value.
     *
     * @param property its whole key.
     * @param wrong    what is wrong, and the remedy.
     * @param cause    of it, when there is one.
     */
    public PenstockConfigurationException(final String property, final String wrong, final @Nullable Throwable cause) {
        super(property + ": " + wrong, cause);
        this.property = property;
    }

    /**
     * Which property.
     *
     * @return its whole key.
     */
    public String property() {
        return property;
    }
}
