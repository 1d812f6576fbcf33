package io.penstock.client;

import io.penstock.client.engine.ClientAgent;
import io.penstock.client.engine.ClientEngine;
import io.penstock.format.header.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client of a broker. Any thread may call its methods. One thread of its own, {@code penstock-client-<name>}, owns
 * the connection and calls all handlers but those on an executor; methods that wait may not be called from there.
 *
 * <p>Commands and publishes of one thread reach the broker in their order. Threads hand them over through a bounded
 * ring; a publish that finds no room waits for {@link ClientConfig#publishTimeoutNs()}.
 *
 * <p>A command that was not answered when the connection is lost is sent again on the next one, if the client reconnects
 * and its repetition does no harm: those that subscribe, replace, set a pace, declare a topic, list topics or counters,
 * and queries of which nothing was handed over. All others fail with a {@link ConnectionException}.
 */
public final class PenstockClient extends SubscribingClient implements AutoCloseable {
    private final ClientConfig config;
    private final Requests requests = new Requests(this);

    private PenstockClient(final ClientConfig config, final ClientEngine engine) {
        super(engine, config);
        this.config = config;
    }

    /**
     * Connects to a broker and logs on.
     *
     * @param endpoint for example {@code tcp://127.0.0.1:9100}; of several servers {@code tcp://a:9100,b:9100}: the client
     *                 connects to the first that it reaches, and goes to the next when its connection is lost.
     * @return a client that is logged on.
     * @throws ConnectionException      when nobody listens there, or the broker refuses this client.
     * @throws IllegalArgumentException when no transport on the class path serves the endpoint, or the list is malformed.
     */
    public static PenstockClient connect(final String endpoint) {
        return connect(ClientConfig.of(endpoint));
    }

    /**
     * Connects to a broker and logs on.
     *
     * @param config of the client.
     * @return a client that is logged on.
     * @throws ConnectionException      when nobody listens there, or the broker refuses this client.
     * @throws IllegalArgumentException when no transport on the class path serves the endpoint.
     */
    public static PenstockClient connect(final ClientConfig config) {
        return new PenstockClient(config, ClientEngine.start(config));
    }

    /**
     * The broker's name and version, for people.
     *
     * @return as sent at the logon.
     */
    public String broker() {
        return engine().broker();
    }

    /**
     * The highest publisher sequence that the broker had applied for this client's name when it logged on, so that a
     * program knows where to go on after a restart.
     *
     * @return the sequence, 0 when there was none.
     */
    public long publisherSequence() {
        return engine().publisherSequence();
    }

    /**
     * Whether the client is logged on at this moment.
     *
     * @return false while it reconnects and after it was closed.
     */
    public boolean isConnected() {
        return engine().isConnected();
    }

    /**
     * Whether the client has ended for good.
     *
     * @return true after {@link #close()}, and after a lost connection that was not to be replaced.
     */
    public boolean isClosed() {
        return engine().isClosed();
    }

    /**
     * Waits until the broker has applied everything that was published before and handed it to those it goes to. With a
     * publish store: until it has all of that for good, also when the connection is lost meanwhile.
     *
     * @param timeout the longest wait.
     * @throws NoReplyException when it took longer.
     */
    public void flush(final Duration timeout) {
        engine().flush(timeout.toNanos());
    }

    /** Flushes within {@link ClientConfig#requestTimeoutNs()}. */
    public void flush() {
        engine().flush(config.requestTimeoutNs());
    }

    /**
     * Measures a round trip through the broker's engine.
     *
     * @return how long it took.
     * @throws NoReplyException when the broker did not answer in time.
     */
    public Duration ping() {
        final long startNs = config.nanoClock().nanoTime();
        engine().ping();
        return Duration.ofNanos(config.nanoClock().nanoTime() - startNs);
    }

    /**
     * Reads the broker's counters.
     *
     * @param prefix of their names; empty = all.
     * @return in the broker's order.
     */
    public List<Stat> stats(final String prefix) {
        return engine().stat(prefix);
    }

    /**
     * Lists the broker's topics.
     *
     * @param prefix of their names; empty = all.
     * @return in the broker's order.
     */
    public List<TopicInfo> topics(final String prefix) {
        return engine().topics(prefix);
    }

    /**
     * Creates a topic, unless it is there with the same format.
     *
     * @param topic  its name.
     * @param format of its messages.
     * @throws PenstockException with {@code BAD_FORMAT} when there is no such format or the topic has another one.
     */
    public void declareTopic(final String topic, final String format) {
        declareTopic(Topic.of(topic, format));
    }

    /**
     * Creates a topic, unless it is there with the same format and key.
     *
     * @param topic as it is to be, for example {@code Topic.json("quotes").key("symbol")}.
     * @throws PenstockException when the broker refuses it, with {@code BAD_FORMAT} when there is no such format or the
     *     topic has another one.
     */
    public void declareTopic(final Topic topic) {
        engine().declareTopic(topic);
    }

    /** Creates a topic without waiting, unless it is there. */
    CompletableFuture<?> declareTopicAsync(final Topic topic) {
        return engine().declareTopicAsync(topic);
    }

    /**
     * Deletes the records that match a filter, as far as they still do when they are deleted.
     *
     * @param topic  with state.
     * @param filter for example {@code price > 10}; {@code TRUE} deletes all.
     * @return how many records were deleted.
     * @throws PenstockException when the broker refuses it.
     * @throws NoReplyException  when it took longer than {@link ClientConfig#requestTimeoutNs()}; it goes on then.
     */
    public long sowDelete(final String topic, final String filter) {
        return engine().sowDelete(topic, filter, List.of());
    }

    /**
     * Deletes the records with some keys.
     *
     * @param topic with state.
     * @param keys  messages with the key fields, for example {@code {"id":7}}, or keys where publishers give them; none
     *              has a line break in it.
     * @return how many records were deleted; keys without a record are left out.
     * @throws PenstockException when the broker refuses it.
     * @throws NoReplyException  when it took longer than {@link ClientConfig#requestTimeoutNs()}; it goes on then.
     */
    public long sowDelete(final String topic, final List<String> keys) {
        return engine().sowDelete(topic, "", keys);
    }

    /**
     * Becomes a producer of a sink: a file of the broker that blocks of many producers are merged into.
     *
     * @param sink    its name.
     * @param options of the blocks, and who delivers them.
     * @return a writer, to be closed before the client is.
     * @throws PenstockException when the broker refuses it, or there is no memory.
     */
    public BlockWriter openSink(final String sink, final SinkOptions options) {
        return new BlockWriter(engine().openSink(sink, options), options.blockCount());
    }

    /**
     * Publishes a message and waits for a reply to it, without blocking. The message gets the headers {@link
     * Headers#REPLY_TO}, a topic that this client alone subscribes to, and {@link Headers#CORRELATION_ID}.
     *
     * @param topic   that somebody answers on.
     * @param text    sent as UTF-8.
     * @param timeout the longest wait.
     * @return the first reply, completed on the client's thread. It fails with a {@link PenstockException}: {@code
     *     NO_RESPONDER} at once when the topic has no subscriber, a {@link NoReplyException} when no reply came in time.
     * @throws BackPressureException when too many requests wait, or there was no room in time.
     */
    public CompletableFuture<Message> request(final String topic, final String text, final Duration timeout) {
        return request(Publication.to(topic).text(text), timeout);
    }

    /**
     * Publishes a message with all that was said of it and waits for a reply, without blocking.
     *
     * @param message whose payload is copied before this returns.
     * @param timeout the longest wait.
     * @return as of {@link #request(String, String, Duration)}.
     */
    public CompletableFuture<Message> request(final Publication message, final Duration timeout) {
        return requests.send(message, timeout);
    }

    /**
     * Replies to a request.
     *
     * @param request that was delivered.
     * @param text    sent as UTF-8.
     * @throws PenstockException with {@code BAD_HEADER} when the message asks for no reply.
     */
    public void reply(final MessageView request, final String text) {
        reply(request.headers(), text, PublishOptions.NONE);
    }

    /**
     * Replies to a request.
     *
     * @param request that was delivered.
     * @param text    sent as UTF-8.
     * @throws PenstockException with {@code BAD_HEADER} when the message asks for no reply.
     */
    public void reply(final Message request, final String text) {
        reply(request.headers(), text, PublishOptions.NONE);
    }

    /**
     * Replies to a request with headers.
     *
     * @param request headers of the message that was delivered.
     * @param text    sent as UTF-8.
     * @param options of the reply.
     * @throws PenstockException with {@code BAD_HEADER} when the message asks for no reply.
     */
    public void reply(final Headers request, final String text, final PublishOptions options) {
        reply(request, text.getBytes(StandardCharsets.UTF_8), options);
    }

    /**
     * Replies to a request with headers and bytes.
     *
     * @param request headers of the message that was delivered.
     * @param payload copied before this returns.
     * @param options of the reply.
     * @throws PenstockException with {@code BAD_HEADER} when the message asks for no reply.
     */
    public void reply(final Headers request, final byte[] payload, final PublishOptions options) {
        publish(Publication.to(Requests.topicOf(request))
                .bytes(payload)
                .options(options.headers(Requests.headersOf(request, options.headers()))));
    }

    /**
     * Sends what was accepted, waits for at most {@link ClientConfig#closeTimeoutNs()} until the broker has applied it,
     * and closes the connection. Callers that still wait for an acknowledgement are notified that none will come.
     * Idempotent.
     */
    @Override
    public void close() {
        final String replies = requests.topic();
        if (replies != null && isConnected()) {
            engine().tryDeleteTopic(replies);
        }
        // A handler that waited would wait for itself.
        engine().close(!ExecutorSink.isCalling(engine()));
    }

    /** A client without a thread, for one that drives the agent itself. Nothing that waits may be called. */
    static PenstockClient invoked(final ClientConfig config) {
        return new PenstockClient(config, new ClientEngine(config));
    }

    /** Makes the agent of an invoked client, owned by the calling thread. */
    ClientAgent agent() {
        return engine().newAgent();
    }
}
