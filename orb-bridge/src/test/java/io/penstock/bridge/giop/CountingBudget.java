package io.penstock.bridge.giop;

/** Bounds lengths, and returns the highest sum so far. */
final class CountingBudget implements LengthBudget {
    private final long max;
    long length;
    long highest;

    CountingBudget(final long max) {
        this.max = max;
    }

    @Override
    public boolean add(final long added) {
        if (length + added > max) {
            return false;
        }
        length += added;
        highest = Math.max(highest, length);
        return true;
    }

    @Override
    public void remove(final long removed) {
        length -= removed;
    }
}
