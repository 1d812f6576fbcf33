package io.penstock.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;

/** A clock that stands still until a test moves it. It starts shortly before it overflows. */
final class ManualClock implements NanoClock {
    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1));

    @Override
    public long nanoTime() {
        return nowNs.get();
    }

    void advanceMillis(final long millis) {
        nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
