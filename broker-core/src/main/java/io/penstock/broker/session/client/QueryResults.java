package io.penstock.broker.session.client;

import io.penstock.broker.query.QueryRun;
import io.penstock.broker.query.ResultPage;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The results of a query, and how much of them was sent to its client. Confined to the client's I/O agent. */
public final class QueryResults {
    /** Pages that were offered and that the connection still needs, oldest first. */
    private final ArrayDeque<SentPage> sentPages = new ArrayDeque<>();

    private @Nullable ResultPage page;
    private int pageWorker;
    private int nextWorker;
    private int partSent;
    private int announcedCount;
    private long recordCount;
    private byte @Nullable [] explanation;
    private int explainedLength;

    /** The page that is being offered, because it is longer than one unit or the connection was full; or null. */
    public @Nullable ResultPage page() {
        return page;
    }

    /** Bytes of the page that were offered, when it is longer than one unit; 0 when it is not half sent. */
    public int partSent() {
        return partSent;
    }

    /** Another part of the page was sent. */
    public void onPartSent(final int length) {
        partSent += length;
    }

    /** The page is not half sent any more. */
    public void endPart() {
        partSent = 0;
    }

    /** Sources that its client was notified of. */
    public int announcedCount() {
        return announcedCount;
    }

    /** Its client is notified of another source. Returns which one that is. */
    public int nextAnnounced() {
        return announcedCount++;
    }

    /** Its client need not be notified of any source. */
    void announceNoMore(final int count) {
        announcedCount = count;
    }

    /** What says how the query was answered, in UTF-8; null as long as it was not made. */
    public byte @Nullable [] explanation() {
        return explanation;
    }

    /** It was made. */
    public void explanation(final byte[] text) {
        explanation = text;
    }

    /** How much of it was sent. */
    public int explainedLength() {
        return explainedLength;
    }

    /** More of it was sent. */
    public void onExplained(final int length) {
        explainedLength += length;
    }

    /** Records that were sent. */
    public long recordCount() {
        return recordCount;
    }

    /** Takes the next page of a run, of each worker in turn, unless there is one. Returns whether there is one. */
    public boolean next(final QueryRun run) {
        for (int i = 0; page == null && i < run.workerCount(); i++) {
            pageWorker = nextWorker;
            nextWorker = nextWorker + 1 < run.workerCount() ? nextWorker + 1 : 0;
            page = run.poll(pageWorker);
        }
        return page != null;
    }

    /** Gives the page back to its run, unless there is none. Returns whether there was one. */
    public boolean giveBack(final QueryRun run) {
        final ResultPage done = page;
        if (done == null) {
            return false;
        }
        page = null;
        run.recycle(pageWorker, done);
        return true;
    }

    /** All of the page was taken by the connection, which needs it up to a position of its own. */
    public void onSent(final ResultPage sent, final long connectionPosition) {
        page = null;
        recordCount += sent.recordCount();
        sentPages.add(new SentPage(connectionPosition, pageWorker, sent));
    }

    /** Gives pages back to their run that the connection has completed. Returns whether there were any. */
    public boolean recycle(final QueryRun run, final long completedPosition) {
        boolean isAny = false;
        SentPage sent;
        while ((sent = sentPages.peek()) != null && sent.connectionPosition() <= completedPosition) {
            sentPages.remove();
            run.recycle(sent.worker(), sent.page());
            isAny = true;
        }
        return isAny;
    }

    /** Whether the connection needs none of what it has taken any more. */
    public boolean isCompleted() {
        return sentPages.isEmpty();
    }

    /**
     * A page that a connection has taken.
     *
     * @param connectionPosition until which it is needed.
     * @param worker             whose page it is.
     * @param page               of records.
     */
    private record SentPage(long connectionPosition, int worker, ResultPage page) {}
}
