package io.penstock.transport;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Java's selector with wake-ups that are neither lost nor paid for when nobody waits. A transport has its own, or joins
 * that of its {@link TransportContext#loop()}, so that an owner of several transports waits for all of them at once.
 *
 * <p>Owned by the agent that opened it; only {@link #wakeup()} may be called by others. Allocates nothing once its
 * channels are registered.
 */
public final class SelectorLoop implements AutoCloseable {
    private static final long NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final WakeupFlag wakeupFlag = new WakeupFlag();
    private final Consumer<SelectionKey> onSelected = SelectorLoop::onSelected;
    private final Selector selector;

    /**
     * Opens a selector.
     *
     * @throws IOException when the system has none left.
     */
    public SelectorLoop() throws IOException {
        selector = Selector.open();
    }

    /**
     * Registers a channel that does not block. It is notified of readiness by each poll and wait, for as long as that
     * lasts and is asked for.
     *
     * @param channel  which takes its registration with it when it is closed; its descriptor goes with the next poll.
     * @param ops      of {@link SelectionKey}, to ask for.
     * @param listener notified of readiness; another one can be attached to the key. Null to notify nobody yet.
     * @return the key.
     * @throws IOException when the channel or this is closed.
     */
    public SelectionKey register(final SelectableChannel channel, final int ops, final @Nullable ReadyListener listener)
            throws IOException {
        if (!selector.isOpen()) {
            throw new IOException("the selector is closed (open another one)");
        }
        return channel.register(selector, ops, listener);
    }

    /**
     * Reports what is ready now; nothing is when this is closed.
     *
     * @throws IOException when the system refuses.
     */
    public void poll() throws IOException {
        if (selector.isOpen()) {
            selector.selectNow(onSelected);
        }
    }

    /**
     * Reports what is ready as soon as something is. Returns without a report when woken or when the time is up.
     *
     * @param timeoutNs the longest wait in nanoseconds, rounded up to milliseconds.
     * @throws IOException when the system refuses.
     */
    public void await(final long timeoutNs) throws IOException {
        if (wakeupFlag.beginWait()) {
            // A wake-up of the selector is kept for the next select, so that none is lost between the two calls.
            selector.select(onSelected, Math.max(1, timeoutNs / NS_PER_MS + (timeoutNs % NS_PER_MS == 0 ? 0 : 1)));
        }
        wakeupFlag.endWait();
    }

    private static void onSelected(final SelectionKey key) {
        final ReadyListener listener = (ReadyListener) key.attachment();
        if (listener != null) {
            final int ready = key.readyOps();
            listener.onReady(
                    (ready & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0,
                    (ready & SelectionKey.OP_WRITE) != 0);
        }
    }

    /** Ends a present or the next {@link #await(long)} at once. Any thread. */
    public void wakeup() {
        if (wakeupFlag.wake()) {
            selector.wakeup();
        }
    }

    /** Frees the selector. Channels stay open. */
    @Override
    public void close() {
        try {
            selector.close();
        } catch (final IOException ex) {
            throw new IllegalStateException("selector: cannot be closed", ex);
        }
    }
}
