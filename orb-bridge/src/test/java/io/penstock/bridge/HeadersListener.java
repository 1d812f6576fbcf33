package io.penstock.bridge;

import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.ListenerWithHeaders;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Notes the headers that it is called with. */
public final class HeadersListener extends RecordingListener implements ListenerWithHeaders {
    private final LinkedBlockingQueue<List<Header>> headers = new LinkedBlockingQueue<>();

    @Override
    public void onMessagesWithHeaders(final long subscription, final DeliveryWithHeaders[] messages) {
        for (final DeliveryWithHeaders each : messages) {
            headers.add(List.of(each.headers()));
        }
    }

    public @Nullable List<Header> awaitHeaders() throws InterruptedException {
        return headers.poll(20, TimeUnit.SECONDS);
    }
}
