package io.penstock.broker.match;

import org.jspecify.annotations.Nullable;

/**
 * One part of a subscription as its shard's sequencer has it, and its neighbours among those of the same client.
 *
 * @param <P> the class itself.
 */
abstract class ShardPart<P extends ShardPart<P>> {
    final Interest interest;
    final DescriptorRing ring;
    final Run run = new Run();

    /** Whether something in its run has still to be described. */
    boolean dirty;

    boolean removed;

    /** Another one has taken its place: it ends once its I/O agent has been told all that it has to be. */
    boolean leaving;

    @Nullable
    P previous;

    @Nullable
    P next;

    ShardPart(final Interest interest, final DescriptorRing ring) {
        this.interest = interest;
        this.ring = ring;
    }
}
