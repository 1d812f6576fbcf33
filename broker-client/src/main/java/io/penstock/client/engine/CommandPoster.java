package io.penstock.client.engine;

import io.penstock.client.AckHandler;
import io.penstock.client.ClientConfig;
import io.penstock.client.NoReplyException;
import io.penstock.client.PenstockException;
import io.penstock.client.PublishOptions;
import io.penstock.client.session.CommandFrame;
import io.penstock.client.session.PublishFrame;
import io.penstock.client.session.Utf8Encoder;
import io.penstock.client.warning.Failures;
import io.penstock.protocol.ErrorCode;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Internal: posts commands for the threads of a program, and waits for them. Safe on any thread. */
public final class CommandPoster {
    private final ClientConfig config;
    private final ClientStatus status;
    private final Outbox outbox;
    private final @Nullable StorePoster store;
    /**
     * Lines of messages that go through the ring, of messages that need memory of their own, and of all other commands:
     * each waits for different room.
     */
    private final RoomLine publishes;

    private final RoomLine longPublishes;
    private final RoomLine requests;

    CommandPoster(
            final ClientConfig config,
            final ClientStatus status,
            final Outbox outbox,
            final @Nullable StorePoster store) {
        this.config = config;
        this.status = status;
        this.outbox = outbox;
        this.store = store;
        publishes = new RoomLine(config, status);
        longPublishes = new RoomLine(config, status);
        requests = new RoomLine(config, status);
    }

    /** Internal: publishes if there is room; not when others wait for it already for long. */
    public boolean tryPublish(
            final String topic,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final PublishOptions options,
            final long publisherSequence,
            final int ackTypes,
            final @Nullable AckHandler handler,
            final long correlationId) {
        // The agent makes room, so it may not wait behind threads that have none.
        return (!line(topic, length, options).isOverdue() || status.isAgentThread())
                && tryPost(
                        topic, payload, offset, length, options, publisherSequence, ackTypes, handler, correlationId);
    }

    private RoomLine line(final String topic, final int length, final PublishOptions options) {
        final int namesLengthMax =
                Utf8Encoder.CHAR_LENGTH_MAX * (topic.length() + options.key().length());
        final int contentLength = length + options.headers().length();
        if (!Outbox.isStaged(PublishFrame.stateLength(namesLengthMax, 0, contentLength))) {
            return publishes;
        }
        final int frameLength = PublishFrame.length(Utf8Encoder.length(topic), length, options);
        return Outbox.isStaged(frameLength) ? longPublishes : publishes;
    }

    private boolean tryPost(
            final String topic,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final PublishOptions options,
            final long publisherSequence,
            final int ackTypes,
            final @Nullable AckHandler handler,
            final long correlationId) {
        check(topic, payload, offset, length, options);
        final int topicLength = Utf8Encoder.length(topic);
        status.beginPost();
        boolean isPosted = false;
        try {
            status.checkOpen();
            final PendingCommand pending =
                    handler == null ? null : outbox.pool().take();
            if (pending != null && handler != null) {
                pending.publish(handler, correlationId, publisherSequence, ackTypes);
            }
            try {
                isPosted = (pending != null || handler == null)
                        && (store == null
                                ? outbox.tryPost(
                                        pending,
                                        topic,
                                        topicLength,
                                        payload,
                                        offset,
                                        length,
                                        options,
                                        publisherSequence)
                                : store.tryPost(
                                        pending,
                                        topic,
                                        topicLength,
                                        payload,
                                        offset,
                                        length,
                                        options,
                                        publisherSequence));
            } finally {
                if (!isPosted) {
                    release(pending);
                }
            }
        } finally {
            // A store that refuses leaves a gap in the ring, which may have hidden what others have posted after it.
            endPost(isPosted || store != null);
        }
        return isPosted;
    }

    /** Internal: refuses a message that no broker would take. */
    public void check(
            final String topic,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final PublishOptions options) {
        final int topicLength = Utf8Encoder.length(topic);
        PublishFrame.checkLengths(topicLength, length, status.messageLengthMax());
        PublishFrame.checkKey(
                topicLength,
                Utf8Encoder.length(options.key()) + options.headers().length());
        if (!status.takesHeaders() && (options.isRequest() || !options.headers().isEmpty())) {
            throw new PenstockException(
                    ErrorCode.NOT_SUPPORTED,
                    "publish: the broker takes no headers: it speaks version 1 of the protocol (publish without them,"
                            + " or have the broker updated)");
        }
        payload.boundsCheck(offset, length);
    }

    /** Waits until the broker has for good all that was put into the publish store before; at once without a store. */
    void drain(final long timeoutNs) {
        if (store == null) {
            return;
        }
        checkNotAgent("flush");
        final Request.Done request = new Request.Done();
        if (requests.isOverdue() || !tryPostDrain(request)) {
            requests.await("flush", () -> tryPostDrain(request));
        }
        await("flush", request, timeoutNs);
    }

    private void endPost(final boolean isPosted) {
        if (isPosted) {
            status.onPosted();
        } else {
            status.endPost();
        }
    }

    private void release(final @Nullable PendingCommand pending) {
        if (pending != null) {
            outbox.pool().release(pending);
        }
    }

    /** Internal: publishes, and waits for room. */
    public void publish(
            final String topic,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final PublishOptions options,
            final long publisherSequence,
            final int ackTypes,
            final @Nullable AckHandler handler,
            final long correlationId) {
        final RoomLine line = line(topic, length, options);
        if (line.isOverdue()
                || !tryPost(
                        topic, payload, offset, length, options, publisherSequence, ackTypes, handler, correlationId)) {
            line.await(
                    "publish",
                    () -> tryPost(
                            topic,
                            payload,
                            offset,
                            length,
                            options,
                            publisherSequence,
                            ackTypes,
                            handler,
                            correlationId));
        }
    }

    private boolean tryPostDrain(final Request<?> request) {
        status.beginPost();
        boolean isPosted = false;
        try {
            status.checkOpen();
            final PendingCommand pending = outbox.pool().take();
            isPosted = pending != null && outbox.tryPostDrain(pending.request(request));
            if (!isPosted) {
                release(pending);
            }
        } finally {
            endPost(isPosted);
        }
        return isPosted;
    }

    private boolean tryPost(final CommandFrame frame, final Request<?> request) {
        status.beginPost();
        boolean isPosted = false;
        try {
            status.checkOpen();
            final PendingCommand pending = outbox.pool().take();
            isPosted = pending != null && outbox.tryPost(pending.request(request), frame);
            if (!isPosted) {
                release(pending);
            }
        } finally {
            endPost(isPosted);
        }
        return isPosted;
    }

    void post(final CommandFrame frame, final Request<?> request) {
        if (requests.isOverdue() || !tryPost(frame, request)) {
            requests.await("command", () -> tryPost(frame, request));
        }
    }

    /** Posts a request and waits for what it brings. */
    <T extends @Nullable Object> T call(
            final String subject, final CommandFrame frame, final Request<T> request, final long timeoutNs) {
        checkNotAgent(subject);
        post(frame, request);
        return await(subject, request, timeoutNs);
    }

    /** As {@link #call}, for a request that does no harm when it is sent again after a lost connection. */
    <T extends @Nullable Object> T callRepeatable(
            final String subject, final CommandFrame frame, final Request<T> request, final long timeoutNs) {
        request.repeatWith(frame);
        return call(subject, frame, request, timeoutNs);
    }

    /**
     * Ends a subscription that hands nothing over any more. Waits for the broker's answer while there is one to wait for:
     * while the client is not connected no handler runs, and the subscription is not made again.
     */
    void remove(final Subscriptions subscriptions, final SubscriptionCommand.Removal removal, final long timeoutNs) {
        postRemoval(subscriptions, removal);
        if (status.isConnected()) {
            await("unsubscribe", removal, timeoutNs);
        }
    }

    /** As {@link #remove}, without waiting. */
    void postRemoval(final Subscriptions subscriptions, final SubscriptionCommand.Removal removal) {
        status.beginPost();
        boolean isPosted = false;
        try {
            status.checkOpen();
            subscriptions.post(removal);
            isPosted = true;
        } finally {
            endPost(isPosted);
        }
    }

    /** Makes the agent send the broker more credit. After the client's end it does nothing. */
    void sendCredit(final Subscriptions subscriptions, final ActiveSubscription subscription) {
        status.beginPost();
        subscriptions.postCredit(subscription);
        status.onPosted();
    }

    /** Internal: refuses the agent's own thread, on which waiting would be for ever. */
    public void checkNotAgent(final String subject) {
        if (status.isAgentThread()) {
            throw new IllegalStateException(
                    subject + ": would wait on the client's own thread, which calls the handlers"
                            + " (call it on another thread, or use a form that does not wait)");
        }
    }

    private <T extends @Nullable Object> T await(final String subject, final Request<T> request, final long timeoutNs) {
        try {
            return request.get(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (final TimeoutException e) {
            request.cancel(false);
            throw new NoReplyException(subject + ": no answer from " + config.endpoint() + " within "
                    + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
        } catch (final ExecutionException e) {
            if (e.getCause() instanceof PenstockException reason) {
                throw reason.onCallersThread();
            }
            throw new PenstockException(subject + ": failed: " + Failures.nameOf(e.getCause()), e.getCause());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            request.cancel(false);
            throw new PenstockException(subject + ": interrupted while waiting for an answer", e);
        }
    }
}
