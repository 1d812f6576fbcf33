package io.penstock.broker.session;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;

/**
 * What an administrator wants, and who that is: told when a shard has done it, once, whether the client is still there or
 * not. Confined to one I/O agent.
 */
final class AdministrationReport {
    private final EventLog events;
    private final String peer;
    private final String user;
    private final String client;
    private final String what;
    private boolean isDone;

    AdministrationReport(final EventLog events, final Session session, final String what) {
        this.events = events;
        peer = session.connection.peer();
        user = session.user;
        client = session.name;
        this.what = what;
    }

    /** A shard has done it. */
    void onDone() {
        if (!isDone) {
            isDone = true;
            report(EventKind.ADMINISTRATION);
        }
    }

    /** It was not let. */
    void onRefused() {
        report(EventKind.ADMINISTRATION_REFUSED);
    }

    private void report(final EventKind kind) {
        events.report(kind, "peer", peer, "user", user, "client", client, "what", what);
    }
}
