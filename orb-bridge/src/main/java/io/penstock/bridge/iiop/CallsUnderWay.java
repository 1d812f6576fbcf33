package io.penstock.bridge.iiop;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;

/** The calls of a connection that count, and what they hold. Owned by the connection's thread, but for {@link #count()}. */
final class CallsUnderWay {
    private final SharedLength ofAll;
    private final Set<Call> calls = new HashSet<>();
    private long length;
    // Read by the thread that looks for late calls and idle connections.
    private volatile int count;

    CallsUnderWay(final SharedLength ofAll) {
        this.ofAll = ofAll;
    }

    /** How many there are; any thread may ask. */
    int count() {
        return count;
    }

    /** Length of their messages, in bytes. */
    long length() {
        return length;
    }

    void add(final Call call) {
        calls.add(call);
        length += call.length();
        ofAll.force(call.length());
        count = calls.size();
    }

    /** Returns false when it was not there. */
    boolean remove(final Call call) {
        final boolean isRemoved = calls.remove(call);
        if (isRemoved) {
            length -= call.length();
            ofAll.remove(call.length());
            count = calls.size();
        }
        return isRemoved;
    }

    /** The client has given up what has that id. */
    void cancel(final int id) {
        for (final Call each : new ArrayList<>(calls)) {
            if (each.id() == id) {
                each.cancel();
            }
        }
    }

    /** The client has disconnected. */
    void cancelAll() {
        new ArrayList<>(calls).forEach(Call::cancel);
    }

    /** Refuses those that the broker has not answered in time. */
    void refuseLate(final long nowNs) {
        new ArrayList<>(calls).forEach(each -> each.refuseWhenLate(nowNs));
    }
}
