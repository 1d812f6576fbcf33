package io.penstock.broker.session;

import io.penstock.broker.history.HistoryTask;
import io.penstock.broker.query.QueryRun;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.query.ResultPage;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query of a client, from when its snapshots are open until they are closed. Confined to the client's I/O agent. */
final class ClientQuery {
    /** Something that follows when all was sent. */
    @FunctionalInterface
    interface Completion {
        void onComplete(Session session, ClientQuery query);
    }

    final long id;
    final long commandId;
    final int ackTypes;
    final QueryRun run;
    final List<QuerySource> sources;

    /** How often its client is told how far it is; 0 for never. */
    final long progressNs;

    /** When its client was told last. */
    long notifiedNs;

    final Completion completion;

    /** What is done with the records that are found, when they are not sent. */
    final @Nullable DeleteQuery delete;

    /** Pages that were offered and that the connection still needs, oldest first. */
    final ArrayDeque<SentPage> sentPages = new ArrayDeque<>();

    /** The page that is being offered, because it is longer than one unit or the connection was full. */
    @Nullable
    ResultPage page;

    int pageWorker;

    /** Bytes of {@link #page} that were offered, when it is longer than one unit. */
    int partSent;

    int nextWorker;
    int announcedSources;
    long returned;
    boolean cancelled;

    /** Whether nothing of it is sent any more, but the rest of a page that is half sent. */
    boolean isDropped;

    /** What its answer waits for; null when it need not. */
    @Nullable
    DurableWait durableWait;

    /** What its sources were made for, when they are of state as it was; null when they are of the shards. */
    @Nullable
    HistoryTask history;

    /** Whether its snapshots were given back. */
    boolean isReleased;

    /**
     * The subscription whose state it sends; null when its client asked for it alone. What becomes of a subscription is not
     * for its query to tell: who cancels that knows, and its completion does when it has failed.
     */
    final @Nullable ClientSubscription subscription;

    ClientQuery(
            final long id,
            final @Nullable ClientSubscription subscription,
            final long commandId,
            final int ackTypes,
            final QueryRun run,
            final List<QuerySource> sources,
            final @Nullable DeleteQuery delete,
            final long progressNs,
            final long nowNs,
            final Completion completion) {
        this.id = id;
        this.subscription = subscription;
        this.commandId = commandId;
        this.ackTypes = ackTypes;
        this.run = run;
        this.sources = List.copyOf(sources);
        this.delete = delete;
        this.progressNs = progressNs;
        notifiedNs = nowNs;
        this.completion = completion;
    }

    /** Nobody wants it any more. */
    void cancel() {
        cancelled = true;
        drop();
    }

    /** Nothing of it is sent any more, but the rest of a page that is half sent. */
    void drop() {
        isDropped = true;
        announcedSources = sources.size();
        run.cancel();
    }

    /**
     * A page that a connection has taken.
     *
     * @param connectionPosition until which it is needed.
     * @param worker             whose page it is.
     * @param page               of records.
     */
    record SentPage(long connectionPosition, int worker, ResultPage page) {}
}
