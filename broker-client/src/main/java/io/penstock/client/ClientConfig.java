package io.penstock.client;

import io.penstock.transport.TransportContext;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The settings with which a client starts. Immutable; made by {@link #builder(String)}.
 *
 * @param endpoint            of the broker, for example {@code tcp://127.0.0.1:9100}.
 * @param servers             to connect to, in turn: the endpoint, and others with the same scheme.
 * @param name                of the client, unique while connected: a newer client of the same name replaces this one.
 *                            Empty = anonymous, which the broker keeps no publisher sequences for.
 * @param credentials         asked at each log-on for what to prove who the client is.
 * @param tls                 for encrypted endpoints, such as {@code tcps}.
 * @param heartbeatIntervalMs asked for; 0 = the broker's default.
 * @param connectTimeoutNs    the longest wait for the medium, and then for the logon.
 * @param requestTimeoutNs    the longest wait for the answer to a command.
 * @param publishTimeoutNs    how long a publish waits for room before it fails.
 * @param closeTimeoutNs      how long closing waits for what was accepted to be sent and applied.
 * @param messageLengthMax    in bytes, of payloads sent and received; the broker may accept less.
 * @param topicLimit          the most topics whose names are kept; a broker that delivers from more is disconnected.
 * @param ringLength          in bytes, a power of two: what all threads together may publish ahead of the connection.
 * @param inFlightLimit       the most commands that wait for an acknowledgement; further ones wait for room.
 * @param stagingLength       in bytes: the same bound for messages that take more than 64 KiB with their topic, each in
 *                            a slot of 64 KiB, 128 KiB and so on, or twice that. The longest one always fits.
 * @param streamLimit         the most messages that a {@link MessageStream}, an executor's handler or a publisher holds.
 * @param streamLength        in bytes: the most payload that they hold, unless it is that of a single message.
 * @param idlePollLimit       how often to poll in vain before the thread blocks; the largest int = never block.
 * @param backOffNsMax        the longest sleep between polls of a thread that does not block. 0 = it blocks.
 * @param handlerWarningNs    how long handlers may keep the client's thread before a warning is logged; 0 = none is.
 * @param reconnectDelayMinNs before the first attempt to reconnect, half to all of it at random; it doubles each time.
 * @param reconnectDelayMaxNs that it grows to.
 * @param reconnectTimeoutNs  how long the client may be without a connection before it gives up.
 * @param disconnectHandler   decides whether to reconnect.
 * @param connectionListener  notified of what happens to the connection.
 * @param publishStore        keeps what is published until the broker has it for good; null for none.
 * @param publishErrorHandler notified of refused publishes that nobody waits for.
 * @param messageErrorHandler decides what becomes of a message whose handler threw.
 * @param bookmarkStore       notes how far named subscriptions have come; null for none.
 * @param seed                of the random part of delays; 0 = taken from the clock.
 * @param nanoClock           for timers, replaced in tests.
 */
public record ClientConfig(
        URI endpoint,
        List<URI> servers,
        String name,
        CredentialsProvider credentials,
        ClientTls tls,
        int heartbeatIntervalMs,
        long connectTimeoutNs,
        long requestTimeoutNs,
        long publishTimeoutNs,
        long closeTimeoutNs,
        int messageLengthMax,
        int topicLimit,
        int ringLength,
        int inFlightLimit,
        long stagingLength,
        int streamLimit,
        long streamLength,
        int idlePollLimit,
        long backOffNsMax,
        long handlerWarningNs,
        long reconnectDelayMinNs,
        long reconnectDelayMaxNs,
        long reconnectTimeoutNs,
        DisconnectHandler disconnectHandler,
        ConnectionListener connectionListener,
        @Nullable PublishStore publishStore,
        @Nullable BookmarkStore bookmarkStore,
        PublishErrorHandler publishErrorHandler,
        MessageErrorHandler messageErrorHandler,
        long seed,
        NanoClock nanoClock) {
    public static final int HEARTBEAT_INTERVAL_MS_MAX = 3_600_000;
    public static final long CONNECT_TIMEOUT_NS_DEFAULT = TransportContext.CONNECT_TIMEOUT_NS_DEFAULT;
    public static final long REQUEST_TIMEOUT_NS_DEFAULT = 10_000_000_000L;
    public static final long PUBLISH_TIMEOUT_NS_DEFAULT = 10_000_000_000L;
    public static final long CLOSE_TIMEOUT_NS_DEFAULT = 5_000_000_000L;
    public static final int MESSAGE_LENGTH_MAX_DEFAULT = 16 * 1024 * 1024;
    public static final int TOPIC_LIMIT_DEFAULT = 1024 * 1024;
    public static final int RING_LENGTH_DEFAULT = 4 * 1024 * 1024;
    public static final int RING_LENGTH_MIN = 1024 * 1024;
    public static final int IN_FLIGHT_LIMIT_DEFAULT = 16 * 1024;
    public static final long STAGING_LENGTH_DEFAULT = 4L * MESSAGE_LENGTH_MAX_DEFAULT;
    public static final int STREAM_LIMIT_DEFAULT = 4 * 1024;
    public static final long STREAM_LENGTH_DEFAULT = 64L * 1024 * 1024;
    public static final int IDLE_POLL_LIMIT_DEFAULT = 20;
    public static final long BACK_OFF_NS_MAX = 1_000_000_000L;
    public static final long HANDLER_WARNING_NS_DEFAULT = 1_000_000_000L;
    public static final long RECONNECT_DELAY_MIN_NS_DEFAULT = 100_000_000L;
    public static final long RECONNECT_DELAY_MAX_NS_DEFAULT = 10_000_000_000L;

    public ClientConfig {
        servers = Servers.checked(endpoint, servers);
        Ranges.checkNamed(publishStore, name);
        Ranges.check("client.reconnectTimeoutNs", reconnectTimeoutNs, 1, Long.MAX_VALUE);
        Ranges.check("client.heartbeatIntervalMs", heartbeatIntervalMs, 0, HEARTBEAT_INTERVAL_MS_MAX);
        Ranges.check("client.connectTimeoutNs", connectTimeoutNs, 1, Long.MAX_VALUE);
        Ranges.check("client.requestTimeoutNs", requestTimeoutNs, 1, Long.MAX_VALUE);
        Ranges.check("client.publishTimeoutNs", publishTimeoutNs, 0, Long.MAX_VALUE);
        Ranges.check("client.closeTimeoutNs", closeTimeoutNs, 0, Long.MAX_VALUE);
        Ranges.check("client.messageLengthMax", messageLengthMax, 1, 1 << 30);
        Ranges.check("client.topicLimit", topicLimit, 1, Integer.MAX_VALUE);
        Ranges.check("client.ringLength", ringLength, RING_LENGTH_MIN, 1 << 30);
        Ranges.check("client.inFlightLimit", inFlightLimit, 1, 1 << 24);
        Ranges.check("client.stagingLength", stagingLength, 0, Long.MAX_VALUE);
        Ranges.check("client.streamLimit", streamLimit, 1, 1 << 24);
        Ranges.check("client.streamLength", streamLength, 1, Long.MAX_VALUE);
        Ranges.check("client.idlePollLimit", idlePollLimit, 0, Integer.MAX_VALUE);
        Ranges.check("client.backOffNsMax", backOffNsMax, 0, BACK_OFF_NS_MAX);
        Ranges.check("client.handlerWarningNs", handlerWarningNs, 0, Long.MAX_VALUE);
        Ranges.check("client.reconnectDelayMinNs", reconnectDelayMinNs, 1, Long.MAX_VALUE / 4);
        Ranges.check("client.reconnectDelayMaxNs", reconnectDelayMaxNs, reconnectDelayMinNs, Long.MAX_VALUE / 4);
        Ranges.checkPowerOfTwo("client.ringLength", ringLength);
    }

    /**
     * Starts a configuration.
     *
     * @param endpoint of the broker, or of several: {@code tcp://a:9100,b:9100}.
     * @return a builder with the default for everything else.
     */
    public static Builder builder(final String endpoint) {
        return new Builder(Servers.of(endpoint));
    }

    /**
     * A configuration for an endpoint.
     *
     * @param endpoint as of {@link #builder(String)}.
     * @return with the default for everything else.
     */
    public static ClientConfig of(final String endpoint) {
        return builder(endpoint).build();
    }

    /** Does not show what the client logs on with. */
    @Override
    public String toString() {
        return "ClientConfig[" + endpoint + (name.isEmpty() ? "" : ", name=" + name) + "]";
    }

    /** Collects a configuration; whatever is not given has its default. Not thread-safe. */
    public static final class Builder {
        private final List<URI> servers;
        private String name = "";
        private CredentialsProvider credentials = CredentialsProvider.NONE;
        private ClientTls tls = ClientTls.defaults();
        private int heartbeatIntervalMs;
        private long connectTimeoutNs = CONNECT_TIMEOUT_NS_DEFAULT;
        private long requestTimeoutNs = REQUEST_TIMEOUT_NS_DEFAULT;
        private long publishTimeoutNs = PUBLISH_TIMEOUT_NS_DEFAULT;
        private long closeTimeoutNs = CLOSE_TIMEOUT_NS_DEFAULT;
        private int messageLengthMax = MESSAGE_LENGTH_MAX_DEFAULT;
        private int topicLimit = TOPIC_LIMIT_DEFAULT;
        private int ringLength = RING_LENGTH_DEFAULT;
        private int inFlightLimit = IN_FLIGHT_LIMIT_DEFAULT;
        private long stagingLength = STAGING_LENGTH_DEFAULT;
        private int streamLimit = STREAM_LIMIT_DEFAULT;
        private long streamLength = STREAM_LENGTH_DEFAULT;
        private int idlePollLimit = IDLE_POLL_LIMIT_DEFAULT;
        private long backOffNsMax;
        private long handlerWarningNs = HANDLER_WARNING_NS_DEFAULT;
        private long reconnectDelayMinNs = RECONNECT_DELAY_MIN_NS_DEFAULT;
        private long reconnectDelayMaxNs = RECONNECT_DELAY_MAX_NS_DEFAULT;
        private long reconnectTimeoutNs = Long.MAX_VALUE;
        private @Nullable DisconnectHandler disconnectHandler;
        private ConnectionListener connectionListener = ConnectionListener.NONE;
        private @Nullable PublishStore publishStore;
        private @Nullable BookmarkStore bookmarkStore;
        private PublishErrorHandler publishErrorHandler = PublishErrorHandler.LOG;
        private MessageErrorHandler messageErrorHandler = MessageErrorHandler.END;
        private long seed;
        private NanoClock nanoClock = SystemNanoClock.INSTANCE;

        private Builder(final List<URI> servers) {
            this.servers = new ArrayList<>(servers);
        }

        /**
         * Adds servers that are tried in turn when the one before cannot be reached or its connection is lost. A client of
         * several servers reconnects, unless {@link #onDisconnect} says otherwise.
         */
        public Builder servers(final String... more) {
            for (final String server : more) {
                servers.addAll(Servers.of(server));
            }
            return this;
        }

        public Builder name(final String value) {
            name = value;
            return this;
        }

        /** Logs on as a user by {@link LogonMechanism#SCRAM_SHA_256}; as none when both are empty. */
        public Builder credentials(final String user, final String password) {
            return credentials(() -> LogonCredentials.password(user, password));
        }

        /** Logs on with what the provider says at each connection. */
        public Builder credentials(final CredentialsProvider value) {
            credentials = value;
            return this;
        }

        public Builder tls(final ClientTls value) {
            tls = value;
            return this;
        }

        public Builder heartbeatInterval(final Duration value) {
            heartbeatIntervalMs = Math.toIntExact(value.toMillis());
            return this;
        }

        public Builder connectTimeout(final Duration value) {
            connectTimeoutNs = value.toNanos();
            return this;
        }

        public Builder requestTimeout(final Duration value) {
            requestTimeoutNs = value.toNanos();
            return this;
        }

        public Builder publishTimeout(final Duration value) {
            publishTimeoutNs = value.toNanos();
            return this;
        }

        public Builder closeTimeout(final Duration value) {
            closeTimeoutNs = value.toNanos();
            return this;
        }

        public Builder messageLengthMax(final int value) {
            messageLengthMax = value;
            return this;
        }

        public Builder topicLimit(final int value) {
            topicLimit = value;
            return this;
        }

        public Builder ringLength(final int value) {
            ringLength = value;
            return this;
        }

        public Builder inFlightLimit(final int value) {
            inFlightLimit = value;
            return this;
        }

        public Builder stagingLength(final long value) {
            stagingLength = value;
            return this;
        }

        public Builder streamLimit(final int value) {
            streamLimit = value;
            return this;
        }

        public Builder streamLength(final long value) {
            streamLength = value;
            return this;
        }

        public Builder idlePollLimit(final int value) {
            idlePollLimit = value;
            return this;
        }

        /** Has the thread back off rather than block; for {@code ipc} beside a broker that backs off as well. */
        public Builder backOff(final Duration max) {
            backOffNsMax = max.toNanos();
            return this;
        }

        /** Warns when handlers keep the client's thread for so long; zero = does not. */
        public Builder handlerWarning(final Duration value) {
            handlerWarningNs = value.toNanos();
            return this;
        }

        public Builder reconnectDelay(final Duration min, final Duration max) {
            reconnectDelayMinNs = min.toNanos();
            reconnectDelayMaxNs = max.toNanos();
            return this;
        }

        /** Reconnects for as long as that is of any use, and at most for a time. */
        public Builder reconnect(final Duration timeout) {
            reconnectTimeoutNs = timeout.toNanos();
            return reconnect();
        }

        /** Reconnects for as long as that is of any use. */
        public Builder reconnect() {
            disconnectHandler = DisconnectHandler.RECONNECT;
            return this;
        }

        public Builder connectionListener(final ConnectionListener value) {
            connectionListener = value;
            return this;
        }

        /** Keeps what is published in a store, which is the client's from now on: it closes it. */
        public Builder publishStore(final PublishStore value) {
            publishStore = value;
            return this;
        }

        /** Notes how far named subscriptions have come in a store, which is the client's from now on: it closes it. */
        public Builder bookmarkStore(final BookmarkStore value) {
            bookmarkStore = value;
            return this;
        }

        /** Decides whether to reconnect; unless given, a client of one server that loses its connection is closed. */
        public Builder onDisconnect(final DisconnectHandler handler) {
            disconnectHandler = handler;
            return this;
        }

        /** Notified of refused publishes that nobody waits for; unless given, they are logged. */
        public Builder onPublishError(final PublishErrorHandler handler) {
            publishErrorHandler = handler;
            return this;
        }

        /** Decides what becomes of a message whose handler threw; unless given, its subscription ends. */
        public Builder onMessageError(final MessageErrorHandler handler) {
            messageErrorHandler = handler;
            return this;
        }

        public Builder seed(final long value) {
            seed = value;
            return this;
        }

        public Builder nanoClock(final NanoClock value) {
            nanoClock = value;
            return this;
        }

        private DisconnectHandler disconnectHandler() {
            final DisconnectHandler given = disconnectHandler;
            final boolean isAlone = servers.size() == 1;
            return given != null ? given : isAlone ? DisconnectHandler.CLOSE : DisconnectHandler.RECONNECT;
        }

        public ClientConfig build() {
            return new ClientConfig(
                    servers.get(0),
                    servers,
                    name,
                    credentials,
                    tls,
                    heartbeatIntervalMs,
                    connectTimeoutNs,
                    requestTimeoutNs,
                    publishTimeoutNs,
                    closeTimeoutNs,
                    messageLengthMax,
                    topicLimit,
                    ringLength,
                    inFlightLimit,
                    stagingLength,
                    streamLimit,
                    streamLength,
                    idlePollLimit,
                    backOffNsMax,
                    handlerWarningNs,
                    reconnectDelayMinNs,
                    reconnectDelayMaxNs,
                    reconnectTimeoutNs,
                    disconnectHandler(),
                    connectionListener,
                    publishStore,
                    bookmarkStore,
                    publishErrorHandler,
                    messageErrorHandler,
                    seed,
                    nanoClock);
        }
    }
}
