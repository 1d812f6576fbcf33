package io.penstock.broker.shard.order;

/** Bytes are not those of a command: what is wrong with them, for people. Every node that reads them sees the same. */
public final class BadCommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what is wrong. */
    public BadCommandException(final String message) {
        super(message);
    }
}
