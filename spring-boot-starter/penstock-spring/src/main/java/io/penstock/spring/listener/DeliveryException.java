package io.penstock.spring.listener;

import java.util.Objects;

/** Says which message of a batch a listener could not process. Thrown by batch listeners. */
public final class DeliveryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Delivery delivery;

    /**
     * Makes an exception.
     *
     * @param delivery that could not be processed.
     * @param cause    why.
     */
    public DeliveryException(final Delivery delivery, final Throwable cause) {
        super(delivery + ": " + cause.getMessage(), cause);
        this.delivery = delivery;
    }

    /**
     * The message.
     *
     * @return that could not be processed.
     */
    public Delivery delivery() {
        return Objects.requireNonNull(delivery);
    }

    /**
     * Why it could not be processed.
     *
     * @return the cause.
     */
    public Throwable reason() {
        return Objects.requireNonNull(getCause());
    }
}
