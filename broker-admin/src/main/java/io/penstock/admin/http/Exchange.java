package io.penstock.admin.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request and its answer, which is given once. Safe on any thread. */
public final class Exchange {
    private static final String JSON = "application/json";

    private final Channel channel;
    private final Request request;
    private final boolean isKeptAlive;
    private final Runnable onAnswered;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final AtomicBoolean answered = new AtomicBoolean();

    Exchange(final Channel channel, final Request request, final boolean isKeptAlive, final Runnable onAnswered) {
        this.channel = channel;
        this.request = request;
        this.isKeptAlive = isKeptAlive;
        this.onAnswered = onAnswered;
    }

    /** What is asked. */
    public Request request() {
        return request;
    }

    /** The server's thread. */
    public Executor thread() {
        return channel.eventLoop();
    }

    /** Whether nobody waits for the answer any more. */
    public boolean isGone() {
        return !channel.isActive();
    }

    /** Adds a header to the answer. Before it is given, by who gives it. */
    public Exchange header(final String name, final String value) {
        headers.put(name, value);
        return this;
    }

    /** Answers with JSON. */
    public void json(final int status, final Json body) {
        answer(status, JSON, body.bytes());
    }

    /** Answers that it is done. */
    public void done() {
        answer(204, "", new byte[0]);
    }

    /** Answers with text. */
    public void text(final String mediaType, final String body) {
        answer(200, mediaType, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Answers with an error. */
    public void fail(final Problem problem) {
        answer(problem.status(), Problem.MEDIA_TYPE, problem.bytes());
    }

    /** Answers with bytes; does nothing when it was answered. */
    @SuppressWarnings("FutureReturnValueIgnored") // A failure closes the connection.
    public void answer(final int status, final String mediaType, final byte[] body) {
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        final FullHttpResponse response = Responses.whole(status, mediaType, body, request.isHead());
        headers.forEach(response.headers()::set);
        if (!isKeptAlive) {
            response.headers().set(HttpHeaderNames.CONNECTION, "close");
        }
        channel.eventLoop()
                .execute(() -> channel.writeAndFlush(response).addListener(sent -> {
                    if (sent.isSuccess() && isKeptAlive) {
                        onAnswered.run();
                    } else {
                        channel.close();
                    }
                }));
    }

    /**
     * Answers with parts that follow.
     *
     * @param mediaType of all of them together.
     * @return the way to send them; closed already when nobody waits any more.
     */
    public EventStream stream(final String mediaType) {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("exchange: was answered already");
        }
        final EventStream stream = new EventStream(channel);
        final var head = Responses.head(mediaType);
        headers.forEach(head.headers()::set);
        head.headers().set(HttpHeaderNames.CONNECTION, "close");
        channel.writeAndFlush(head).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        return stream;
    }
}
