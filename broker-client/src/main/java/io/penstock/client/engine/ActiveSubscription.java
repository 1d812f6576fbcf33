package io.penstock.client.engine;

import io.penstock.client.PenstockException;
import io.penstock.client.ReplayRate;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.session.CommandFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the engine's state of a subscription, behind a {@link io.penstock.client.Subscription}. Owned by the agent,
 * except its public methods.
 */
public final class ActiveSubscription {
    private final long id;
    private volatile SubscribeRequest request;
    private final MessageSink sink;
    private final @Nullable Replay replay;
    private final SubscriptionNames.@Nullable Claim name;
    private final CompletableFuture<@Nullable Void> completed = new CompletableFuture<>();
    private final boolean isMadeOnCredit;
    private volatile boolean isActive = true;

    /** Null when it needs none, or no more. The agent may forget it; who still sees it then gives to nobody. */
    private @Nullable Credit credit;

    private long commandId;
    private ReplayRate rate = ReplayRate.UNLIMITED;
    private boolean hasNewRate;
    private boolean isPaused;
    private boolean isReplaced;

    ActiveSubscription(
            final long id,
            final SubscribeRequest request,
            final MessageSink sink,
            final @Nullable Replay replay,
            final SubscriptionNames.@Nullable Claim name) {
        this.id = id;
        this.request = request;
        this.sink = sink;
        this.replay = replay;
        this.name = name;
        final long first = replay == null ? request.credit() : replay.credit();
        isMadeOnCredit = first > 0;
        credit = isMadeOnCredit ? new Credit(first) : null;
    }

    /** Internal: a number that no other subscription of the client ever has. */
    public long id() {
        return id;
    }

    /** Internal: what was subscribed to, as it was replaced last. */
    public SubscribeRequest request() {
        return request;
    }

    /** Internal: whether messages may still come. */
    public boolean isActive() {
        return isActive;
    }

    /** Internal: has no message come any more; returns whether any might. */
    public boolean stop() {
        final boolean wasActive = isActive;
        isActive = false;
        sink.onStop();
        releaseName();
        return wasActive;
    }

    /** Lets another subscription have its name: nothing is handed over any more, or it could not be made. Any thread. */
    void releaseName() {
        if (name != null) {
            name.release();
        }
    }

    /** Internal: whether it is to the log. */
    public boolean isReplay() {
        return replay != null;
    }

    /** Internal: completed by the agent when all has come that was in the log. */
    public CompletableFuture<@Nullable Void> completed() {
        return completed;
    }

    /** Internal: whether it was made with credit. */
    public boolean isMadeOnCredit() {
        return isMadeOnCredit;
    }

    /** Gives more credit; any thread. Returns whether the agent has to be notified. */
    boolean give(final long length) {
        final Credit known = credit;
        return known != null && known.give(length) && isActive;
    }

    /** Owned by the agent, except where its class says otherwise; null when it needs none. */
    @Nullable
    Credit credit() {
        return credit;
    }

    /** Internal: whether it has a name, under which is noted what was processed. */
    public boolean isNamed() {
        return replay != null && replay.isNamed();
    }

    /** Internal: the program is done with a message of a subscription that has a name. */
    public void acknowledge(final int shard, final long sequence) {
        if (replay == null || !replay.isNamed()) {
            throw new IllegalStateException("subscription: has no name (subscribe with one, and a bookmark store)");
        }
        replay.onProcessed(shard, sequence);
    }

    /** Null for one that is not to the log, or no more: what replaces it may have any sequences. */
    @Nullable
    Replay replay() {
        return isReplaced ? null : replay;
    }

    /** The command that begins it, on whatever connection. */
    CommandFrame frame() {
        return replay == null || isReplaced ? CommandFrame.subscribe(id, request) : replay.frame(id);
    }

    /** Called by the agent when the broker has replaced it: what it was to before, and its pace, are over. */
    void request(final SubscribeRequest newRequest) {
        request = newRequest;
        isReplaced = true;
        isPaused = false;
        credit = null;
        rate = ReplayRate.UNLIMITED;
        hasNewRate = false;
    }

    /** Whether it ends with what it was to at first. */
    boolean hasEnd() {
        return replay != null && replay.hasEnd() && !isReplaced;
    }

    MessageSink sink() {
        return sink;
    }

    /** Called by the agent when the broker has paused it, or lets it go on. */
    void onPause(final boolean isToPause) {
        isPaused = isToPause;
    }

    /** Called by the agent when the broker has set its rate. */
    void onRate(final ReplayRate newRate) {
        rate = newRate;
        hasNewRate = true;
    }

    /** The commands that make it on a new connection what it was, in their order. */
    List<CommandFrame> paceFrames() {
        final List<CommandFrame> frames = new ArrayList<>();
        if (hasNewRate) {
            frames.add(CommandFrame.rate(id, rate));
        }
        if (isPaused) {
            frames.add(CommandFrame.pause(id, true));
        }
        return frames;
    }

    /** The id of the command that began it on this connection. */
    long commandId() {
        return commandId;
    }

    void commandId(final long newCommandId) {
        commandId = newCommandId;
    }

    /** Called by the agent; returns whether it is the first time. */
    boolean onCompleted() {
        return completed.complete(null);
    }

    /** Called by the agent when the subscription has ended. */
    void onEnd(final @Nullable PenstockException reason) {
        isActive = false;
        releaseName();
        completed.completeExceptionally(
                reason == null
                        ? new PenstockException(
                                "subscription to " + request.topic() + ": was closed before it was completed", null)
                        : reason);
    }
}
