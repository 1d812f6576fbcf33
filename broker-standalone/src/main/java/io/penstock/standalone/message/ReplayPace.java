package io.penstock.standalone.message;

import io.penstock.standalone.CommandFailure;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits so that messages come at a multiple of the pace at which they came first. */
final class ReplayPace {
    private static final double SPEED_MAX = 1_000_000;

    /** How many times as fast; 0 for as fast as possible. */
    private final double speed;

    private final long startNs = System.nanoTime();
    private long firstNs;
    private boolean isStarted;

    private ReplayPace(final double speed) {
        this.speed = speed;
    }

    /** Reads {@code full}, {@code 1x}, {@code 2.5x}. */
    static ReplayPace parse(final String text) {
        if (text.equals("full")) {
            return new ReplayPace(0);
        }
        final double speed = text.matches("[0-9]{1,7}(\\.[0-9]{1,3})?x")
                ? Double.parseDouble(text.substring(0, text.length() - 1))
                : 0;
        if (speed <= 0 || speed > SPEED_MAX) {
            throw CommandFailure.badInput("--speed: not a speed: " + text + " (use 1x, 2x, 0.5x or full)");
        }
        return new ReplayPace(speed);
    }

    boolean isFull() {
        return speed == 0;
    }

    /** Waits until a message of that time is due. Returns false when it is not due yet, after a moment. */
    boolean await(final long timestampNs) {
        if (speed == 0) {
            return true;
        }
        if (!isStarted) {
            isStarted = true;
            firstNs = timestampNs;
        }
        final long dueNs = startNs + (long) ((timestampNs - firstNs) / speed);
        final long leftNs = dueNs - System.nanoTime();
        if (leftNs <= 0) {
            return true;
        }
        LockSupport.parkNanos(Math.min(leftNs, TimeUnit.MILLISECONDS.toNanos(100)));
        return dueNs - System.nanoTime() <= 0;
    }
}
