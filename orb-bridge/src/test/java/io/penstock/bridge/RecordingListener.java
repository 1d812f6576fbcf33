package io.penstock.bridge;

import io.penstock.orb.Delivery;
import io.penstock.orb.MessageListener;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Notes what it is called for. */
public class RecordingListener implements MessageListener {
    private final LinkedBlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final AtomicInteger emptyCount = new AtomicInteger();

    @Override
    public void onMessages(final long subscription, final Delivery[] received) {
        deliveries.addAll(List.of(received));
        if (received.length == 0) {
            emptyCount.incrementAndGet();
        }
    }

    @Override
    public void onEnd(final long subscription, final int code, final String name, final String text) {
        ends.add(name);
    }

    /** How often it was only asked whether it is there. */
    public int emptyCount() {
        return emptyCount.get();
    }

    public @Nullable String awaitText() throws InterruptedException {
        final Delivery delivery = deliveries.poll(20, TimeUnit.SECONDS);
        return delivery == null ? null : new String(delivery.data(), StandardCharsets.UTF_8);
    }

    public @Nullable String awaitEnd() throws InterruptedException {
        return ends.poll(20, TimeUnit.SECONDS);
    }
}
