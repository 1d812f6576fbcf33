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
     * Whether it takes several messages at once.
     *
     * @return false unless overridden.
     */
    default boolean isBatch() {
        return false;
    }
}
