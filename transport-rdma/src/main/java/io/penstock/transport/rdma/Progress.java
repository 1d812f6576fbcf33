package io.penstock.transport.rdma;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How far a link has come. Control thread only. */
final class Progress {
    enum Phase {
        /** Finds the way, connects. */
        DIALLING,
        /** Was accepted; the peer has not said that it heard. */
        ACCEPTED,
        /** The agent has it. */
        LIVE,
        /** Given back by the agent; its last request is on its way. */
        DRAINING,
        /** The peer has been notified of the end. */
        ENDING
    }

    Phase phase = Phase.DIALLING;

    /** When to give up what the phase waits for. */
    long deadlineNs;

    /** Of {@link Phase#DIALLING}: completed when it ends. */
    @Nullable
    CompletableFuture<Link> dialled;

    /** Of {@link Phase#DIALLING}: what it waits for, for people. */
    String stage = "no way to it was found in time (is there an RDMA device for its network? 'rdma link' lists them)";
}
