package io.penstock.admin.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.AttributeKey;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request and its answer, which is given once. Safe on any thread. */
public final class Exchange {
    private static final String JSON = "application/json";
    private static final AttributeKey<String> USER = AttributeKey.valueOf("penstock.user");

    private final Channel channel;
    private final Request request;
    private final boolean isKeptAlive;
    private final int timeoutMs;
    private final Guard guard;
    private final Runnable onAnswered;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private volatile String user = "";
    private final AtomicBoolean answered = new AtomicBoolean();

    /**
     * A request was read.
     *
     * @param channel     that it came from.
     * @param request     that was asked.
     * @param isKeptAlive whether another may follow.
     * @param timeoutMs   in which some of the answer has to be taken, again and again.
     * @param guard       is told of failures.
     * @param onAnswered  run on the server's thread when another may follow.
     */
    Exchange(
            final Channel channel,
            final Request request,
            final boolean isKeptAlive,
            final int timeoutMs,
            final Guard guard,
            final Runnable onAnswered) {
        this.channel = channel;
        this.timeoutMs = timeoutMs;
        this.guard = guard;
        this.request = request;
        this.isKeptAlive = isKeptAlive;
        this.onAnswered = onAnswered;
    }

    /** What is asked. */
    public Request request() {
        return request;
    }

    /** Who asks, when that was proved; empty before. */
    public String user() {
        return user;
    }

    /** It is proved who asks. */
    public void user(final String proved) {
        user = proved;
    }

    /**
     * Notes the user of the connection.
     *
     * @param proved who asks.
     * @return whether another user, or none, has asked on this connection before.
     */
    public boolean isNewOnConnection(final String proved) {
        return !proved.equals(channel.attr(USER).getAndSet(proved));
    }

    /** What the connection has proved could not be noted: it is to be noted again. */
    public void forgetUserOfConnection() {
        channel.attr(USER).set("");
    }

    /** The server's thread. What fails on it is reported. */
    public Executor thread() {
        return task -> channel.eventLoop().execute(guard.guarded(task));
    }

    /**
     * Has something run when the connection is closed, or at once when it is; on the server's thread. Returns what takes that
     * back: a connection may serve many requests.
     */
    public Runnable onGone(final Runnable task) {
        final ChannelFutureListener listener = closed -> guard.run(task);
        channel.closeFuture().addListener(listener);
        return () -> channel.closeFuture().removeListener(listener);
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
        thread().execute(() -> send(response));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A failure closes the connection.
    private void send(final FullHttpResponse response) {
        final ChannelFuture answer = channel.writeAndFlush(response).addListener(sent -> {
            if (sent.isSuccess() && isKeptAlive) {
                guard.run(onAnswered);
            } else {
                channel.close();
            }
        });
        SlowReaders.watch(channel, answer, timeoutMs);
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
        final EventStream stream = new EventStream(channel, timeoutMs, guard);
        final var head = Responses.head(mediaType);
        headers.forEach(head.headers()::set);
        head.headers().set(HttpHeaderNames.CONNECTION, "close");
        channel.writeAndFlush(head).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        return stream;
    }
}
