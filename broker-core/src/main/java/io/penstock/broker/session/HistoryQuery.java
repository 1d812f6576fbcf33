package io.penstock.broker.session;

import io.penstock.broker.history.HistoryTask;

/** A query whose state, as it was, is still being made. Confined to the client's I/O agent. */
final class HistoryQuery {
    final QueryCommand command;
    final HistoryTask task;
    final long deadlineNs;

    /** When its client was told last how far it is. */
    long notifiedNs;

    /** Whether its client does not want it any more. */
    boolean isCancelled;

    HistoryQuery(final QueryCommand command, final HistoryTask task, final long nowNs) {
        this.command = command;
        this.task = task;
        deadlineNs = nowNs + command.plan().timeoutNs();
        notifiedNs = nowNs;
    }
}
