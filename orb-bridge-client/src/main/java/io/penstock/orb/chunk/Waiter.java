package io.penstock.orb.chunk;

/** A thread that waits for bytes or for credit of a stream. Guarded by the connection's lock. */
final class Waiter {
    private Thread thread;
    private Waiter before;
    private Waiter after;

    /** The thread; null when none waits. */
    Thread thread() {
        return thread;
    }

    /** Those of one connection, the longest first. */
    static final class Line {
        private Waiter first;
        private Waiter last;
        private int count;

        Waiter first() {
            return first;
        }

        int count() {
            return count;
        }

        /** The calling thread waits from here on. */
        void add(final Waiter waiter) {
            waiter.thread = Thread.currentThread();
            waiter.before = last;
            if (last == null) {
                first = waiter;
            } else {
                last.after = waiter;
            }
            last = waiter;
            count++;
        }

        /** It waits no more; false when it did not. */
        boolean remove(final Waiter waiter) {
            if (waiter.thread == null) {
                return false;
            }
            if (waiter.before == null) {
                first = waiter.after;
            } else {
                waiter.before.after = waiter.after;
            }
            if (waiter.after == null) {
                last = waiter.before;
            } else {
                waiter.after.before = waiter.before;
            }
            waiter.before = null;
            waiter.after = null;
            waiter.thread = null;
            count--;
            return true;
        }
    }
}
