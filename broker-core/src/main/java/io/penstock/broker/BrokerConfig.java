package io.penstock.broker;

import io.penstock.broker.event.EventHandler;
import io.penstock.broker.event.LoggedEvents;
import io.penstock.broker.storage.StorageProvider;
import io.penstock.transport.TransportContext;
import io.penstock.transport.tls.TlsConfig;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The settings with which a broker starts. Immutable; made by {@link #builder()}.
 *
 * @param listen       endpoints to accept clients on; an {@code inproc:} endpoint for each embedding program's own.
 * @param threading    which threads run the agents.
 * @param idle         what they do without work.
 * @param cpus         that threads are pinned to, by the kernel's numbers, in turn: sequencers, I/O agents, then all
 *                     others; none to leave them to the kernel. Needs the native library.
 * @param ioAgentCount I/O agents; endpoints are dealt to them in turn. 1 unless {@code DEDICATED}.
 * @param shardCount   shards that topics are spread over.
 * @param inboxLength  in bytes, a power of two: the ring from I/O agents to each shard's sequencer in {@code
 *                     DEDICATED}; when it is full the senders are not read.
 * @param window       of each shard's log.
 * @param journal      the files that logs are written to.
 * @param state        bounds of what topics keep, and of queries.
 * @param topics       declared topics and rules for others.
 * @param views        topics that are computed from others, in an order in which each comes after its sources.
 * @param sinks        files that producers deliver blocks to.
 * @param formatDefault of topics that no rule matches.
 * @param sessions     bounds of what clients may ask for.
 * @param quotas       bounds of what one client may use up.
 * @param security     who may connect, and who decides what clients may do.
 * @param permissions  what users may do, by their roles.
 * @param tls          certificates of encrypted endpoints.
 * @param audit        the files that keep who has done what.
 * @param nanoClock    for timers, replaced in tests.
 * @param epochClock   for the timestamps of records, replaced in tests.
 * @param agentWrapper wraps each agent before it gets its thread, to measure duty cycles; what it gives is run in the
 *                     agent's place, so it passes every call on. Not used in {@code INVOKER}.
 * @param storage      where the journal's directory is, replaced in tests.
 * @param events       takes events for the operator; the JDK's loggers unless replaced.
 */
public record BrokerConfig(
        List<URI> listen,
        ThreadingMode threading,
        IdleMode idle,
        List<Integer> cpus,
        int ioAgentCount,
        int shardCount,
        int inboxLength,
        WindowConfig window,
        JournalConfig journal,
        StateConfig state,
        List<TopicConfig> topics,
        List<ViewConfig> views,
        SinksConfig sinks,
        String formatDefault,
        SessionConfig sessions,
        QuotaConfig quotas,
        SecurityConfig security,
        PermissionsConfig permissions,
        TlsConfig tls,
        AuditConfig audit,
        NanoClock nanoClock,
        EpochNanoClock epochClock,
        UnaryOperator<Agent> agentWrapper,
        StorageProvider storage,
        EventHandler events) {
    public static final String LISTEN_DEFAULT = "tcp://127.0.0.1:9100";
    public static final String FORMAT_DEFAULT = "json";
    public static final int SHARD_COUNT_MAX = 1024;
    public static final int IO_AGENT_COUNT_MAX = 64;
    public static final int CPU_MAX = 8191;
    public static final int INBOX_LENGTH_DEFAULT = 16 * 1024 * 1024;

    /** On fewer cores than this one thread runs all agents unless configured otherwise. */
    public static final int DEDICATED_CORES_MIN = 8;

    public BrokerConfig {
        listen = List.copyOf(listen);
        cpus = List.copyOf(cpus);
        topics = List.copyOf(topics);
        views = List.copyOf(views);
        checkCpus(cpus, threading);
        Limits.check("ioAgentCount", ioAgentCount, 1, threading == ThreadingMode.DEDICATED ? IO_AGENT_COUNT_MAX : 1);
        Limits.check("shardCount", shardCount, 1, SHARD_COUNT_MAX);
        Limits.check("inboxLength", inboxLength, 16L * TransportContext.FRAGMENT_LENGTH_MIN, 1 << 30);
        if (Integer.bitCount(inboxLength) != 1) {
            throw new IllegalArgumentException(
                    "inboxLength: not a power of two: " + inboxLength + " (use " + INBOX_LENGTH_DEFAULT + ")");
        }
        if (sessions.messageLengthMax() > window.segmentLength() / 2) {
            throw new IllegalArgumentException("sessions.messageLengthMax: more than half of window.segmentLength: "
                    + sessions.messageLengthMax() + " (use " + window.segmentLength() / 2 + " or less)");
        }
        if (journal.isUsed() && journal.fileLength() < 2L * sessions.messageLengthMax()) {
            throw new IllegalArgumentException("journal.fileLength: less than twice sessions.messageLengthMax: "
                    + journal.fileLength() + " (use " + 2L * sessions.messageLengthMax() + " or more)");
        }
        for (final TopicConfig topic : topics) {
            if (topic.shard() >= shardCount) {
                throw new IllegalArgumentException("topics.shard: no such shard: " + topic.shard() + " for "
                        + topic.name() + " (use 0 to " + (shardCount - 1) + ")");
            }
        }
    }

    private static void checkCpus(final List<Integer> cpus, final ThreadingMode threading) {
        if (!cpus.isEmpty() && threading == ThreadingMode.INVOKER) {
            throw new IllegalArgumentException(
                    "cpus: threading INVOKER has no threads to pin (leave cpus out, or use SHARED or DEDICATED)");
        }
        final Set<Integer> named = new HashSet<>();
        for (final Integer cpu : cpus) {
            Limits.check("cpus", cpu, 0, CPU_MAX);
            if (!named.add(cpu)) {
                throw new IllegalArgumentException("cpus: named twice: " + cpu + " (name each once)");
            }
        }
    }

    /**
     * Changes the endpoints.
     *
     * @param value to accept clients on.
     * @return the same with these.
     */
    public BrokerConfig listen(final List<URI> value) {
        final Builder builder = toBuilder();
        builder.listen.clear();
        builder.listen.addAll(value);
        return builder.build();
    }

    /**
     * Starts a configuration with what this one has.
     *
     * @return a builder of its own.
     */
    public Builder toBuilder() {
        final Builder builder = new Builder()
                .threading(threading)
                .idle(idle)
                .cpus(cpus)
                .ioAgentCount(ioAgentCount)
                .shardCount(shardCount)
                .inboxLength(inboxLength)
                .window(window)
                .journal(journal)
                .state(state)
                .sinks(sinks)
                .formatDefault(formatDefault)
                .sessions(sessions)
                .quotas(quotas)
                .security(security)
                .permissions(permissions)
                .tls(tls)
                .audit(audit)
                .nanoClock(nanoClock)
                .epochClock(epochClock)
                .agentWrapper(agentWrapper)
                .storage(storage)
                .events(events);
        builder.listen.addAll(listen);
        builder.topics.addAll(topics);
        builder.views.addAll(views);
        return builder;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A configuration for a program that embeds the broker: one {@code inproc:} endpoint, nothing else. */
    public static BrokerConfig embedded(final String name) {
        return builder().listen("inproc:" + name).build();
    }

    /** Collects a configuration; whatever is not given has its default. Not thread-safe. */
    public static final class Builder {
        private final List<URI> listen = new ArrayList<>();
        private final List<TopicConfig> topics = new ArrayList<>();
        private final List<ViewConfig> views = new ArrayList<>();
        private ThreadingMode threading = Runtime.getRuntime().availableProcessors() < DEDICATED_CORES_MIN
                ? ThreadingMode.SHARED
                : ThreadingMode.DEDICATED;
        private IdleMode idle = IdleMode.BLOCKING;
        private List<Integer> cpus = List.of();
        private int ioAgentCount = 1;
        private int shardCount = 1;
        private int inboxLength = INBOX_LENGTH_DEFAULT;
        private WindowConfig window = WindowConfig.defaults();
        private JournalConfig journal = JournalConfig.none();
        private StateConfig state = StateConfig.defaults();
        private SinksConfig sinks = SinksConfig.none();
        private String formatDefault = FORMAT_DEFAULT;
        private SessionConfig sessions = SessionConfig.defaults();
        private QuotaConfig quotas = QuotaConfig.defaults();
        private SecurityConfig security = SecurityConfig.defaults();
        private PermissionsConfig permissions = PermissionsConfig.defaults();
        private TlsConfig tls = TlsConfig.defaults();
        private AuditConfig audit = AuditConfig.none();
        private NanoClock nanoClock = SystemNanoClock.INSTANCE;
        private EpochNanoClock epochClock = SystemEpochNanoClock.INSTANCE;
        private UnaryOperator<Agent> agentWrapper = agent -> agent;
        private StorageProvider storage = StorageProvider.DISK;
        private EventHandler events = LoggedEvents.INSTANCE;

        private Builder() {}

        /** Adds an endpoint. Without any, {@link #LISTEN_DEFAULT} is used. */
        public Builder listen(final String endpoint) {
            listen.add(URI.create(endpoint));
            return this;
        }

        public Builder threading(final ThreadingMode value) {
            threading = value;
            return this;
        }

        public Builder idle(final IdleMode value) {
            idle = value;
            return this;
        }

        public Builder cpus(final List<Integer> value) {
            cpus = value;
            return this;
        }

        public Builder ioAgentCount(final int value) {
            ioAgentCount = value;
            return this;
        }

        public Builder shardCount(final int value) {
            shardCount = value;
            return this;
        }

        public Builder inboxLength(final int value) {
            inboxLength = value;
            return this;
        }

        public Builder window(final WindowConfig value) {
            window = value;
            return this;
        }

        public Builder journal(final JournalConfig value) {
            journal = value;
            return this;
        }

        public Builder storage(final StorageProvider value) {
            storage = value;
            return this;
        }

        public Builder events(final EventHandler value) {
            events = value;
            return this;
        }

        public Builder state(final StateConfig value) {
            state = value;
            return this;
        }

        /** Adds a declared topic or a rule. */
        public Builder topic(final TopicConfig value) {
            topics.add(value);
            return this;
        }

        /** Takes these in place of all topics and rules so far. */
        Builder topics(final List<TopicConfig> values) {
            topics.clear();
            topics.addAll(values);
            return this;
        }

        /** Adds a view; its source comes before. */
        public Builder view(final ViewConfig value) {
            views.add(value);
            return this;
        }

        public Builder sinks(final SinksConfig value) {
            sinks = value;
            return this;
        }

        public Builder formatDefault(final String value) {
            formatDefault = value;
            return this;
        }

        public Builder sessions(final SessionConfig value) {
            sessions = value;
            return this;
        }

        public Builder quotas(final QuotaConfig value) {
            quotas = value;
            return this;
        }

        public Builder security(final SecurityConfig value) {
            security = value;
            return this;
        }

        public Builder permissions(final PermissionsConfig value) {
            permissions = value;
            return this;
        }

        public Builder tls(final TlsConfig value) {
            tls = value;
            return this;
        }

        public Builder audit(final AuditConfig value) {
            audit = value;
            return this;
        }

        public Builder nanoClock(final NanoClock value) {
            nanoClock = value;
            return this;
        }

        public Builder epochClock(final EpochNanoClock value) {
            epochClock = value;
            return this;
        }

        public Builder agentWrapper(final UnaryOperator<Agent> value) {
            agentWrapper = value;
            return this;
        }

        /**
         * Makes the configuration.
         *
         * @return the configuration, checked.
         * @throws IllegalArgumentException naming the first key whose value is wrong, why, and what to use.
         */
        public BrokerConfig build() {
            return new BrokerConfig(
                    listen.isEmpty() ? List.of(URI.create(LISTEN_DEFAULT)) : listen,
                    threading,
                    idle,
                    cpus,
                    ioAgentCount,
                    shardCount,
                    inboxLength,
                    window,
                    journal,
                    state,
                    topics,
                    views,
                    sinks,
                    formatDefault,
                    sessions,
                    quotas,
                    security,
                    permissions,
                    tls,
                    audit,
                    nanoClock,
                    epochClock,
                    agentWrapper,
                    storage,
                    events);
        }
    }
}
