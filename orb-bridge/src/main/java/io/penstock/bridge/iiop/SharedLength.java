package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.LengthBudget;
import java.util.concurrent.atomic.AtomicLong;

/** Bytes that all connections hold of one kind, and their bound. Safe on any thread. */
final class SharedLength implements LengthBudget {
    private final AtomicLong length = new AtomicLong();
    private final long max;

    SharedLength(final long max) {
        this.max = max;
    }

    @Override
    public boolean add(final long added) {
        if (length.addAndGet(added) > max) {
            length.addAndGet(-added);
            return false;
        }
        return true;
    }

    /** Takes some even if there is no room. */
    void force(final long added) {
        length.addAndGet(added);
    }

    @Override
    public void remove(final long removed) {
        length.addAndGet(-removed);
    }

    /** Whether more is held than may be. */
    boolean isOver() {
        return length.get() > max;
    }
}
