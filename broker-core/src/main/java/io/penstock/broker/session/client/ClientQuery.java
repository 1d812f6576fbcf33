package io.penstock.broker.session.client;

import io.penstock.broker.history.HistoryTask;
import io.penstock.broker.query.QueryRun;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.session.feed.ClientSubscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query of a client, from when its snapshots are open until they are closed. Confined to the client's I/O agent. */
public final class ClientQuery {
    /** Something that follows when all was sent. */
    @FunctionalInterface
    public interface Completion {
        /** All of a query was sent, or it has failed or was cancelled. */
        void onComplete(Session session, ClientQuery query);
    }

    private final QueryCommand command;
    private final @Nullable ClientSubscription subscription;
    private final QueryRun run;
    private final List<QuerySource> sources;
    private final @Nullable DeleteQuery delete;
    private final Completion completion;
    private final QueryResults results = new QueryResults();
    private long notifiedNs;
    private boolean isCancelled;
    private boolean isDropped;
    private boolean isReleased;
    private @Nullable DurableWait durableWait;
    private @Nullable HistoryTask history;

    /**
     * A query that is about to run.
     *
     * @param command      that asks for it.
     * @param subscription whose state it sends; null when its client asked for it alone.
     * @param run          of it.
     * @param sources      that it looks at.
     * @param delete       what is done with the records that are found, when they are not sent; or null.
     * @param nowNs        of the broker's clock.
     * @param completion   that follows when all was sent.
     */
    public ClientQuery(
            final QueryCommand command,
            final @Nullable ClientSubscription subscription,
            final QueryRun run,
            final List<QuerySource> sources,
            final @Nullable DeleteQuery delete,
            final long nowNs,
            final Completion completion) {
        this.command = command;
        this.subscription = subscription;
        this.run = run;
        this.sources = List.copyOf(sources);
        this.delete = delete;
        notifiedNs = nowNs;
        this.completion = completion;
    }

    /** Nobody wants it any more. */
    public void cancel() {
        isCancelled = true;
        drop();
    }

    /** Nothing of it is sent any more, but the rest of a page that is half sent. */
    public void drop() {
        isDropped = true;
        results.announceNoMore(sources.size());
        run.cancel();
    }

    /** The number that its client has given, or that of the subscription; 0 for a delete. */
    public long id() {
        return command.id();
    }

    /** Returned in its answer. */
    public long commandId() {
        return command.commandId();
    }

    /** Acknowledgements asked for, as bits. */
    public int ackTypes() {
        return command.ackTypes();
    }

    /** Whether its client is told at the end how it was answered. */
    public boolean isExplained() {
        return command.isExplained();
    }

    /** Interval in which its progress is reported to its client; 0 for never. */
    public long progressNs() {
        return command.progressNs();
    }

    /**
     * The subscription whose state it sends; null when its client asked for it alone. The query does not report the end
     * of the subscription: code that cancels the query does, or its completion when it has failed.
     */
    public @Nullable ClientSubscription subscription() {
        return subscription;
    }

    /** The work of query agents for it. */
    public QueryRun run() {
        return run;
    }

    /** The sources that it reads. */
    public List<QuerySource> sources() {
        return sources;
    }

    /** The delete that handles found records, when they are not sent; else null. */
    public @Nullable DeleteQuery delete() {
        return delete;
    }

    /** Called when all results were sent. */
    public Completion completion() {
        return completion;
    }

    /** The results, and how much of them was sent. */
    public QueryResults results() {
        return results;
    }

    /** When its progress was last reported to its client. */
    public long notifiedNs() {
        return notifiedNs;
    }

    /** Its progress is reported to its client. */
    public void onNotified(final long nowNs) {
        notifiedNs = nowNs;
    }

    /** Whether nobody wants it any more. */
    public boolean isCancelled() {
        return isCancelled;
    }

    /** Whether nothing of it is sent any more, but the rest of a page that is half sent. */
    public boolean isDropped() {
        return isDropped;
    }

    /** Whether its snapshots were given back. */
    public boolean isReleased() {
        return isReleased;
    }

    /** Its snapshots are given back. */
    public void onReleased() {
        isReleased = true;
    }

    /** The wait of its answer for stable storage; null when it need not wait. */
    public @Nullable DurableWait durableWait() {
        return durableWait;
    }

    /** The same, from now on. */
    public void durableWait(final @Nullable DurableWait value) {
        durableWait = value;
    }

    /** The task that made its sources, when they are of state as it was; null when they are of the shards. */
    public @Nullable HistoryTask history() {
        return history;
    }

    /** Its sources were made for this. */
    public void history(final HistoryTask value) {
        history = value;
    }
}
