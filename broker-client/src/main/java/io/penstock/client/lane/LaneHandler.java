package io.penstock.client.lane;

import io.penstock.client.MessageView;

/** Internal: takes what comes out of lanes. Called by the executor's threads, by one at a time for each lane. */
public interface LaneHandler {
    /** Internal: the message is done with. */
    long DONE = -1;

    /** Internal: what has failed when the handler, or an event, threw. */
    String THREW = "its handler threw";

    /** Internal: returns {@link #DONE}, or after how many nanoseconds the message is to be handed over again. */
    long onMessage(MessageView message, int attempt);

    /** Internal: a message or an event failed and is done with; or the executor takes no more, and lanes may stand still. */
    void onFailure(String what, Throwable cause);
}
