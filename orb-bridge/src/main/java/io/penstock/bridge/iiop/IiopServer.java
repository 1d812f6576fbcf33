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
 * @param received       what all have sent in part.
 * @param asked          requests of all that are under way. Beyond it a connection that has one is not read.
 * @param answered       answers of all that wait. Beyond it a connection that has one is not read, and none of its calls
 *                       begins.
 * @param fragmentLength of what is sent, in bytes.
 * @param requestCountMax requests of one that are under way.
 * @param waitingLengthMax bytes of requests, and of answers, of one that are under way, before it is not read.
 * @param handingOver    calls whose messages are on their way.
 */
record IiopServer(
        Operations operations,
        CallPool pool,
        BridgeCounters counters,
        ReadLimits limits,
        SharedLength received,
        SharedLength asked,
        SharedLength answered,
        int fragmentLength,
        int requestCountMax,
        long waitingLengthMax,
        AtomicInteger handingOver) {}
