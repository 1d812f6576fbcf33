package io.penstock.spring.listener;

import io.penstock.spring.LogText;
import java.util.Objects;

/** Says which message of a batch a listener could not process. Thrown by batch listeners. */
public final class DeliveryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Delivery delivery;
    private final boolean isCalled;

    /**
     * Makes an exception.
     *
     * @param delivery that could not be processed.
     * @param cause    why.
     */
    public DeliveryException(final Delivery delivery, final Throwable cause) {
        this(delivery, cause, true);
    }

    private DeliveryException(final Delivery delivery, final Throwable cause, final boolean isCalled) {
        super(delivery + ": " + LogText.of(String.valueOf(cause.getMessage())), cause);
        this.delivery = delivery;
        this.isCalled = isCalled;
    }

    /**
     * Makes an exception of a message that kept its batch from the listener, as it cannot be converted or is not valid. For
     * the others this was no attempt.
     *
     * @param delivery that could not be handed over.
     * @param cause    why.
     * @return a new exception.
     */
    public static DeliveryException beforeCall(final Delivery delivery, final Throwable cause) {
        return new DeliveryException(delivery, cause, false);
    }

    boolean isCalled() {
        return isCalled;
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
