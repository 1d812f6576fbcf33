package io.penstock.broker.shard.store;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A reader's view of the stores of a shard, as they were when a sequence had been applied. Opened and closed by the
 * writer, which hands it to the reader and is notified by it when it is done.
 */
public final class Snapshot {
    /** Set while it is open, and changed by the writer alone, which is the only reader of those that are used again. */
    private long sequence;

    private Runnable onTooOld = Snapshot::notifyNobody;
    private final AtomicBoolean isTooOld = new AtomicBoolean();

    @Nullable
    Snapshot older;

    @Nullable
    Snapshot newer;

    boolean isOpen = true;

    /** Whether it is used again once it is closed. */
    final boolean isOwn;

    Snapshot(final boolean isOwn, final long sequence) {
        this.isOwn = isOwn;
        this.sequence = sequence;
    }

    /** Becomes another one. */
    void begin(final long ofSequence, final Runnable whenTooOld) {
        sequence = ofSequence;
        onTooOld = whenTooOld;
        isTooOld.setRelease(false);
        isOpen = true;
    }

    private static void notifyNobody() {}

    /** Is not open any more. */
    void end() {
        isOpen = false;
        onTooOld = Snapshot::notifyNobody;
    }

    /**
     * The last sequence that the view shows.
     *
     * @return sequence.
     */
    public long sequence() {
        return sequence;
    }

    /**
     * Whether the versions kept for this snapshot have outgrown their budget. The reader should stop then and have the
     * snapshot closed; until it is closed, its memory stays as it is. Any thread may ask.
     *
     * @return true from then on.
     */
    public boolean isTooOld() {
        return isTooOld.getAcquire();
    }

    void expire() {
        isTooOld.setRelease(true);
        onTooOld.run();
    }
}
