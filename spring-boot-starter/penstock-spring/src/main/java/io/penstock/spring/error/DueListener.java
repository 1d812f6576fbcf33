package io.penstock.spring.error;

import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.PenstockMessageListener;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Waits until a retry is due, on the container's thread, before the listener gets it. Retries of one topic are due in their
 * order; of a batch, those that are due do not wait for the others.
 */
public final class DueListener implements PenstockMessageListener {
    private final PenstockMessageListener listener;
    private final boolean isAcknowledging;

    /**
     * Makes a listener.
     *
     * @param listener        called with what is due.
     * @param isAcknowledging whether messages count as processed when the listener has returned. Where it acknowledges them
     *                        itself, a batch is handed over as a whole, when all of it is due.
     */
    public DueListener(final PenstockMessageListener listener, final boolean isAcknowledging) {
        this.listener = listener;
        this.isAcknowledging = isAcknowledging;
    }

    @Override
    public void onDeliveries(final List<Delivery> deliveries) throws Exception {
        int from = 0;
        while (from < deliveries.size()) {
            awaitDue(deliveries.get(from));
            int to = from + 1;
            while (to < deliveries.size() && (leftMs(deliveries.get(to)) <= 0 || !isAcknowledging)) {
                awaitDue(deliveries.get(to));
                to++;
            }
            final List<Delivery> due = deliveries.subList(from, to);
            listener.onDeliveries(due);
            if (isAcknowledging && to < deliveries.size()) {
                // The listener may fail with those that follow, and these must not be retried then.
                due.forEach(Delivery::acknowledge);
            }
            from = to;
        }
    }

    private static void awaitDue(final Delivery delivery) throws InterruptedException {
        final long leftMs = leftMs(delivery);
        if (leftMs > 0) {
            TimeUnit.MILLISECONDS.sleep(leftMs);
        }
    }

    private static long leftMs(final Delivery delivery) {
        return delivery.message().headers().number(PenstockHeaders.DUE, 0) - System.currentTimeMillis();
    }

    @Override
    public void onGivenUp(final Delivery delivery, final Throwable reason) {
        listener.onGivenUp(delivery, reason);
    }

    @Override
    public boolean isBatch() {
        return listener.isBatch();
    }
}
