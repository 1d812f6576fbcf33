package io.penstock.broker.security.audit;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;

/**
 * An administrator's command, and who gave it. Reported once, when a shard has done it, whether the client is still
 * connected or not. Confined to one I/O agent.
 */
public final class AdministrationReport {
    private final EventLog events;
    private final AuditTrail trail;
    private final AuditClient client;
    private final String what;
    private boolean isDone;

    /**
     * Notes who it is.
     *
     * @param events to report to.
     * @param trail  to record it in.
     * @param client who gave the command.
     * @param what   is to be done.
     */
    public AdministrationReport(
            final EventLog events, final AuditTrail trail, final AuditClient client, final String what) {
        this.events = events;
        this.trail = trail;
        this.client = client;
        this.what = what;
    }

    /** A shard has done it. */
    public void onDone() {
        if (!isDone) {
            isDone = true;
            trail.record(AuditKind.ADMINISTRATION, client, false, 0, what, "");
            report(EventKind.ADMINISTRATION);
        }
    }

    /** It was not let, which the audit has as a refusal like others. */
    public void onRefused() {
        report(EventKind.ADMINISTRATION_REFUSED);
    }

    private void report(final EventKind kind) {
        events.report(kind, "peer", client.peer(), "user", client.user(), "client", client.name(), "what", what);
    }
}
