package io.penstock.broker.session.query;

import io.penstock.broker.history.HistoryTask;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.session.client.HistoryQuery;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.protocol.ErrorCode;
import java.util.List;

/** Looks after queries whose state, as it was, is being made, until they run or have failed. Confined to one I/O agent. */
public final class HistoryQueries {
    /** In which the progress is said to those who may not know how many records there are. */
    private static final long PARTS = 1000;

    private final SessionContext context;
    private final QueryStarter starter;

    /** Makes it for the sessions of one I/O agent. */
    public HistoryQueries(final SessionContext context, final QueryStarter starter) {
        this.context = context;
        this.starter = starter;
    }

    /** Goes on with a client's queries. Returns the work done. */
    int poll(final Session session) {
        int count = 0;
        for (int i = session.queries().histories().size() - 1; i >= 0; i--) {
            final HistoryQuery query = session.queries().histories().get(i);
            if (session.queries().partQuery() == null && session.outbox().hasRoom() && goOn(session, query)) {
                session.queries().histories().remove(i);
                context.onQueryEnded(session.profile().use());
                count++;
            }
        }
        return count;
    }

    /** The client of these queries has disconnected. */
    void onClosed(final Session session) {
        for (final HistoryQuery query : session.queries().histories()) {
            release(query.task());
            context.onQueryEnded(session.profile().use());
        }
        session.queries().histories().clear();
    }

    /** A query does not read what was made for it any more. */
    void release(final HistoryTask task) {
        task.release();
        context.queries().onReleased();
    }

    /** Returns true when nothing is left to be made for a query. */
    private boolean goOn(final Session session, final HistoryQuery query) {
        final HistoryTask.Failure failure = query.task().failure();
        final List<QuerySource> sources = query.task().sources();
        final long remainingNs = query.deadlineNs() - context.nowNs();
        if (query.isCancelled()) {
            return end(session, query, ErrorCode.QUERY_CANCELLED, "query: ended by its client");
        }
        if (failure != null) {
            return end(session, query, failure.code(), failure.text());
        }
        if (remainingNs < 0) {
            return end(session, query, ErrorCode.QUERY_CANCELLED, "query" + QueryRefusals.TIMED_OUT_TEXT);
        }
        if (sources != null) {
            starter.startHistory(session, query.command().within(remainingNs), sources, query.task());
            return true;
        }
        reportProgress(session, query);
        return false;
    }

    private boolean end(final Session session, final HistoryQuery query, final ErrorCode code, final String text) {
        release(query.task());
        context.refuse(session, query.command().commandId(), query.command().id(), 0, code, text);
        return true;
    }

    private void reportProgress(final Session session, final HistoryQuery query) {
        final long progressNs = query.command().progressNs();
        if (progressNs > 0
                && context.nowNs() - query.notifiedNs() >= progressNs
                && session.outbox().isEmpty()) {
            query.onNotified(context.nowNs());
            final long read = query.task().recordsRead();
            final long count = Math.max(read, query.task().recordCount());
            // The number of records that the client may not see is nothing that it may know.
            final boolean isLimited = isLimited(session, query);
            context.answers()
                    .queryProgress(
                            session.outbox(),
                            query.command().commandId(),
                            query.command().id(),
                            isLimited ? PARTS : count,
                            isLimited ? (long) ((double) read / Math.max(1, count) * PARTS) : read,
                            0);
        }
    }

    private boolean isLimited(final Session session, final HistoryQuery query) {
        return query.task().topics().stream()
                .anyMatch(topic -> !""
                        .equals(context.topics().access(session, topic).rights().past()));
    }
}
