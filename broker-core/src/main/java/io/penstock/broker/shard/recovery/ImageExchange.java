package io.penstock.broker.shard.recovery;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** How the keeper gets an image of a shard from its sequencer and gives it back. One at a time. */
public final class ImageExchange {
    private final Runnable wakeSequencer;
    private final Runnable wakeKeeper;
    private final AtomicBoolean isPending = new AtomicBoolean();
    private final AtomicBoolean isWanted = new AtomicBoolean();
    private final AtomicReference<@Nullable ShardImage> made = new AtomicReference<>();
    private final AtomicReference<@Nullable ShardImage> done = new AtomicReference<>();

    public ImageExchange(final Runnable wakeSequencer, final Runnable wakeKeeper) {
        this.wakeSequencer = wakeSequencer;
        this.wakeKeeper = wakeKeeper;
    }

    /** Asks for an image. Called by the keeper, which has none. */
    void request() {
        isWanted.set(true);
        isPending.set(true);
        wakeSequencer.run();
    }

    /** Takes the image that was asked for, or null as long as there is none. Called by the keeper. */
    @Nullable
    ShardImage take() {
        return made.getAndSet(null);
    }

    /** Gives the image back. Called by the keeper, which does not look at it any more. */
    void giveBack(final ShardImage image) {
        done.set(image);
        isPending.set(true);
        wakeSequencer.run();
    }

    /** Whether there is something to do for the sequencer. */
    public boolean isPending() {
        return isPending.getAcquire();
    }

    /** Takes an image that is to be closed, or null. Called by the sequencer, before {@link #isWanted}. */
    @Nullable
    public ShardImage takeBack() {
        isPending.set(false);
        return done.getAndSet(null);
    }

    /** Whether an image is to be made, once. Called by the sequencer. */
    public boolean isWanted() {
        return isWanted.getAndSet(false);
    }

    /** Gives an image to the keeper. Called by the sequencer. */
    public void put(final ShardImage image) {
        made.set(image);
        wakeKeeper.run();
    }
}
