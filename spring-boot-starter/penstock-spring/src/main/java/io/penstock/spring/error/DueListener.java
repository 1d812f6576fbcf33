package io.penstock.spring.error;

import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.PenstockMessageListener;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Waits until a retry is due, on the container's thread, before the listener gets it. Retries of one topic are due in their order. */
public final class DueListener implements PenstockMessageListener {
    private final PenstockMessageListener listener;

    /**
     * Makes a listener.
     *
     * @param listener called with what is due.
     */
    public DueListener(final PenstockMessageListener listener) {
        this.listener = listener;
    }

    @Override
    public void onDeliveries(final List<Delivery> deliveries) throws Exception {
        for (final Delivery delivery : deliveries) {
            final long dueMs = delivery.message().headers().number(PenstockHeaders.DUE, 0);
            final long leftMs = dueMs - System.currentTimeMillis();
            if (leftMs > 0) {
                TimeUnit.MILLISECONDS.sleep(leftMs);
            }
        }
        listener.onDeliveries(deliveries);
    }

    @Override
    public boolean isBatch() {
        return listener.isBatch();
    }
}
