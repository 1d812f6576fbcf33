package io.penstock.spring.listener;

import java.util.List;

/** Takes messages of a container. Called on threads of the container, where it may block. */
@FunctionalInterface
public interface PenstockMessageListener {
    /**
     * Messages have come.
     *
     * @param deliveries one, or up to as many as the batch may have if {@link #isBatch()}; in their order.
     * @throws Exception that goes to the error handler.
     */
    void onDeliveries(List<Delivery> deliveries) throws Exception;

    /**
     * A message is given up: no error handler hands it over again.
     *
     * @param delivery of the message.
     * @param reason   that was thrown last. Called before the message counts as processed, on the thread that called the
     *                 listener; what this method throws is logged.
     */
    default void onGivenUp(final Delivery delivery, final Throwable reason) {}

    /**
     * Whether it takes several messages at once.
     *
     * @return false unless overridden.
     */
    default boolean isBatch() {
        return false;
    }
}
