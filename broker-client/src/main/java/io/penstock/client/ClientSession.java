package io.penstock.client;

import io.penstock.client.session.CommandFrame;
import io.penstock.client.session.FrameSender;
import io.penstock.client.session.Session;
import java.net.URI;
import org.agrona.DirectBuffer;

/**
 * A connection to a broker, driven by the one thread that owns it: nothing is sent or received but in its methods, and
 * none of them blocks but {@link #connect()} (for the medium, not for the logon) and {@link #await(long)}. Together
 * with a broker that is driven likewise, both run in one thread.
 *
 * <p>Once connected, publishing and receiving messages of up to 64 KiB allocate nothing.
 */
public final class ClientSession extends SessionCommands implements AutoCloseable {
    /** Silence of this many heartbeat intervals is a lost peer. */
    public static final int HEARTBEATS_MISSED_MAX = Session.HEARTBEATS_MISSED_MAX;

    /** Where a session is in its life. */
    public enum State {
        /** Not connected; may be connected (again). */
        DISCONNECTED,
        /** Connected; the logon is not answered yet. */
        CONNECTING,
        /** Commands may be offered. */
        LOGGED_ON,
        /** Closed for good. */
        CLOSED
    }

    private final ClientConfig config;
    private final Session session;
    private final FrameSender sender;

    private ClientSession(final ClientConfig config, final Session session) {
        this.config = config;
        this.session = session;
        sender = session.sender();
    }

    /**
     * Opens a session that is not connected yet.
     *
     * @param config   of which the session uses what is not of threads, streams or reconnecting.
     * @param listener called by {@link #poll()}.
     * @return a session owned by the calling thread.
     * @throws ConnectionException      when the medium is not there.
     * @throws IllegalArgumentException when no transport on the class path serves the endpoint.
     * @throws IllegalStateException    when the JVM was started without a flag that is needed.
     */
    public static ClientSession open(final ClientConfig config, final SessionListener listener) {
        return new ClientSession(config, Session.open(config, listener));
    }

    /**
     * Connects and sends the logon, whose answer comes to {@link SessionListener#onLogon()} or {@link
     * SessionListener#onDisconnect} in a later poll.
     *
     * @throws ConnectionException when nobody listens there.
     */
    public void connect() {
        connect(config.endpoint());
    }

    /**
     * Connects to one of several servers.
     *
     * @param newServer with the scheme of the configured endpoint.
     * @throws ConnectionException when nobody listens there.
     * @see #connect()
     */
    public void connect(final URI newServer) {
        session.connect(newServer);
    }

    /**
     * Sends what was offered as far as the medium takes it, receives, and keeps the heartbeats. Does not block. What the
     * medium does not take waits for later polls: before the last one, poll until {@link #isFlushed()}.
     *
     * @return the work done; 0 when there was none.
     */
    public int poll() {
        return session.poll();
    }

    /**
     * Blocks until there is something to poll, something is due, {@link #wakeup()} was called, or the time is up.
     *
     * @param timeoutNs the longest wait in nanoseconds.
     */
    public void await(final long timeoutNs) {
        session.await(timeoutNs);
    }

    /** Ends a present or the next {@link #await(long)} at once. May be called from any thread. */
    public void wakeup() {
        session.wakeup();
    }

    /**
     * Publishes a message.
     *
     * @param topic             holding the topic's name in UTF-8; free again on return.
     * @param topicOffset       of its first byte.
     * @param topicLength       in bytes.
     * @param payload           holding the message; free again on return.
     * @param offset            of its first byte.
     * @param length            in bytes.
     * @param ackTypes          masks of the types asked for, combined; 0 = none.
     * @param publisherSequence rising for this client's name; 0 = none.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     * @throws PenstockException when topic or payload are too long.
     */
    public long offerPublish(
            final DirectBuffer topic,
            final int topicOffset,
            final int topicLength,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final int ackTypes,
            final long publisherSequence) {
        return sender.offerPublish(
                topic, topicOffset, topicLength, payload, offset, length, ackTypes, publisherSequence);
    }

    /**
     * Publishes to a topic with state.
     *
     * @param topic             holding the topic's name in UTF-8; free again on return.
     * @param topicOffset       of its first byte.
     * @param topicLength       in bytes.
     * @param key               of the record in UTF-8, where publishers give it; free again on return.
     * @param keyOffset         of its first byte.
     * @param keyLength         in bytes; 0 where fields are the key.
     * @param payload           holding the message or the changed fields; free again on return.
     * @param offset            of its first byte.
     * @param length            in bytes.
     * @param isDelta           whether the payload is merged into the record.
     * @param expirationMs      of the record; 0 = the topic's, -1 = never.
     * @param ackTypes          masks of the types asked for, combined; 0 = none.
     * @param publisherSequence rising for this client's name; 0 = none.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     * @throws PenstockException when topic, key or payload are too long.
     */
    public long offerPublishState(
            final DirectBuffer topic,
            final int topicOffset,
            final int topicLength,
            final DirectBuffer key,
            final int keyOffset,
            final int keyLength,
            final DirectBuffer payload,
            final int offset,
            final int length,
            final boolean isDelta,
            final long expirationMs,
            final int ackTypes,
            final long publisherSequence) {
        return sender.offerPublishState(
                topic,
                topicOffset,
                topicLength,
                key,
                keyOffset,
                keyLength,
                payload,
                offset,
                length,
                isDelta,
                expirationMs,
                ackTypes,
                publisherSequence);
    }

    @Override
    long offerFrame(final CommandFrame frame) {
        return sender.offerFrame(frame);
    }

    /**
     * Where the session is in its life.
     *
     * @return the state after the last call.
     */
    public State state() {
        if (session.isLoggedOn()) {
            return State.LOGGED_ON;
        }
        if (session.isConnecting()) {
            return State.CONNECTING;
        }
        return session.isClosed() ? State.CLOSED : State.DISCONNECTED;
    }

    /**
     * Where the broker is.
     *
     * @return the server that was connected to last.
     */
    public URI server() {
        return session.server();
    }

    /**
     * The broker's number for this session.
     *
     * @return the id as of the last logon.
     */
    public long sessionId() {
        return session.sessionId();
    }

    /**
     * The highest publisher sequence that was applied for this client's name.
     *
     * @return as of the last logon; 0 when there was none.
     */
    public long publisherSequence() {
        return session.publisherSequence();
    }

    /**
     * The longest payload that both sides accept.
     *
     * @return bytes, as of the last logon.
     */
    public int messageLengthMax() {
        return session.messageLengthMax();
    }

    /**
     * The number of the broker's shards.
     *
     * @return the count as of the last logon.
     */
    public int shardCount() {
        return session.shardCount();
    }

    /**
     * The broker's name and version.
     *
     * @return as of the last logon, for people.
     */
    public String broker() {
        return session.broker();
    }

    /**
     * Whether everything that was offered has been handed to the medium.
     *
     * @return true when a close would lose nothing on this side.
     */
    public boolean isFlushed() {
        return session.isFlushed();
    }

    /** Closes the connection without calling the listener, and frees all memory. Idempotent. */
    @Override
    public void close() {
        session.close();
    }
}
