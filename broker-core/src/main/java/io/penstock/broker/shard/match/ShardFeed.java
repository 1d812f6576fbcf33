package io.penstock.broker.shard.match;

import org.jspecify.annotations.Nullable;

/**
 * One feed of a subscription as its shard's sequencer has it, and its neighbours among those of the same client.
 *
 * @param <P> the class itself.
 */
public abstract class ShardFeed<P extends ShardFeed<P>> {
    final Interest interest;
    final DescriptorRing ring;
    final Run run = new Run();

    private boolean isDirty;
    private boolean isRemoved;
    private boolean isSuperseded;

    @Nullable
    P previous;

    @Nullable
    P next;

    public ShardFeed(final Interest interest, final DescriptorRing ring) {
        this.interest = interest;
        this.ring = ring;
    }

    public Interest interest() {
        return interest;
    }

    public DescriptorRing ring() {
        return ring;
    }

    public Run run() {
        return run;
    }

    /** Whether something in its run has still to be enqueued. */
    public final boolean isDirty() {
        return isDirty;
    }

    public final void isDirty(final boolean value) {
        isDirty = value;
    }

    /** Whether it is no longer among those of its client. */
    public final boolean isRemoved() {
        return isRemoved;
    }

    public final void onRemoved() {
        isRemoved = true;
    }

    /** Whether it is superseded: it ends once everything due to it was sent to its I/O agent. */
    public final boolean isSuperseded() {
        return isSuperseded;
    }

    public final void supersede() {
        isSuperseded = true;
    }
}
