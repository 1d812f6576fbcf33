package io.penstock.broker.shard.match;

import org.jspecify.annotations.Nullable;

/**
 * One part of a subscription as its shard's sequencer has it, and its neighbours among those of the same client.
 *
 * @param <P> the class itself.
 */
public abstract class ShardPart<P extends ShardPart<P>> {
    final Interest interest;
    final DescriptorRing ring;
    final Run run = new Run();

    private boolean isDirty;
    private boolean isRemoved;
    private boolean isLeaving;

    @Nullable
    P previous;

    @Nullable
    P next;

    public ShardPart(final Interest interest, final DescriptorRing ring) {
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

    /** Whether something in its run has still to be described. */
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

    /** Whether another one has taken its place: it ends once its I/O agent has been told all that it has to be. */
    public final boolean isLeaving() {
        return isLeaving;
    }

    public final void leave() {
        isLeaving = true;
    }
}
