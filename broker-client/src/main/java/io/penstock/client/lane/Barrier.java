package io.penstock.client.lane;

import java.util.concurrent.atomic.AtomicInteger;

/** An event between messages, for which all lanes wait. */
final class Barrier {
    private final Lanes lanes;
    private final AtomicInteger awaited;
    private final Runnable event;

    Barrier(final Lanes lanes, final int laneCount, final Runnable event) {
        this.lanes = lanes;
        awaited = new AtomicInteger(laneCount);
        this.event = event;
    }

    /** A lane has come to it. Returns false when that has to stop: others are still under way. */
    boolean pass(final Lane lane) {
        if (awaited.decrementAndGet() > 0) {
            return false;
        }
        lanes.run(event);
        lanes.goOn(lane);
        return true;
    }
}
