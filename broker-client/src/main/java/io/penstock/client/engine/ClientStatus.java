package io.penstock.client.engine;

import io.penstock.client.ConnectionException;
import io.penstock.client.session.Session;
import io.penstock.client.sink.ClientGate;
import io.penstock.protocol.FrameHeader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * State that the agent and the threads of the program share. The agent writes it, except where a method says otherwise.
 */
final class ClientStatus implements ClientGate {
    private static final long POSTED = 1L << Integer.SIZE;

    /** Completed by the first logon, or by its failure. */
    private final CompletableFuture<Boolean> firstLogon = new CompletableFuture<>();

    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    /**
     * Below, the threads that are posting: none may slip in behind the agent's last look, or write to memory that is
     * freed. Above, how often something was posted, modulo 2^32.
     */
    private final AtomicLong posts = new AtomicLong();

    private volatile Runnable wakeup = () -> {};
    private volatile IntSupplier drain = () -> 0;
    private volatile @Nullable Thread agentThread;
    private volatile @Nullable ConnectionException end;
    private volatile boolean isAwaiting;
    private volatile boolean isConnected;
    private volatile boolean isCloseRequested;
    private volatile long publisherSequence;
    private volatile int messageLengthMax;
    private volatile int brokerVersion = FrameHeader.VERSION;
    private volatile String broker = "";

    ClientStatus(final int messageLengthMax) {
        this.messageLengthMax = messageLengthMax;
    }

    void onStart(final Thread thread, final Runnable newWakeup, final IntSupplier newDrain) {
        agentThread = thread;
        wakeup = newWakeup;
        drain = newDrain;
    }

    void onLogon(final Session session) {
        publisherSequence = session.publisherSequence();
        messageLengthMax = session.messageLengthMax();
        brokerVersion = session.brokerVersion();
        broker = session.broker();
        isConnected = true;
        firstLogon.complete(true);
    }

    void onDisconnect() {
        isConnected = false;
    }

    /** From here on nobody posts, once {@link #isPosting()} is false. */
    void onEnd(final ConnectionException reason) {
        isConnected = false;
        end = reason;
    }

    /** Commands that are posted from here on wake the agent, which checks once more before it waits. */
    void beginAwait() {
        isAwaiting = true;
    }

    void endAwait() {
        isAwaiting = false;
    }

    /** Lets those go on who wait for the first logon or for the end. */
    void onEnded(final ConnectionException reason) {
        firstLogon.completeExceptionally(reason);
        ended.complete(true);
    }

    /** Changes with each post, but for one chance in four billion. */
    int postedCount() {
        return (int) (posts.get() >>> Integer.SIZE);
    }

    boolean isPosting() {
        return (int) posts.get() != 0;
    }

    CompletableFuture<Boolean> firstLogon() {
        return firstLogon;
    }

    CompletableFuture<Boolean> ended() {
        return ended;
    }

    /** Called by any thread before it posts; {@link #checkOpen()} must follow, and one of those that end it. */
    @Override
    public void beginPost() {
        posts.getAndAdd(1);
    }

    /** Ends a post that was refused. */
    @Override
    public void endPost() {
        posts.getAndAdd(-1);
    }

    /** Called by any thread after it has posted. */
    @Override
    public void onPosted() {
        // A read-modify-write: what was posted must be visible before it is asked whether the agent waits.
        posts.getAndAdd(POSTED - 1);
        if (isAwaiting) {
            wakeup();
        }
    }

    /** Called by any thread. */
    @Override
    public void checkOpen() {
        final ConnectionException reason = end;
        if (reason != null) {
            throw reason.onCallersThread();
        }
        if (isCloseRequested) {
            throw new ConnectionException("client: is closed (connect another one)", null);
        }
    }

    /** Called by any thread. */
    void requestClose() {
        isCloseRequested = true;
        wakeup();
    }

    /** Called by any thread. */
    @Override
    public void wakeup() {
        beginPost();
        try {
            if (end == null) {
                wakeup.run();
            }
        } finally {
            endPost();
        }
    }

    /** Called on the agent's thread, by a handler that finds no room; returns the number of commands sent. */
    int drain() {
        return drain.getAsInt();
    }

    @Override
    public boolean isAgentThread() {
        return Thread.currentThread().equals(agentThread);
    }

    boolean isConnected() {
        return isConnected;
    }

    boolean isCloseRequested() {
        return isCloseRequested;
    }

    boolean isEnded() {
        return end != null;
    }

    long publisherSequence() {
        return publisherSequence;
    }

    /** Whether the broker speaks a version of the protocol that has headers. */
    boolean takesHeaders() {
        return brokerVersion > 1;
    }

    int messageLengthMax() {
        return messageLengthMax;
    }

    String broker() {
        return broker;
    }
}
