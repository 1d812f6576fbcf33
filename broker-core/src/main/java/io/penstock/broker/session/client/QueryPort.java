package io.penstock.broker.session.client;

import io.penstock.broker.history.HistoryTask;
import io.penstock.broker.query.QueryRun;

/** The way to the query agents, and to the historian, for an I/O agent. */
public interface QueryPort {
    /**
     * How many query agents there are.
     *
     * @return count, at least 1.
     */
    int agentCount();

    /**
     * Hands a query to the query agents. There is room for all that the bound of queries allows.
     *
     * @param run to work on.
     */
    void start(QueryRun run);

    /**
     * Has state made as it was.
     *
     * @param task to be released in any case, if it was taken.
     * @return false when too many wait already.
     */
    boolean start(HistoryTask task);

    /** A task was released. */
    void onReleased();

    /** Ends the I/O agent's wait: there are pages. Called from any thread. */
    void wakeOwner();

    /** Pages were given back: query agents may go on. */
    void wakeup();
}
