package io.penstock.broker.sink;

import io.penstock.broker.sink.SinkAgent.ReplyListener;
import java.util.ArrayDeque;

/** Replies on their way to I/O agents; those for which there is no room yet wait, in order. Owned by the sink agent. */
final class WaitingReplies {
    private final ArrayDeque<SinkReply> waiting = new ArrayDeque<>();
    private final ReplyListener listener;

    WaitingReplies(final ReplyListener listener) {
        this.listener = listener;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void add(final SinkReply reply) {
        if (!waiting.isEmpty() || !listener.onReply(reply)) {
            waiting.add(reply);
        }
    }

    /** Sends those that wait while there is room. Returns how many were sent. */
    int send() {
        int count = 0;
        SinkReply reply;
        while ((reply = waiting.peek()) != null && listener.onReply(reply)) {
            waiting.remove();
            count++;
        }
        return count;
    }
}
