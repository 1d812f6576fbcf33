package io.penstock.broker.session;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.Session.State;
import java.util.ArrayList;

/** The sessions that may have something to send. Confined to one I/O agent. */
final class SendSchedule {
    private final ArrayList<Session> sessions = new ArrayList<>();

    /** Unless it is there, or has ended. */
    void add(final Session session) {
        if (!session.delivery().isScheduled() && session.state() != State.CLOSED) {
            session.delivery().isScheduled(true);
            sessions.add(session);
        }
    }

    int size() {
        return sessions.size();
    }

    Session get(final int index) {
        return sessions.get(index);
    }

    /** Removes a session; the last one is at its place then. */
    void remove(final int index) {
        final Session session = sessions.get(index);
        session.delivery().isScheduled(false);
        final int last = sessions.size() - 1;
        sessions.set(index, sessions.get(last));
        sessions.remove(last);
    }
}
