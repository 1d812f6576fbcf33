package io.penstock.broker.session.query;

import io.penstock.broker.query.QueryFailure;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.query.ResultPage;
import io.penstock.broker.session.client.ClientQuery;
import io.penstock.broker.session.client.DurableWait;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.send.HeaderlessRecords;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.store.FoundVersions;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.DeliverEncoder;
import io.penstock.protocol.codec.DeliveryKind;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.transport.Connection;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends clients the records that query agents have found, and gives the pages back. Confined to one I/O agent. A query
 * whose client has disconnected is kept until no agent works on it.
 */
public final class QuerySender {

    private static final int DELIVER_HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + DeliverEncoder.BLOCK_LENGTH;
    private static final int PAGE_LIMIT = 16;
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final SessionContext context;
    private final HistoryQueries histories;
    private final ExplanationSender explanations;
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[DELIVER_HEADER_LENGTH]);
    private final MessageHeaderEncoder messageHeader = new MessageHeaderEncoder();
    private final DeliverEncoder deliver = new DeliverEncoder();
    private final List<ClientQuery> orphans = new ArrayList<>();

    /** Makes it for the sessions of one I/O agent. */
    public QuerySender(final SessionContext context, final HistoryQueries histories) {
        this.context = context;
        this.histories = histories;
        explanations = new ExplanationSender(context);
    }

    /** Sends some of what a client's queries have found. Returns the work done. */
    public int send(final Session session) {
        int workCount = histories.poll(session);
        for (int i = session.queries().running().size() - 1; i >= 0; i--) {
            final ClientQuery query = session.queries().running().get(i);
            if (query.delete() == null) {
                // Versions name the records that were found to be deleted. They stay until the delete is done.
                release(query);
            }
            if (isHeld(query)) {
                continue;
            }
            if (query.isDropped() && query.results().partSent() == 0) {
                workCount += discard(query);
            } else if (session.queries().partQuery() == null
                    || session.queries().partQuery() == query) {
                workCount += send(session, query);
            }
            if (query.run().isDone()
                    && query.results().page() == null
                    && isSent(session, query)
                    && !isWaiting(query)
                    && explanations.send(session, query)) {
                session.queries().running().remove(query);
                finish(session, query);
                workCount++;
            }
        }
        return workCount;
    }

    /** The client of these queries has disconnected. */
    public void onClosed(final Session session) {
        histories.onClosed(session);
        for (final ClientQuery query : session.queries().running()) {
            query.cancel();
            orphans.add(query);
        }
        session.queries().running().clear();
        session.queries().partQuery(null);
    }

    /** Releases queries whose clients have disconnected. Returns the work done. */
    public int closeOrphans() {
        int count = 0;
        for (int i = orphans.size() - 1; i >= 0; i--) {
            final ClientQuery query = orphans.get(i);
            if (query.run().isDone()) {
                close(query);
                orphans.remove(i);
                count++;
            }
        }
        return count;
    }

    /** Frees what queries have taken that nobody will end any more. Called when all agents have stopped. */
    public void free() {
        for (final ClientQuery query : orphans) {
            query.run().free();
        }
        orphans.clear();
    }

    /** Whether nothing of a query is sent yet, because what it answers is not on stable storage. */
    private static boolean isHeld(final ClientQuery query) {
        final DurableWait wait = query.durableWait();
        if (wait == null) {
            return false;
        }
        if (!query.isCancelled() && !wait.isOver()) {
            if (wait.isFailed()) {
                query.run().fail(QueryFailure.LOG_FAILED);
            }
            if (!query.run().isOverdue() && query.run().failure() == null) {
                return true;
            }
            query.drop();
        }
        query.durableWait(null);
        return false;
    }

    /** Whether what becomes of a subscription whose state has failed depends on what its shards have still to answer. */
    private static boolean isWaiting(final ClientQuery query) {
        return query.subscription() != null
                && !query.isCancelled()
                && query.run().failure() != null
                && query.subscription().isFrozen();
    }

    private int send(final Session session, final ClientQuery query) {
        recycle(session, query);
        if (!announce(session, query)) {
            return 0;
        }
        reportProgress(session, query);
        int count = 0;
        while (count < PAGE_LIMIT && session.isOpen() && query.results().next(query.run())) {
            final ResultPage page = query.results().page();
            if (page == null || !offer(session, query, page)) {
                break;
            }
            count++;
        }
        return count;
    }

    /**
     * Reports the progress of the query, when it is time to and there is room; a client that does not read gets fewer
     * reports.
     */
    private void reportProgress(final Session session, final ClientQuery query) {
        if (query.progressNs() > 0
                && context.nowNs() - query.notifiedNs() >= query.progressNs()
                && !query.isCancelled()
                && session.queries().partQuery() == null
                && session.outbox().isEmpty()
                && !query.run().isDone()) {
            query.onNotified(context.nowNs());
            // The number of records that the client may not see is nothing that it may know.
            final boolean isLimited = isLimited(query);
            final long found = isLimited && query.run().plan().endsEarly()
                    ? Math.min(query.run().found(), query.run().plan().limit())
                    : query.run().found();
            context.answers()
                    .queryProgress(
                            session.outbox(),
                            query.commandId(),
                            query.id(),
                            isLimited ? found : query.run().rowCount(),
                            isLimited ? found : query.run().scanned(),
                            found);
        }
    }

    /** Says where the query looks, before its first page. */
    private boolean announce(final Session session, final ClientQuery query) {
        while (query.delete() == null
                && query.results().announcedCount() < query.sources().size()) {
            if (!session.outbox().hasRoom()) {
                return false;
            }
            final QuerySource source = query.sources().get(query.results().nextAnnounced());
            context.announce(session, source.topic());
            context.answers()
                    .groupBegin(
                            session.outbox(),
                            query.commandId(),
                            query.id(),
                            source.snapshot().sequence(),
                            source.topic().shard(),
                            source.topic().id());
        }
        // Between the parts of a page nothing else may be sent, and nothing else has to be.
        return session.queries().partQuery() == query || session.outbox().flush();
    }

    /** Gives back what was found and is not to be sent, whether the client takes anything now or not. */
    private int discard(final ClientQuery query) {
        int count = 0;
        while (query.results().next(query.run()) && query.results().giveBack(query.run())) {
            count++;
        }
        if (count > 0) {
            context.queries().wakeup();
        }
        return count;
    }

    private boolean offer(final Session session, final ClientQuery query, final ResultPage page) {
        if (query.delete() != null) {
            final FoundVersions found = query.delete().found();
            page.forEachRow(query.delete().rows(), found);
            if (found != null && found.isFull()) {
                query.run().fail(QueryFailure.TOO_MANY_TO_DELETE);
            }
            query.results().giveBack(query.run());
            context.queries().wakeup();
            return true;
        }
        if (session.profile().protocolVersion() == 1
                && query.results().partSent() == 0
                && HeaderlessRecords.hasHeaders(page.buffer(), 0, page.length())) {
            page.length(HeaderlessRecords.copy(page.buffer(), 0, page.length(), page.buffer(), 0));
        }
        final int unit = session.connection().bestSendLength();
        long taken = 0;
        do {
            final boolean first = query.results().partSent() == 0;
            final int headerLength = first ? DELIVER_HEADER_LENGTH : 0;
            final int length = Math.min(
                    unit - headerLength, page.length() - query.results().partSent());
            final int remaining = page.length() - query.results().partSent() - length;
            if (first) {
                deliver.wrapAndApplyHeader(header, 0, messageHeader)
                        .subscriptionId(query.id())
                        .shard(page.shard())
                        .topicId(page.topicId())
                        .kind(DeliveryKind.SOW);
            }
            taken = session.connection()
                    .offer(
                            first ? header : EMPTY,
                            0,
                            headerLength,
                            page.buffer(),
                            query.results().partSent(),
                            length,
                            remaining);
            if (taken < 0) {
                return taken != Connection.BACK_PRESSURED;
            }
            query.results().onPartSent(length);
            if (query.results().partSent() < page.length()) {
                session.queries().partQuery(query);
                session.outbox().hold(true);
            }
        } while (query.results().partSent() < page.length());
        endFeed(session, query);
        query.results().onSent(page, taken);
        session.times().lastSentNs(context.nowNs());
        context.counters().messagesDelivered().getAndAddPlain(page.recordCount());
        context.counters().bytesDelivered().getAndAddPlain(page.length());
        session.delivery().onDelivered(taken, page.recordCount(), page.length());
        recycle(session, query);
        return true;
    }

    private static void endFeed(final Session session, final ClientQuery query) {
        query.results().endPart();
        if (session.queries().partQuery() == query) {
            session.queries().partQuery(null);
            session.outbox().hold(false);
        }
    }

    private void recycle(final Session session, final ClientQuery query) {
        if (query.results().recycle(query.run(), session.connection().completedPosition())) {
            context.queries().wakeup();
        }
    }

    private boolean isSent(final Session session, final ClientQuery query) {
        // The end of a state that is no longer wanted is not reported.
        final boolean isNotified = query.subscription() == null || !query.isCancelled();
        if ((isNotified && !session.outbox().hasRoom())
                || (query.delete() == null
                        && query.results().announcedCount() < query.sources().size())) {
            return false;
        }
        // Whatever was found before the run was done is in the queues by now.
        if (query.results().next(query.run())) {
            return false;
        }
        recycle(session, query);
        return query.results().isCompleted();
    }

    private void finish(final Session session, final ClientQuery query) {
        context.time().latencies().onQueried(query.run().startNs());
        final QueryFailure failure = query.run().failure();
        if (query.isCancelled()) {
            if (query.subscription() == null) {
                context.refuse(
                        session,
                        query.commandId(),
                        query.id(),
                        0,
                        ErrorCode.QUERY_CANCELLED,
                        "query: ended by its client");
            }
        } else if (failure != null) {
            if (query.subscription() == null) {
                final Refusal refusal = QueryRefusals.of("query", failure);
                context.refuse(session, query.commandId(), query.id(), 0, refusal.code(), refusal.text());
            }
        } else if (query.delete() == null) {
            context.answers()
                    .groupEnd(
                            session.outbox(),
                            query.commandId(),
                            query.id(),
                            said(query, query.run().topicMatches()),
                            said(query, query.run().matches()),
                            query.results().recordCount());
            acknowledge(session, query, AckType.COMPLETED);
            acknowledge(session, query, AckType.STATS);
        }
        query.completion().onComplete(session, query);
        close(query);
    }

    /**
     * What the client is told of a count. A query that has stopped when it had enough has looked at some records more; how
     * many depends on those between them that its client may not see. So it is told how many it wanted.
     */
    private static long said(final ClientQuery query, final long count) {
        final QueryPlan plan = query.run().plan();
        final boolean isEnough = plan.endsEarly() && query.run().matches() >= plan.limit();
        return isEnough && isLimited(query) ? plan.limit() : count;
    }

    private static boolean isLimited(final ClientQuery query) {
        return query.sources().stream().anyMatch(QuerySource::isLimited);
    }

    private void acknowledge(final Session session, final ClientQuery query, final AckType type) {
        if ((query.ackTypes() & (1 << type.value())) != 0) {
            context.answers()
                    .ack(
                            session.outbox(),
                            query.commandId(),
                            type,
                            said(query, query.run().topicMatches()),
                            said(query, query.run().matches()),
                            query.results().recordCount());
        }
    }

    /** Gives back the snapshots of what nobody looks at any more, however long its client takes for what was found. */
    private void release(final ClientQuery query) {
        if (!query.isReleased() && query.run().isDone()) {
            query.onReleased();
            query.run().release();
            context.counters().queryRows().getAndAddPlain(query.run().scanned());
            context.counters().queryRowsRead().getAndAddPlain(query.run().rowsRead());
            if (query.history() == null) {
                context.shards().closeSources(query.sources());
            } else {
                histories.release(query.history());
            }
        }
    }

    private void close(final ClientQuery query) {
        release(query);
        query.run().free();
        context.onQueryEnded(query.run().use());
    }
}
