package io.penstock.broker.match;

/**
 * The sequencer's view of one part of a subscription. Confined to the sequencer.
 *
 * <pre>
 *   LIVE --ring full--> TURNING --marker in the ring--> CURSOR --replayer asks--> LIVE
 * </pre>
 */
final class LiveSubscription {
    /** Where its messages come from. */
    enum State {
        /** Matches go to the ring. */
        LIVE,
        /** The ring was full; the marker that says so has still to go in. */
        TURNING,
        /** A cursor serves it. */
        CURSOR
    }

    final Interest interest;
    final DescriptorRing ring;
    final Run run = new Run();
    State state = State.LIVE;
    boolean dirty;
    boolean removed;

    /** Another one has taken its place: it ends once its I/O agent has been told where a cursor goes on. */
    boolean leaving;

    LiveSubscription(final Interest interest, final DescriptorRing ring) {
        this.interest = interest;
        this.ring = ring;
    }
}
