package io.penstock.broker.match;

/**
 * The sequencer's view of one part of a subscription. Confined to the sequencer.
 *
 * <pre>
 *   LIVE --ring full--> TURNING --marker in the ring--> CURSOR --replayer asks--> LIVE
 * </pre>
 */
final class LiveSubscription extends ShardPart<LiveSubscription> {
    /** Where its messages come from. */
    enum State {
        /** Matches go to the ring. */
        LIVE,
        /** The ring was full; the marker that says so has still to go in. */
        TURNING,
        /** A cursor serves it. */
        CURSOR
    }

    State state = State.LIVE;

    LiveSubscription(final Interest interest, final DescriptorRing ring) {
        super(interest, ring);
    }
}
