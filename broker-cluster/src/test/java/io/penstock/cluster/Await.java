package io.penstock.cluster;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions, long enough for a machine that has much else to do. */
final class Await {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(180);
    private static final long POLL_NS = 2_000_000;

    private Await() {}

    static void until(final String what, final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > LIMIT_NS) {
                throw new AssertionError("waited too long for " + what);
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }
}
