package io.penstock.admin.api;

import io.penstock.admin.http.EventStream;
import io.penstock.admin.http.Json;
import io.penstock.admin.http.Problem;
import io.penstock.client.Bookmark;
import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of a subscription to a reader. The broker delivers no more than the reader's medium has taken, but for a
 * fixed credit: a reader that is slow makes the subscription wait at the broker. Safe on the threads of a client and of the
 * server.
 */
final class TailHandler implements MessageHandler {
    /** Bytes that are on their way to the reader. */
    static final long CREDIT = 256 * 1024;

    private final Queue<BiConsumer<EventStream, Subscription>> waiting = new ArrayDeque<>();
    private final boolean hasEnd;
    private Bookmark bookmark;
    private @Nullable EventStream stream;
    private @Nullable Subscription subscription;

    TailHandler(final Bookmark start, final boolean hasEnd) {
        this.hasEnd = hasEnd;
        bookmark = start;
    }

    /** Sends what has come so far, and what comes from now on. */
    synchronized void begin(final EventStream to, final Subscription from) {
        stream = to;
        subscription = from;
        while (!waiting.isEmpty()) {
            waiting.remove().accept(to, from);
        }
    }

    @Override
    public synchronized void onMessage(final MessageView message) {
        if (message.sequence() > 0) {
            bookmark = bookmark.with(message.shard(), message.sequence());
        }
        final Json json = new Json().begin();
        Records.write(json, message);
        final byte[] event =
                EventStream.event("message", bookmark.toString(), json.end().bytes());
        final int credit = message.creditLength();
        send((to, from) -> to.send(event, () -> from.credit(credit)));
    }

    @Override
    public synchronized void onCompleted(final Subscription of) {
        if (hasEnd) {
            end(new Problem(200, "COMPLETED", "subscription: has come to its end"));
        }
    }

    @Override
    public synchronized void onEnd(final Subscription of, final PenstockException reason) {
        end(Workers.problem(reason));
    }

    private void end(final Problem problem) {
        final byte[] event = EventStream.event("end", "", problem.bytes());
        send((to, from) -> to.end(event));
    }

    /** Bounded by the credit, before there is a reader. */
    private void send(final BiConsumer<EventStream, Subscription> step) {
        final EventStream to = stream;
        final Subscription from = subscription;
        if (to == null || from == null) {
            waiting.add(step);
        } else {
            step.accept(to, from);
        }
    }
}
