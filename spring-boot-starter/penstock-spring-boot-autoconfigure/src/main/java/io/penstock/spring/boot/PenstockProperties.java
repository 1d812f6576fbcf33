package io.penstock.spring.boot;

import io.penstock.client.AckType;
import io.penstock.client.BookmarkStore;
import io.penstock.client.PublishStore;
import io.penstock.spring.listener.AckMode;
import io.penstock.transport.tls.ClientCertificates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What an application says of its client and its embedded broker. A key below {@code penstock} that is none of these is
 * refused.
 *
 * @param servers           to connect to, in turn; all with the same scheme.
 * @param name              of the client, unique while connected: a newer client of the same name replaces this one. Empty =
 *                          anonymous; stores need a name.
 * @param user              for brokers that authenticate users.
 * @param password          of the user.
 * @param token             that proves a user instead of a password.
 * @param ssl               of servers at tcps addresses.
 * @param failFast          whether the start fails when no broker can be reached. Otherwise the client connects in the
 *                          background.
 * @param heartbeatInterval asked for; the broker's default unless set.
 * @param messageLengthMax  the longest payload sent and received; the broker may accept less.
 * @param timeout           how long to wait for what.
 * @param reconnect         what happens when there is no connection.
 * @param publishStore      that keeps what is published until the broker has it for good.
 * @param bookmarkStore     that notes how far named subscriptions have come.
 * @param template          what templates do unless told otherwise.
 * @param listener          what listeners do unless told otherwise.
 * @param embedded          a broker in this process.
 * @param health            what the connection decides.
 */
@ConfigurationProperties(prefix = PenstockProperties.PREFIX, ignoreUnknownFields = false)
public record PenstockProperties(
        @DefaultValue(PenstockProperties.SERVER_DEFAULT) List<String> servers,
        @DefaultValue("") String name,
        @DefaultValue("") String user,
        @DefaultValue("") String password,
        @DefaultValue("") String token,
        @DefaultValue Ssl ssl,
        @DefaultValue("false") boolean failFast,
        @DefaultValue("0") Duration heartbeatInterval,
        @DefaultValue("16MB") DataSize messageLengthMax,
        @DefaultValue Timeout timeout,
        @DefaultValue Reconnect reconnect,
        @DefaultValue PublishStoring publishStore,
        @DefaultValue BookmarkStoring bookmarkStore,
        @DefaultValue Template template,
        @DefaultValue Listener listener,
        @DefaultValue Embedded embedded,
        @DefaultValue HealthGroups health) {
    /** Of all keys. */
    public static final String PREFIX = "penstock";

    static final String SERVER_DEFAULT = "tcp://127.0.0.1:9100";

    /** Does not show what the client logs on with. */
    @Override
    public String toString() {
        return "PenstockProperties" + servers;
    }

    /**
     * Of encrypted connections.
     *
     * @param bundle an SSL bundle, by its name: whom to trust, and the certificate to show. With none, the authorities of the JDK.
     */
    public record Ssl(@DefaultValue("") String bundle) {}

    /**
     * Of the embedded broker's endpoints at tcps addresses.
     *
     * @param bundle             an SSL bundle, by its name: the broker's certificate, and who signs those of clients.
     * @param clientCertificates whether clients are asked for a certificate.
     */
    public record EmbeddedSsl(
            @DefaultValue("") String bundle, @DefaultValue("none") ClientCertificates clientCertificates) {}

    /**
     * How long to wait.
     *
     * @param connect for the medium, and then for the logon.
     * @param request for the answer to a command.
     * @param publish for room, before a publish fails.
     * @param close   for what was accepted to be sent and applied, and for the flush when the application stops.
     */
    public record Timeout(
            @DefaultValue("5s") Duration connect,
            @DefaultValue("10s") Duration request,
            @DefaultValue("10s") Duration publish,
            @DefaultValue("5s") Duration close) {}

    /**
     * What happens when there is no connection.
     *
     * @param delayMin before the first attempt; it doubles with each round through the servers.
     * @param delayMax that it grows to.
     * @param timeout  after which the client gives up; it tries for ever unless set.
     */
    public record Reconnect(
            @DefaultValue("100ms") Duration delayMin,
            @DefaultValue("10s") Duration delayMax,
            @Nullable Duration timeout) {}

    /** Where a store keeps what it has. */
    public enum StoreKind {
        /** There is no store. */
        NONE,
        /** In memory; it ends with the application. */
        MEMORY,
        /** In files that survive the application. */
        FILE
    }

    /**
     * Keeps what is published until the broker has it for good. Needs a name of the client.
     *
     * @param kind   where.
     * @param path   of its two files, for the kind {@code file}.
     * @param limit  most messages.
     * @param length most bytes.
     * @param sync   when a message is on stable storage.
     */
    public record PublishStoring(
            @DefaultValue("none") StoreKind kind,
            @Nullable Path path,
            @DefaultValue("65536") int limit,
            @DefaultValue("64MB") DataSize length,
            @DefaultValue("os") PublishStore.Sync sync) {}

    /**
     * Notes how far named subscriptions have come, so that they go on there.
     *
     * @param kind  where; in memory unless set, for subscriptions that go on after a reconnect alone.
     * @param path  of its two files, for the kind {@code file}.
     * @param batch most notes that are gathered before they are written.
     */
    public record BookmarkStoring(
            @DefaultValue("memory") StoreKind kind,
            @Nullable Path path,
            @DefaultValue("" + BookmarkStore.BATCH_DEFAULT) int batch) {}

    /** What the broker has done with a message when its send is completed. */
    public enum Acknowledgement {
        /** It has received it. */
        RECEIVED(AckType.RECEIVED),
        /** It has applied it. */
        PROCESSED(AckType.PROCESSED),
        /** It has it on stable storage, for topics that are journaled. */
        PERSISTED(AckType.PERSISTED);

        private final AckType ackType;

        Acknowledgement(final AckType ackType) {
            this.ackType = ackType;
        }

        /**
         * As the client has it.
         *
         * @return the type.
         */
        public AckType ackType() {
            return ackType;
        }
    }

    /**
     * What templates do unless told otherwise.
     *
     * @param defaultTopic            of messages that are sent without one.
     * @param acknowledgement         that completes a send.
     * @param requestTimeout          how long a request waits for its reply.
     * @param transactionSynchronized whether what is sent in a transaction goes out after it has committed.
     * @param observationEnabled      whether sends are observed.
     */
    public record Template(
            @DefaultValue("") String defaultTopic,
            @DefaultValue("processed") Acknowledgement acknowledgement,
            @DefaultValue("10s") Duration requestTimeout,
            @DefaultValue("false") boolean transactionSynchronized,
            @DefaultValue("true") boolean observationEnabled) {}

    /**
     * What listeners do unless told otherwise.
     *
     * @param autoStartup        whether they start with the context.
     * @param concurrency        how many threads call each.
     * @param batchSize          most messages that a batch listener is called with.
     * @param ackMode            when a message counts as processed.
     * @param shutdownTimeout    how long stopping waits for messages that are being processed.
     * @param idleEventInterval  after which time without a message an event is published; 0 = never.
     * @param observationEnabled whether receipts and calls are observed.
     */
    public record Listener(
            @DefaultValue("true") boolean autoStartup,
            @DefaultValue("1") int concurrency,
            @DefaultValue("256") int batchSize,
            @DefaultValue("record") AckMode ackMode,
            @DefaultValue("10s") Duration shutdownTimeout,
            @DefaultValue("0") Duration idleEventInterval,
            @DefaultValue("true") boolean observationEnabled) {}

    /**
     * A broker in this process.
     *
     * @param enabled          whether there is one; needs penstock-broker-core.
     * @param name             of its endpoint in the process, inproc:NAME; made up unless set.
     * @param listen           endpoints for other processes, for example tcp://127.0.0.1:9100.
     * @param journalDirectory of the files that keep messages; with none, or an empty one, messages are kept in memory.
     * @param ssl              of endpoints at tcps addresses.
     * @param drainTimeout     how long stopping waits for other clients to take what was accepted.
     * @param config           further keys of a broker's configuration, as in its file.
     */
    public record Embedded(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("") String name,
            @DefaultValue List<String> listen,
            @Nullable String journalDirectory,
            @DefaultValue EmbeddedSsl ssl,
            @DefaultValue("5s") Duration drainTimeout,
            @DefaultValue Map<String, String> config) {}

    /**
     * What the connection decides.
     *
     * @param readiness whether it is part of the group readiness; never of liveness.
     */
    public record HealthGroups(@DefaultValue("true") boolean readiness) {}
}
