package io.penstock.broker.session.client;

import io.penstock.broker.history.HistoryTask;

/** A query whose state, as it was, is still being made. Confined to the client's I/O agent. */
public final class HistoryQuery {
    private final QueryCommand command;
    private final HistoryTask task;
    private final long deadlineNs;

    private long notifiedNs;

    private boolean isCancelled;

    /** A query whose state is about to be made. */
    public HistoryQuery(final QueryCommand command, final HistoryTask task, final long nowNs) {
        this.command = command;
        this.task = task;
        deadlineNs = nowNs + command.plan().timeoutNs();
        notifiedNs = nowNs;
    }

    /** The query as it was asked for. */
    public QueryCommand command() {
        return command;
    }

    /** The task that makes the state. */
    public HistoryTask task() {
        return task;
    }

    /** When it fails, unless it is done. */
    public long deadlineNs() {
        return deadlineNs;
    }

    /** When its progress was last reported to its client. */
    public long notifiedNs() {
        return notifiedNs;
    }

    /** Its progress is reported to its client. */
    public void onNotified(final long nowNs) {
        notifiedNs = nowNs;
    }

    /** Whether its client does not want it any more. */
    public boolean isCancelled() {
        return isCancelled;
    }

    /** Its client does not want it any more. */
    public void cancel() {
        isCancelled = true;
    }
}
