package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.transport.Connection;
import io.penstock.transport.LentMemory;
import io.penstock.transport.RequiredFlags;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.Transports;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a broker, driven by the one thread that owns it: nothing is sent or received but in its methods, and
 * none of them blocks but {@link #connect()} (for the medium, not for the logon) and {@link #await(long)}. Together
 * with a broker that is driven likewise, both run in one thread.
 *
 * <p>Once connected, publishing and receiving messages of up to 64 KiB allocate nothing.
 */
public final class ClientSession extends SessionCommands implements AutoCloseable {
    /** Silence of this many heartbeat intervals is a lost peer. */
    public static final int HEARTBEATS_MISSED_MAX = 3;

    private static final int FRAME_LIMIT = 64;
    private static final int CONNECTION_LIMIT = 4;
    private static final DirectBuffer EMPTY = new UnsafeBuffer(new byte[0]);

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
    private final SessionListener listener;
    private final NanoClock clock;
    private final Transport transport;
    private final TransportCounters counters = new TransportCounters();
    private final AnswerReader reader;
    private final FrameMemory staged = new FrameMemory();
    private final FrameMemory single = new FrameMemory();
    private final LargeFrame large = new LargeFrame();
    private final CommandFrame heartbeat = CommandFrame.heartbeat();
    private final BlockFrames blockFrames = new BlockFrames();

    private State state = State.DISCONNECTED;
    private URI server;
    private @Nullable Connection connection;
    private @Nullable ErrorCode lastError;
    private boolean isLogonSent;
    private boolean isStalled;
    private long nextCommandId = 1;
    private long nowNs;
    private long logonDeadlineNs;
    private long heartbeatIntervalNs;
    private long lastSentNs;
    private long lastReceivedNs;
    private long sessionId;
    private long publisherSequence;
    private int messageLengthMax;
    private int shardCount;
    private String broker = "";

    private ClientSession(final ClientConfig config, final SessionListener listener) throws IOException {
        this.config = config;
        this.listener = listener;
        clock = config.nanoClock();
        server = config.endpoint();
        reader = new AnswerReader(this, listener, config.topicLimit());
        messageLengthMax = config.messageLengthMax();
        transport = Transports.providerFor(config.endpoint())
                .open(new TransportContext(
                        reader,
                        Math.max(
                                TransportContext.FRAGMENT_LENGTH_MIN,
                                config.messageLengthMax() + TransportContext.FRAGMENT_LENGTH_MIN),
                        config.connectTimeoutNs(),
                        CONNECTION_LIMIT,
                        counters,
                        this::wakeup,
                        error -> ClientLog.warn("transport failed", error)));
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
        RequiredFlags.check();
        try {
            return new ClientSession(config, listener);
        } catch (final IOException e) {
            throw new ConnectionException(config.endpoint() + ": cannot connect: " + e.getMessage(), e);
        }
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
        if (state != State.DISCONNECTED) {
            throw new IllegalStateException("session: cannot connect: " + state + " (wait until it is disconnected)");
        }
        server = newServer;
        reader.reset();
        lastError = null;
        isLogonSent = false;
        isStalled = false;
        try {
            connection = transport.connect(server);
        } catch (final IOException e) {
            throw new ConnectionException(messageOf(e), e);
        }
        single.ensureLength(connection.bestSendLength());
        state = State.CONNECTING;
        nowNs = clock.nanoTime();
        lastReceivedNs = nowNs;
        logonDeadlineNs = nowNs + config.connectTimeoutNs();
        sendLogon(connection);
    }

    /**
     * Sends what was offered as far as the medium takes it, receives, and keeps the heartbeats. Does not block. What the
     * medium does not take waits for later polls: before the last one, poll until {@link #isFlushed()}.
     *
     * @return the work done; 0 when there was none.
     */
    public int poll() {
        if (connection == null) {
            return 0;
        }
        nowNs = clock.nanoTime();
        int workCount = large.send(connection);
        if (workCount > 0) {
            lastSentNs = nowNs;
        }
        workCount += transport.poll(FRAME_LIMIT);
        if (connection != null) {
            workCount += onTime(connection);
        }
        return workCount;
    }

    /**
     * Blocks until there is something to poll, something is due, {@link #wakeup()} was called, or the time is up.
     *
     * @param timeoutNs the longest wait in nanoseconds.
     */
    public void await(final long timeoutNs) {
        transport.await(Math.max(0, Math.min(timeoutNs, delayNs(clock.nanoTime()))));
    }

    private long delayNs(final long fromNs) {
        return switch (state) {
            case CONNECTING -> logonDeadlineNs - fromNs;
            case LOGGED_ON ->
                Math.min(
                        lastSentNs + heartbeatIntervalNs - fromNs,
                        lastReceivedNs + HEARTBEATS_MISSED_MAX * heartbeatIntervalNs - fromNs);
            case DISCONNECTED, CLOSED -> Long.MAX_VALUE;
        };
    }

    /** Ends a present or the next {@link #await(long)} at once. May be called from any thread. */
    public void wakeup() {
        transport.wakeup();
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
        PublishFrame.checkLengths(topicLength, length, messageLengthMax);
        final int frameLength = PublishFrame.length(topicLength, length);
        final boolean isLarge = connection != null && frameLength > connection.bestSendLength();
        if (!isReady(isLarge)) {
            return refusal();
        }
        final MutableDirectBuffer frame = (isLarge ? staged : single).ensureLength(frameLength);
        PublishFrame.write(
                frame, 0, topic, topicOffset, topicLength, payload, offset, length, publisherSequence, ackTypes);
        return isLarge ? startLarge(frame, 0, frameLength) : offerFrame(frame, 0, frameLength);
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
        PublishFrame.checkLengths(topicLength + keyLength, length, messageLengthMax);
        final int frameLength = PublishFrame.stateLength(topicLength, keyLength, length);
        final boolean isLarge = connection != null && frameLength > connection.bestSendLength();
        if (!isReady(isLarge)) {
            return refusal();
        }
        final MutableDirectBuffer frame = (isLarge ? staged : single).ensureLength(frameLength);
        PublishFrame.writeState(
                frame,
                0,
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
                publisherSequence,
                ackTypes);
        return isLarge ? startLarge(frame, 0, frameLength) : offerFrame(frame, 0, frameLength);
    }

    @Override
    long offerFrame(final CommandFrame frame) {
        return offerFrame(frame.buffer(), 0, frame.length());
    }

    /** Offers a command of at most one part, whose bytes are free again on return. Its id is written into it. */
    long offerFrame(final MutableDirectBuffer frame, final int index, final int length) {
        if (connection == null || !isReady(false)) {
            return refusal();
        }
        frame.putLong(index + CommandFrame.COMMAND_ID_OFFSET, nextCommandId, ByteOrder.LITTLE_ENDIAN);
        final long position = send(connection, frame, index, length);
        return position < 0 ? position : nextCommandId++;
    }

    /**
     * Offers a command of any length, whose bytes are in use until {@link #isLargeActive()} is false. Its id is written
     * into it.
     */
    long offerLarge(final MutableDirectBuffer frame, final int index, final int length) {
        return isReady(true) ? startLarge(frame, index, length) : refusal();
    }

    /** Memory that the broker can pull from over this connection; null where the medium has none. */
    @Nullable
    LentMemory lendMemory(final int length) throws IOException {
        return connection == null ? null : connection.lendMemory(length);
    }

    /** Offers a block; returns the command id, or a negative number. */
    long offerBlock(
            final int writerId, final long blockId, final long memoryOffset, final int length, final int checksum) {
        blockFrames.offer(writerId, blockId, memoryOffset, length, checksum);
        return offerFrame(blockFrames.buffer(), 0, BlockFrames.OFFER_LENGTH);
    }

    /** The most bytes of a block that go in one part. */
    int blockPartLength() {
        return connection == null ? 1 : BlockFrames.partLength(connection.bestSendLength());
    }

    /** Sends a part of a block, whose bytes are in use until the block is stored. False when there is no room now. */
    boolean offerBlockData(
            final int writerId, final long blockId, final int offset, final DirectBuffer block, final int length) {
        if (connection == null || !isReady(false)) {
            return false;
        }
        blockFrames.data(writerId, blockId, offset);
        final boolean isTaken =
                connection.offer(blockFrames.buffer(), 0, BlockFrames.DATA_LENGTH, block, offset, length, 0) >= 0;
        lastSentNs = isTaken ? nowNs : lastSentNs;
        return isTaken;
    }

    boolean isLargeActive() {
        return large.isActive();
    }

    private long startLarge(final MutableDirectBuffer frame, final int index, final int length) {
        frame.putLong(index + CommandFrame.COMMAND_ID_OFFSET, nextCommandId, ByteOrder.LITTLE_ENDIAN);
        large.start(frame, index, length);
        if (connection != null) {
            large.send(connection);
        }
        lastSentNs = nowNs;
        return nextCommandId++;
    }

    private boolean isReady(final boolean isLarge) {
        return state == State.LOGGED_ON && !(isLarge ? large.isActive() : large.isPartial());
    }

    private long refusal() {
        return state == State.CONNECTING || state == State.LOGGED_ON ? BACK_PRESSURED : CLOSED;
    }

    private long send(final Connection to, final DirectBuffer frame, final int index, final int length) {
        final long position = to.offer(frame, index, length, EMPTY, 0, 0, 0);
        if (position >= 0) {
            lastSentNs = nowNs;
        }
        return position;
    }

    /**
     * Where the session is in its life.
     *
     * @return the state after the last call.
     */
    public State state() {
        return state;
    }

    /**
     * Where the broker is.
     *
     * @return the server that was connected to last.
     */
    public URI server() {
        return server;
    }

    /**
     * The broker's number for this session.
     *
     * @return the id as of the last logon.
     */
    public long sessionId() {
        return sessionId;
    }

    /**
     * The highest publisher sequence that was applied for this client's name.
     *
     * @return as of the last logon; 0 when there was none.
     */
    public long publisherSequence() {
        return publisherSequence;
    }

    /**
     * The longest payload that both sides accept.
     *
     * @return bytes, as of the last logon.
     */
    public int messageLengthMax() {
        return messageLengthMax;
    }

    /**
     * The number of the broker's shards.
     *
     * @return the count as of the last logon.
     */
    public int shardCount() {
        return shardCount;
    }

    /**
     * The broker's name and version.
     *
     * @return as of the last logon, for people.
     */
    public String broker() {
        return broker;
    }

    /**
     * Whether everything that was offered has been handed to the medium.
     *
     * @return true when a close would lose nothing on this side.
     */
    public boolean isFlushed() {
        return connection == null || (!large.isActive() && connection.isFlushed());
    }

    /** Closes the connection without calling the listener, and frees all memory. Idempotent. */
    @Override
    public void close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            connection = null;
            transport.close();
            large.reset();
            reader.close();
            staged.close();
            single.close();
        }
    }

    private int onTime(final Connection open) {
        if (open.isClosed()) {
            disconnect("connection lost");
            return 1;
        }
        if (state == State.CONNECTING) {
            if (nowNs - logonDeadlineNs >= 0) {
                disconnect("no answer to the logon within " + millis(config.connectTimeoutNs())
                        + " (is it a Penstock broker that listens there?)");
                return 1;
            }
            return isLogonSent ? 0 : sendLogon(open);
        }
        if (isStalled) {
            // What the peer sent meanwhile is not read.
            lastReceivedNs = nowNs;
        }
        if (nowNs - lastReceivedNs >= HEARTBEATS_MISSED_MAX * heartbeatIntervalNs) {
            disconnect("nothing was heard from the broker for " + millis(nowNs - lastReceivedNs));
            return 1;
        }
        if (nowNs - lastSentNs >= heartbeatIntervalNs && !large.isPartial()) {
            return send(open, heartbeat.buffer(), 0, heartbeat.length()) < 0 ? 0 : 1;
        }
        return 0;
    }

    private int sendLogon(final Connection open) {
        final CommandFrame logon = CommandFrame.logon(config);
        logon.buffer().putLong(CommandFrame.COMMAND_ID_OFFSET, nextCommandId, ByteOrder.LITTLE_ENDIAN);
        isLogonSent = send(open, logon.buffer(), 0, logon.length()) >= 0;
        if (isLogonSent) {
            nextCommandId++;
            return 1;
        }
        return 0;
    }

    private static String millis(final long durationNs) {
        return TimeUnit.NANOSECONDS.toMillis(durationNs) + " ms";
    }

    void disconnect(final String reason) {
        final Connection closing = connection;
        if (closing != null) {
            connection = null;
            state = State.DISCONNECTED;
            large.reset();
            closing.close();
            listener.onDisconnect(server + ": " + reason, lastError);
        }
    }

    /** A transport knows what to do about its medium; what listens there is for the client to know. */
    private String messageOf(final IOException e) {
        final String message = e.getMessage();
        if (e.getCause() instanceof ConnectException && message != null && message.contains("connection refused")) {
            return server + ": cannot connect: connection refused (is a broker running there? start one with"
                    + " 'penstock serve')";
        }
        return message == null ? e.toString() : message;
    }

    /** Whether frames of this connection are of interest; if so the peer is alive. */
    boolean onReceived(final Connection from) {
        if (connection == null || from.id() != connection.id()) {
            return false;
        }
        lastReceivedNs = nowNs;
        return true;
    }

    void isStalled(final boolean value) {
        isStalled = value;
    }

    void onLogonAck(final LogonAckDecoder ack) {
        if (ack.heartbeatIntervalMs() <= 0 || ack.messageLengthMax() <= 0) {
            disconnect("the broker answered the logon with values out of range: heartbeatIntervalMs "
                    + ack.heartbeatIntervalMs() + ", messageLengthMax " + ack.messageLengthMax());
            return;
        }
        sessionId = ack.sessionId();
        publisherSequence = ack.publisherSequence();
        heartbeatIntervalNs = TimeUnit.MILLISECONDS.toNanos(ack.heartbeatIntervalMs());
        messageLengthMax = Math.min(config.messageLengthMax(), ack.messageLengthMax());
        shardCount = ack.shardCount();
        broker = ack.broker();
        state = State.LOGGED_ON;
        listener.onLogon();
    }

    void onError(final BrokerError error) {
        if (state == State.CONNECTING) {
            lastError = error.errorCode();
            disconnect("logon refused: " + error.text() + " (" + error.name() + ")");
        } else if (error.isFatal()) {
            lastError = error.errorCode();
            disconnect("the broker closed the session: " + error.text() + " (" + error.name() + ")");
        } else {
            listener.onError(error);
        }
    }
}
