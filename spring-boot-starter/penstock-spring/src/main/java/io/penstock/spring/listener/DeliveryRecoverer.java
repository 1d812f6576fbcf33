package io.penstock.spring.listener;

/** Puts a message away that a listener could not process. Called on the listener's thread, where it may block. */
@FunctionalInterface
public interface DeliveryRecoverer {
    /**
     * Puts a message away. When it returns, the message counts as processed.
     *
     * @param delivery   the message.
     * @param listenerId of the listener that failed.
     * @param cause      that it threw last.
     * @param attempts   how often it was called.
     */
    void recover(Delivery delivery, String listenerId, Throwable cause, int attempts);
}
