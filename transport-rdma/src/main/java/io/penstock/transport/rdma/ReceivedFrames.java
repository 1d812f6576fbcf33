package io.penstock.transport.rdma;

import io.penstock.transport.Connection;
import io.penstock.transport.PartRules;
import io.penstock.transport.TransportContext;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Hands records that have arrived to the handler, as parts of their frames. Owned by the agent. */
final class ReceivedFrames {
    private final TransportContext context;
    private final ReceiveRing inbound;
    private final UnsafeBuffer memory;
    private int frameLength;
    private int frameOffset;
    private @Nullable String wrong;

    ReceivedFrames(final TransportContext context, final ReceiveRing inbound, final UnsafeBuffer memory) {
        this.context = context;
        this.inbound = inbound;
        this.memory = memory;
    }

    /** Hands the next record over, of which there is one. Returns whether it was taken. */
    boolean deliver(final Connection from) {
        wrong = inbound.look() ? null : "lengths in a chunk cannot be";
        if (wrong != null) {
            return false;
        }
        final int length = inbound.partLength();
        final int wholeLength = frameOffset == 0 ? inbound.frameLength() : frameLength;
        wrong = PartRules.whatIsWrong(length, frameOffset, wholeLength, context.frameLengthMax());
        if (wrong != null) {
            return false;
        }
        boolean isTaken = true;
        try {
            isTaken =
                    context.handler().onFragment(from, memory, inbound.bytesOffset(), length, frameOffset, wholeLength);
        } finally {
            // A fragment for which the handler throws counts as taken.
            if (isTaken) {
                frameLength = wholeLength;
                frameOffset += length;
                if (frameOffset == wholeLength) {
                    frameOffset = 0;
                }
                inbound.take();
            }
        }
        return isTaken;
    }

    /** Returns what is wrong with the last record, after which all bytes are invalid; null when nothing is wrong. */
    @Nullable
    String wrong() {
        return wrong;
    }
}
