package io.penstock.spring;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what another thread does. */
public final class Eventually {
    private static final long POLL_NS = 2_000_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private Eventually() {}

    /** Looks until a condition holds; fails with what was expected after half a minute. */
    public static void await(final String expected, final BooleanSupplier condition) {
        await(() -> expected, condition);
    }

    /** The same, with a text that is made in the end. */
    public static void await(final Supplier<String> expected, final BooleanSupplier condition) {
        final long endNs = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("expected within " + TIMEOUT + ": " + expected.get());
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }
}
