package io.penstock.broker.event;

/**
 * An administrator's command, and who gave it. Reported once, when a shard has done it, whether the client is still
 * connected or not. Confined to one I/O agent.
 */
public final class AdministrationReport {
    private final EventLog events;
    private final String peer;
    private final String user;
    private final String client;
    private final String what;
    private boolean isDone;

    /**
     * Notes who it is.
     *
     * @param events to report to.
     * @param peer   where the administrator is connected from.
     * @param user   of the administrator; empty for none.
     * @param client the name of the client; empty for none.
     * @param what   is to be done.
     */
    public AdministrationReport(
            final EventLog events, final String peer, final String user, final String client, final String what) {
        this.events = events;
        this.peer = peer;
        this.user = user;
        this.client = client;
        this.what = what;
    }

    /** A shard has done it. */
    public void onDone() {
        if (!isDone) {
            isDone = true;
            report(EventKind.ADMINISTRATION);
        }
    }

    /** It was not let. */
    public void onRefused() {
        report(EventKind.ADMINISTRATION_REFUSED);
    }

    private void report(final EventKind kind) {
        events.report(kind, "peer", peer, "user", user, "client", client, "what", what);
    }
}
