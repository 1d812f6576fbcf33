package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.ReadLimits;
import io.penstock.bridge.service.BridgeCounters;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What all connections share.
 *
 * @param operations     what they may ask for.
 * @param pool           makes calls that wait.
 * @param counters       count what happens.
 * @param limits         of what one may send.
 * @param held           what all hold.
 * @param fragmentLength of what is sent, in bytes.
 * @param waiting        when one is not read.
 * @param handingOver    calls whose messages are on their way.
 */
record IiopServer(
        Operations operations,
        CallPool pool,
        BridgeCounters counters,
        ReadLimits limits,
        HeldLengths held,
        int fragmentLength,
        WaitingLimits waiting,
        AtomicInteger handingOver) {
    /**
     * What all connections hold, of each kind.
     *
     * @param received what they have sent in part.
     * @param asked    requests that are under way. Beyond it a connection that has one is not read.
     * @param answered answers that wait. Beyond it a connection that has one is not read, and none of its calls begins.
     */
    record HeldLengths(SharedLength received, SharedLength asked, SharedLength answered) {
        /** The same bound for each kind, in bytes. */
        static HeldLengths of(final long max) {
            return new HeldLengths(new SharedLength(max), new SharedLength(max), new SharedLength(max));
        }
    }

    /**
     * What may be under way of one connection, before it is not read.
     *
     * @param requestCountMax requests.
     * @param lengthMax       bytes of requests, and of answers.
     */
    record WaitingLimits(int requestCountMax, long lengthMax) {}
}
