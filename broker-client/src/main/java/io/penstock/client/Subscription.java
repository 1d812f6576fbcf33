package io.penstock.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A subscription that the broker has accepted. Safe on any thread. */
public final class Subscription implements AutoCloseable {
    private final PenstockClient client;
    private final long id;
    private volatile SubscribeRequest request;
    private final MessageSink sink;
    private final @Nullable Replay replay;
    private final CompletableFuture<@Nullable Void> completed = new CompletableFuture<>();
    private volatile boolean isActive = true;

    private final boolean isMadeOnCredit;

    /** Null when it needs none, or no more. The agent may forget it; who still sees it then gives to nobody. */
    private @Nullable Credit credit;

    // Owned by the agent.
    private long commandId;
    private ReplayRate rate = ReplayRate.UNLIMITED;
    private boolean hasNewRate;
    private boolean isPaused;
    private boolean isReplaced;

    Subscription(final PenstockClient client, final long id, final SubscribeRequest request, final MessageSink sink) {
        this(client, id, request, sink, null);
    }

    Subscription(
            final PenstockClient client,
            final long id,
            final SubscribeRequest request,
            final MessageSink sink,
            final @Nullable Replay replay) {
        this.replay = replay;
        this.client = client;
        this.id = id;
        this.request = request;
        this.sink = sink;
        final long first = replay == null ? request.credit() : replay.credit();
        isMadeOnCredit = first > 0;
        credit = isMadeOnCredit ? new Credit(first) : null;
    }

    /**
     * A number that no other subscription of this client ever has.
     *
     * @return the id, from 1.
     */
    public long id() {
        return id;
    }

    /**
     * What was subscribed to.
     *
     * @return as given, or as it was replaced last.
     */
    public SubscribeRequest request() {
        return request;
    }

    /**
     * Whether messages may still come.
     *
     * @return false once it was closed or has ended.
     */
    public boolean isActive() {
        return isActive;
    }

    /**
     * Ends it. On return the handler is not called any more. Waits for the broker's answer, for at most {@link
     * ClientConfig#requestTimeoutNs()}, unless called on the client's own thread or while there is no connection: then it
     * is not made again on the next one. It reaches the broker before commands and publishes that still wait. Idempotent.
     */
    @Override
    public void close() {
        if (isActive) {
            isActive = false;
            client.unsubscribe(this);
        }
    }

    /**
     * Tells when all messages have come that were in the log when the subscription was made, or all up to its end. A
     * stream may hold some of them then.
     *
     * @return completed on the client's thread, exceptionally with a {@link PenstockException} when the subscription
     *     ended before.
     * @throws IllegalStateException when the subscription was not made with a {@link ReplayRequest}.
     */
    public CompletableFuture<@Nullable Void> completed() {
        if (replay == null) {
            throw new IllegalStateException("subscription: is not to the log (subscribe with a ReplayRequest)");
        }
        return completed.copy();
    }

    /**
     * Lets the broker deliver nothing until {@link #resume()}; nothing is lost. What is on its way already still comes. It
     * stays paused on new connections. Waits for the broker's answer; not to be called on the client's own thread.
     *
     * @throws PenstockException when the broker refuses it, as it does for subscriptions that follow state.
     */
    public void pause() {
        client.pace(CommandFrame.pause(id, true), () -> onPause(true));
    }

    /**
     * Goes on after {@link #pause()}, where it was. Waits for the broker's answer; not to be called on the client's own
     * thread.
     *
     * @throws PenstockException when the broker refuses it.
     */
    public void resume() {
        client.pace(CommandFrame.pause(id, false), () -> onPause(false));
    }

    /**
     * Sets how fast messages come at most, from now on and on new connections. Waits for the broker's answer; not to be
     * called on the client's own thread.
     *
     * @param limit {@link ReplayRate#UNLIMITED} for as fast as they are taken.
     * @throws PenstockException when the broker refuses it, as it does for subscriptions that follow state.
     */
    public void rate(final ReplayRate limit) {
        client.pace(CommandFrame.rate(id, limit), () -> onRate(limit));
    }

    /**
     * Lets more messages come, if it was made with credit, until that is used up; the last one may take more. Does not wait, and may be called in a handler. What was given counts on new connections as well; once the subscription has
     * ended, or was replaced, it does nothing.
     *
     * @param length in bytes, as {@link MessageView#creditLength()} counts them.
     * @throws IllegalStateException    when the subscription was made without credit.
     * @throws IllegalArgumentException when it is not 1 or more.
     */
    public void credit(final long length) {
        if (!isMadeOnCredit) {
            throw new IllegalStateException("subscription: was made without credit (ask for it in the request)");
        }
        if (length < 1) {
            throw new IllegalArgumentException("subscription: credit is too small: " + length + " (give 1 or more)");
        }
        final Credit known = credit;
        if (known != null && known.give(length) && isActive) {
            client.tellCredit(this);
        }
    }

    /** Owned by the agent, but for what it says itself; null when it needs none. */
    @Nullable
    Credit credit() {
        return credit;
    }

    /**
     * Says that the program is done with a message of a named subscription, which does not come again then. For
     * subscriptions with {@link Processing#ACKNOWLEDGED}: messages of a shard are noted up to the first that was not
     * acknowledged.
     *
     * @param shard    of the message.
     * @param sequence in the shard.
     * @throws IllegalStateException when the subscription has no name.
     */
    public void acknowledge(final int shard, final long sequence) {
        if (replay == null || !replay.isNamed()) {
            throw new IllegalStateException("subscription: has no name (subscribe with one, and a bookmark store)");
        }
        replay.onProcessed(shard, sequence);
    }

    boolean isNamed() {
        return replay != null && replay.isNamed();
    }

    /** Null for one that is not to the log. */
    @Nullable
    Replay replay() {
        return replay;
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
        completed.completeExceptionally(
                reason == null
                        ? new PenstockException(
                                "subscription to " + request.topic() + ": was closed before it was completed", null)
                        : reason);
    }
}
