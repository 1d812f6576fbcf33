package io.penstock.client.engine;

import io.penstock.client.MessageView;
import io.penstock.client.PenstockException;
import io.penstock.client.SowProgress;
import io.penstock.client.SowRequest;
import io.penstock.client.SowStats;
import io.penstock.client.session.CommandFrame;
import io.penstock.client.warning.ClientLog;
import io.penstock.client.warning.Failures;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Internal: a query of state that runs. Called by the agent; as a future it may be waited for, and given up, by any thread. */
public final class Query extends Request<SowStats> {
    private final long id;
    private final SowRequest request;
    private final MessageSink sink;
    private final Queries queries;
    private final CommandPoster poster;
    private final Map<Integer, Long> sequenceByShard = new HashMap<>();
    private final AtomicReference<@Nullable SowProgress> newest = new AtomicReference<>();
    private final StringBuilder explanation = new StringBuilder();
    private boolean isHandedOver;
    private long topicMatches;
    private long matches;
    private long returned;

    Query(
            final long id,
            final SowRequest request,
            final MessageSink sink,
            final Queries queries,
            final CommandPoster poster) {
        this.id = id;
        this.request = request;
        this.sink = sink;
        this.queries = queries;
        this.poster = poster;
    }

    long id() {
        return id;
    }

    /** Internal: what is asked. */
    public SowRequest request() {
        return request;
    }

    CommandFrame frame() {
        return CommandFrame.sow(id, request);
    }

    @Override
    void onSent(final long commandId) {
        queries.add(this);
    }

    /** Asked again, unless that would hand the same records to the program twice. */
    @Override
    @Nullable
    CommandFrame onLost() {
        queries.remove(this);
        if (isDone() || (isHandedOver && !sink.forget())) {
            return null;
        }
        isHandedOver = false;
        sequenceByShard.clear();
        explanation.setLength(0);
        return frame();
    }

    /** Returns false when there is no room; the record is offered again then. */
    boolean onMessage(final MessageView message) {
        if (isDone()) {
            return true;
        }
        try {
            final boolean isTaken = sink.onMessage(message);
            isHandedOver |= isTaken;
            return isTaken;
        } catch (final RuntimeException e) {
            giveUp(e);
            return true;
        }
    }

    void onGroupBegin(final String topic, final int shard, final long sequence) {
        sequenceByShard.put(shard, sequence);
        if (isDone()) {
            return;
        }
        try {
            sink.onGroupBegin(topic, shard, sequence);
        } catch (final RuntimeException e) {
            giveUp(e);
        }
    }

    void onProgress(final SowProgress progress) {
        if (isDone()) {
            return;
        }
        newest.set(progress);
        try {
            sink.onProgress(progress);
        } catch (final RuntimeException e) {
            giveUp(e);
        }
    }

    /** Internal: how far it was when the broker said so last, null before that; by any thread. */
    public @Nullable SowProgress progress() {
        return newest.get();
    }

    void onExplanation(final String text) {
        explanation.append(text);
    }

    void onGroupEnd(final long newTopicMatches, final long newMatches, final long newReturned) {
        topicMatches = newTopicMatches;
        matches = newMatches;
        returned = newReturned;
        try {
            sink.onGroupEnd(topicMatches, matches, returned);
        } catch (final RuntimeException e) {
            giveUp(e);
        }
    }

    @Override
    void onAck() {
        queries.remove(this);
        if (complete(new SowStats(topicMatches, matches, returned, sequenceByShard, explanation.toString()))) {
            sink.onQueryEnd(null);
        }
    }

    @Override
    void onFailure(final PenstockException reason) {
        queries.remove(this);
        if (completeExceptionally(reason)) {
            sink.onQueryEnd(reason);
        }
    }

    /** The handler of the records has failed: nobody wants the rest. */
    private void giveUp(final RuntimeException cause) {
        final PenstockException reason = cause instanceof PenstockException known
                ? known
                : new PenstockException(
                        "sow of " + request.topic() + ": its handler threw: " + Failures.nameOf(cause), cause);
        if (completeExceptionally(reason)) {
            sink.onQueryEnd(reason);
            queries.cancel(this);
        }
    }

    /** Gives it up, here and at the broker. */
    @Override
    public boolean cancel(final boolean mayInterruptIfRunning) {
        final boolean isCancelled = super.cancel(mayInterruptIfRunning);
        if (isCancelled) {
            try {
                poster.post(CommandFrame.unsubscribe(id), new Request.Done());
            } catch (final PenstockException e) {
                ClientLog.warn("sow of " + request.topic()
                        + ": could not be cancelled at the broker, which gives it up when its own time is up: "
                        + e.getMessage());
            }
        }
        return isCancelled;
    }
}
