package io.penstock.client.session;

import io.penstock.client.BrokerError;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.SessionListener;
import io.penstock.client.warning.ClientLog;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.LogonAckDecoder;
import io.penstock.transport.Connection;
import io.penstock.transport.RequiredFlags;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportCounters;
import io.penstock.transport.TransportProvider;
import io.penstock.transport.Transports;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Internal: a connection to a broker, behind {@link io.penstock.client.ClientSession} and below a client's agent. It
 * sends through its {@link #sender()}, and passes received frames to a {@link SessionListener}. Owned by the thread
 * that opens it.
 */
public final class Session implements AutoCloseable {
    /** Internal: silence of this many heartbeat intervals is a lost peer. */
    public static final int HEARTBEATS_MISSED_MAX = SessionTimes.HEARTBEATS_MISSED_MAX;

    private static final int FRAME_LIMIT = 64;
    private static final int CONNECTION_LIMIT = 4;

    private final ClientConfig config;
    private final SessionListener listener;
    private final SessionTimes times;
    private final FrameSender sender;
    private final AnswerReader reader;
    private final Transport transport;
    private final @Nullable TlsContexts tls;
    private final CommandFrame heartbeat = CommandFrame.heartbeat();

    private URI server;
    private @Nullable ErrorCode lastError;
    private @Nullable LogonProof proof;
    private @Nullable CommandFrame logon;
    private boolean isLogonSent;
    private boolean isClosed;
    private Welcome welcome = new Welcome(0, 0, 0, "", FrameHeader.VERSION);

    /**
     * The answer of a broker that accepts a logon.
     *
     * @param sessionId         the broker's number for the session.
     * @param publisherSequence the highest that was applied for the client's name.
     * @param shardCount        of the broker.
     * @param broker            name and version.
     * @param brokerVersion     of the protocol that the broker speaks.
     */
    private record Welcome(long sessionId, long publisherSequence, int shardCount, String broker, int brokerVersion) {}

    private Session(final ClientConfig config, final SessionListener listener) throws IOException {
        this.config = config;
        this.listener = listener;
        server = config.endpoint();
        times = new SessionTimes(config.nanoClock());
        sender = new FrameSender(times, config.messageLengthMax());
        reader = new AnswerReader(this, listener, config.topicLimit());
        final TransportProvider provider = Transports.providerFor(config.endpoint());
        tls = provider.isEncrypted()
                ? TlsContexts.forClient(config.tls().config(), config.tls().isHostChecked())
                : null;
        transport = provider.open(new TransportContext(
                        reader,
                        Math.max(
                                TransportContext.FRAGMENT_LENGTH_MIN,
                                config.messageLengthMax() + TransportContext.FRAGMENT_LENGTH_MIN),
                        config.connectTimeoutNs(),
                        CONNECTION_LIMIT,
                        new TransportCounters(),
                        this::wakeup,
                        error -> ClientLog.warn("transport failed", error))
                .tls(tls));
    }

    /** Internal: see {@link io.penstock.client.ClientSession#open}. */
    public static Session open(final ClientConfig config, final SessionListener listener) {
        RequiredFlags.check();
        try {
            return new Session(config, listener);
        } catch (final IOException e) {
            throw new ConnectionException(config.endpoint() + ": cannot connect: " + e.getMessage(), e.getCause());
        }
    }

    /** Internal: what is sent goes by it, on whatever connection. */
    public FrameSender sender() {
        return sender;
    }

    /** Internal: see {@link io.penstock.client.ClientSession#connect(URI)}. */
    public void connect(final URI newServer) {
        if (isClosed || sender.connection() != null) {
            throw new IllegalStateException("session: cannot connect: "
                    + (isClosed ? "CLOSED" : sender.isLoggedOn() ? "LOGGED_ON" : "CONNECTING")
                    + " (wait until it is disconnected)");
        }
        server = newServer;
        reader.reset();
        lastError = null;
        isLogonSent = false;
        if (tls != null) {
            // A client may live longer than its certificate. What is refused is reported by the broker, if it matters.
            tls.reload();
        }
        final Connection connection;
        try {
            connection = transport.connect(server);
        } catch (final IOException e) {
            throw new ConnectionException(messageOf(e), e.getCause());
        }
        sender.onConnect(connection);
        times.onConnect(config.connectTimeoutNs());
        final LogonProof begun = newProof(connection);
        proof = begun;
        logon = CommandFrame.logon(config, begun);
        sendLogon(connection);
    }

    /** Internal: see {@link io.penstock.client.ClientSession#poll()}. */
    public int poll() {
        final Connection before = sender.connection();
        if (before == null) {
            return 0;
        }
        times.look();
        int workCount = sender.sendLarge(before) + transport.poll(FRAME_LIMIT);
        final Connection after = sender.connection();
        if (after != null) {
            workCount += onTime(after);
        }
        return workCount;
    }

    /** Internal: the time at which the last poll began. */
    public long polledNs() {
        return times.lookedNs();
    }

    /** Internal: see {@link io.penstock.client.ClientSession#await(long)}. */
    public void await(final long timeoutNs) {
        transport.await(Math.max(0, Math.min(timeoutNs, delayNs())));
    }

    private long delayNs() {
        if (sender.connection() == null) {
            return Long.MAX_VALUE;
        }
        return sender.isLoggedOn() ? times.heartbeatDelayNs() : times.logonDelayNs();
    }

    /** Internal: ends a present or the next {@link #await(long)} at once. Any thread. */
    public void wakeup() {
        transport.wakeup();
    }

    /** Internal: whether a connection was made whose logon is not answered yet. */
    public boolean isConnecting() {
        return sender.connection() != null && !sender.isLoggedOn();
    }

    /** Internal: whether commands may be offered. */
    public boolean isLoggedOn() {
        return sender.isLoggedOn();
    }

    /** Internal: whether it may be connected (again). */
    public boolean isDisconnected() {
        return sender.connection() == null && !isClosed;
    }

    /** Internal: whether it is closed for good. */
    public boolean isClosed() {
        return isClosed;
    }

    /** Internal: the server that was connected to last. */
    public URI server() {
        return server;
    }

    /** Internal: the broker's number for this session, as of the last logon. */
    public long sessionId() {
        return welcome.sessionId();
    }

    /** Internal: the highest publisher sequence that was applied for this client's name, as of the last logon. */
    public long publisherSequence() {
        return welcome.publisherSequence();
    }

    /** Internal: the longest payload that both sides accept, in bytes. */
    public int messageLengthMax() {
        return sender.messageLengthMax();
    }

    /** Internal: the number of the broker's shards, as of the last logon. */
    public int shardCount() {
        return welcome.shardCount();
    }

    /** Internal: the version of the protocol that the broker speaks, as of the last logon. */
    public int brokerVersion() {
        return welcome.brokerVersion();
    }

    /** Internal: the broker's name and version, as of the last logon. */
    public String broker() {
        return welcome.broker();
    }

    /** Internal: whether everything that was offered has been handed to the medium. */
    public boolean isFlushed() {
        return sender.isFlushed();
    }

    /** Internal: closes the connection without calling the listener, and frees all memory. Idempotent. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            sender.onDisconnect();
            transport.close();
            reader.close();
            sender.close();
        }
    }

    private int onTime(final Connection open) {
        if (open.isClosed()) {
            disconnect("connection lost");
            return 1;
        }
        if (!sender.isLoggedOn()) {
            if (times.isLogonOverdue()) {
                disconnect("no answer to the logon within " + millis(config.connectTimeoutNs())
                        + " (is it a Penstock broker that listens there?)");
                return 1;
            }
            return isLogonSent ? 0 : sendLogon(open);
        }
        if (times.isSilent()) {
            disconnect("nothing was heard from the broker for " + millis(times.silenceNs()));
            return 1;
        }
        return times.isHeartbeatDue() && sender.sendHeartbeat(open, heartbeat) ? 1 : 0;
    }

    private int sendLogon(final Connection open) {
        isLogonSent = logon == null || sender.sendLogon(open, logon);
        return isLogonSent ? 1 : 0;
    }

    private LogonProof newProof(final Connection open) {
        try {
            return new LogonProof(config.credentials().credentials(), open, tls != null);
        } catch (final RuntimeException e) {
            sender.onDisconnect();
            open.close();
            final String message = e.getMessage();
            throw new ConnectionException(
                    server + ": nothing to log on with: " + (message == null ? e.toString() : message), e);
        }
    }

    void onAuthChallenge(final String mechanisms, final byte[] challenge) {
        final Connection open = sender.connection();
        final LogonProof asked = proof;
        if (open == null || asked == null) {
            return;
        }
        final LogonProof.Answer answer = asked.answer(mechanisms, challenge);
        if (answer == null) {
            lastError = ErrorCode.AUTHENTICATION_FAILED;
            disconnect("logon given up: " + asked.wrong());
            return;
        }
        logon = CommandFrame.authResponse(answer);
        isLogonSent = false;
        sendLogon(open);
    }

    private static String millis(final long durationNs) {
        return TimeUnit.NANOSECONDS.toMillis(durationNs) + " ms";
    }

    void disconnect(final String reason) {
        final Connection closing = sender.connection();
        if (closing != null) {
            sender.onDisconnect();
            closing.close();
            listener.onDisconnect(server + ": " + reason, lastError);
        }
    }

    /** What a peer does not understand, which speaks TLS, it ends without an answer. */
    void onLost(final String reason) {
        final boolean mayBeEncrypted = !sender.isLoggedOn() && tls == null && server.getRawAuthority() != null;
        disconnect("connection lost: " + reason
                + (mayBeEncrypted
                        ? ", before it answered the logon (see its log; does it speak TLS? its endpoint is tcps://"
                                + server.getRawAuthority() + " then)"
                        : ""));
    }

    /** A transport knows what to do about its medium; what listens there is for the client to know. */
    private String messageOf(final IOException e) {
        final String message = e.getMessage();
        if (e instanceof ConnectException && message != null && message.contains("connection refused")) {
            return server + ": cannot connect: connection refused (is a broker running there? start one with"
                    + " 'penstock serve')";
        }
        return message == null ? e.toString() : message;
    }

    /** Whether frames of this connection are of interest; if so the peer is alive. */
    boolean onReceived(final Connection from) {
        final Connection open = sender.connection();
        if (open == null || from.id() != open.id()) {
            return false;
        }
        times.onReceived();
        return true;
    }

    void isStalled(final boolean value) {
        times.isStalled(value);
    }

    void onLogonAck(final LogonAckDecoder ack) {
        if (ack.heartbeatIntervalMs() <= 0 || ack.messageLengthMax() <= 0) {
            disconnect("the broker answered the logon with values out of range: heartbeatIntervalMs "
                    + ack.heartbeatIntervalMs() + ", messageLengthMax " + ack.messageLengthMax());
            return;
        }
        final long sessionId = ack.sessionId();
        final long publisherSequence = ack.publisherSequence();
        final String broker = ack.broker();
        final LogonProof due = proof;
        if (due != null && !due.isProved(token(ack))) {
            lastError = ErrorCode.AUTHENTICATION_FAILED;
            disconnect("logon given up: " + due.wrong());
            return;
        }
        times.onLogon(ack.heartbeatIntervalMs());
        welcome = new Welcome(sessionId, publisherSequence, ack.shardCount(), broker, ack.actingVersion());
        sender.onLogon(Math.min(config.messageLengthMax(), ack.messageLengthMax()));
        listener.onLogon();
    }

    private static byte[] token(final LogonAckDecoder ack) {
        if (ack.actingVersion() < LogonAckDecoder.tokenSinceVersion()) {
            return new byte[0];
        }
        final byte[] token = new byte[ack.tokenLength()];
        ack.getToken(token, 0, token.length);
        return token;
    }

    void onError(final BrokerError error) {
        if (!sender.isLoggedOn()) {
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
