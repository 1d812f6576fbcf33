package io.penstock.bridge.iiop;

import java.util.HashSet;
import java.util.Set;

/** The sessions that a connection has called, which stay as long as it is there. Owned by the connection's thread. */
final class UsedSessions {
    /** How many it remembers before it looks for some that have ended. */
    private static final int KEPT = 16;

    private final Set<IiopSession> sessions = new HashSet<>();

    /** Keeps a session. */
    void use(final IiopSession session) {
        if (!session.session().isGuest() && sessions.add(session)) {
            session.enter();
            if (sessions.size() > KEPT) {
                sessions.removeIf(IiopSession::isEnded);
            }
        }
    }

    /** Keeps none any more. */
    void exitAll() {
        sessions.forEach(IiopSession::exit);
        sessions.clear();
    }
}
