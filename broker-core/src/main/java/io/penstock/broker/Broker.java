package io.penstock.broker;

import io.penstock.broker.agent.Engine;
import io.penstock.broker.agent.ThreadPlacement;
import io.penstock.broker.concurrent.LatencyHistogram;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.journal.JournalStatus;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.monitor.Monitor;
import io.penstock.broker.monitor.ShardInfo;
import io.penstock.broker.monitor.UserInfo;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.broker.shard.replica.OrderedLogs;
import io.penstock.transport.RequiredFlags;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsReload;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/**
 * A message broker: topics, filters and subscribers over pluggable transports. Embedded in a program or run by the
 * runnable jar. Safe on any thread, but for {@link #invoke()}.
 *
 * <pre>{@code
 * try (Broker broker = Broker.launch(BrokerConfig.embedded("main"));
 *         PenstockClient client = PenstockClient.connect("inproc:main")) {
 *     ...
 * }
 * }</pre>
 */
public final class Broker implements AutoCloseable {
    static final String NAME = "penstock";

    private static final long DRAIN_POLL_NS = 1_000_000;

    private final BrokerConfig config;
    private final BrokerParts parts;
    private final Engine engine;
    private final Monitor monitor;
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private Broker(final BrokerConfig config, final BrokerParts parts) {
        this.config = config;
        this.parts = parts;
        engine = parts.engine();
        monitor = engine.monitor(parts.events().log(), parts.events().audit());
    }

    /**
     * Starts a broker.
     *
     * @param config of the broker.
     * @return the broker, which serves clients already.
     * @throws IllegalArgumentException when the configuration is wrong: the key, the value and what to use.
     * @throws UncheckedIOException     when an endpoint cannot be listened on.
     */
    public static Broker launch(final BrokerConfig config) {
        return launch(config, RecoveryListener.NONE);
    }

    /**
     * Starts a broker, and reports what it finds in its files meanwhile. The error log has damage as well.
     *
     * @param config   of the broker.
     * @param listener called before this returns.
     * @return the broker, which serves clients already.
     * @throws IllegalArgumentException when the configuration is wrong: the key, the value and what to use.
     * @throws UncheckedIOException     when an endpoint cannot be listened on, or the journal's files are damaged.
     */
    public static Broker launch(final BrokerConfig config, final RecoveryListener listener) {
        return launch(config, listener, OrderedLogs.ALONE);
    }

    /**
     * Starts a broker that may be one of several nodes.
     *
     * @param config      of the broker.
     * @param listener    called before this returns.
     * @param orderedLogs decides the order of what the broker's shards apply, with other nodes.
     * @return the broker, which serves clients already.
     * @throws IllegalArgumentException when the configuration is wrong: the key, the value and what to use.
     * @throws UncheckedIOException     when an endpoint cannot be listened on, or the journal's files are damaged.
     */
    public static Broker launch(
            final BrokerConfig config, final RecoveryListener listener, final OrderedLogs orderedLogs) {
        RequiredFlags.check();
        return new Broker(config, BrokerStart.start(config, listener, orderedLogs));
    }

    /**
     * The configuration that the broker runs with.
     *
     * @return what it was started with, and what it has taken since by {@link #reload}.
     */
    public BrokerConfig config() {
        return parts.reload().running();
    }

    /**
     * Gives the running broker another configuration. What can change while it runs does: rules for topics that are
     * created from now on, quotas, who may administer it without a proof. Files that parts of the broker read are read
     * again. All else is left as it is. Any thread; one at a time, others wait meanwhile. Never called by a handler of
     * events.
     *
     * @param next configuration, whole: what it leaves out has its default.
     * @return what was applied, what needs a restart, and what was refused; nothing is applied of a configuration that no
     *     broker could be started with. The same is reported as events.
     */
    public ReloadReport reload(final BrokerConfig next) {
        return reload(next, List.of());
    }

    /**
     * The same for a configuration of which parts could not be read. These stay as they are, and the others are taken.
     *
     * @param next    configuration, whole but for these parts.
     * @param refused parts, by the names that reports have for them, such as {@code permissions}.
     * @return what has become of it, these refusals among it.
     */
    public ReloadReport reload(final BrokerConfig next, final List<ReloadReport.Refusal> refused) {
        return parts.reload().reload(next, refused);
    }

    /**
     * Has something else take part in each {@link #reload} from now on, after the broker's own parts. Any thread.
     *
     * @param name       for reports.
     * @param reloadable called by each reload.
     */
    public void onReload(final String name, final Reloadable reloadable) {
        parts.reload().add(name, reloadable);
    }

    /**
     * Where the broker listens, with real ports.
     *
     * @return endpoints in the order of the configuration.
     */
    public List<URI> endpoints() {
        return parts.endpoints();
    }

    /**
     * Where the broker's threads run.
     *
     * @return a placement for each thread when {@code cpus} are configured; else empty.
     */
    public List<ThreadPlacement> placements() {
        return parts.placements();
    }

    /**
     * The broker's audit, for programs that let people do what concerns its security past its own transports.
     *
     * @return where to record that, on any thread; keeps nothing when no audit is configured.
     */
    public AuditTrail audit() {
        return parts.events().audit();
    }

    /**
     * The broker's events, for parts of the same process that have something to report to its operator.
     *
     * @return where to report it, on any thread.
     */
    public EventLog events() {
        return parts.events().log();
    }

    /**
     * Runs one duty cycle of all agents on the calling thread, always the same. In {@link ThreadingMode#INVOKER} only.
     *
     * @return work done; 0 when there was none.
     */
    public int invoke() {
        final int workCount = engine.invoke();
        parts.events().write();
        return workCount;
    }

    /**
     * Asks for a snapshot of the state of each journaled shard, which is written while the broker goes on. The counters
     * {@code snapshots} and {@code snapshotsFailed} of the shards show when it is done.
     */
    public void snapshot() {
        engine.requestSnapshots();
    }

    /**
     * Has other permissions hold from now on, for all that clients ask for, and for what they have begun. Each I/O agent
     * ends the sessions, subscriptions and queries of its clients that would be others by these permissions, before it
     * sends anything more. Those of other clients go on. May be called from any thread, and does not wait.
     *
     * @param authorizer for example {@link io.penstock.broker.security.Permissions}.
     */
    public void permissions(final Authorizer authorizer) {
        gate().authorizer(authorizer);
        engine.wakeIoAgents();
    }

    /**
     * Whether the last permissions hold for all that clients have begun, so that nothing is sent any more which they do
     * not allow.
     *
     * @return false for a moment after a change.
     */
    public boolean arePermissionsApplied() {
        return gate().isApplied(config.ioAgentCount());
    }

    /**
     * Reads the file of users again, and ends the sessions of users that were removed, disabled or changed in any way
     * since, with {@code SESSION_REVOKED}. Any thread. It may have to be called again when it fails.
     *
     * @return false when the broker has no file of users.
     * @throws IllegalArgumentException when the file is wrong, with the line; users and sessions stay as they were.
     * @throws UncheckedIOException     when it cannot be read; the same.
     * @throws IllegalStateException    when the broker's threads are too busy to end sessions now; the users are new.
     */
    public boolean reloadUsers() {
        return parts.security().reloadUsers(engine) != null;
    }

    /**
     * The users of the broker's file, as they were read last.
     *
     * @return by name; empty when the broker has no file of users. Any thread.
     */
    public List<UserInfo> users() {
        return parts.security().userInfos();
    }

    /**
     * Reads the files of certificates again. Connections stay as they are; new ones use what is in the files, unless
     * something is wrong with it. Any thread.
     *
     * @return what has changed, or why it was refused; an event says the same.
     */
    public TlsReload reloadCertificates() {
        return parts.reloadCertificates();
    }

    /**
     * The broker's certificates, for front ends of the same process. {@link #reloadCertificates()} has them read again.
     *
     * @return for any thread; null when no certificate is configured.
     */
    public @Nullable TlsContexts tls() {
        return parts.tls();
    }

    /**
     * The broker's counters.
     *
     * @return a reader for any thread.
     */
    public CountersReader counters() {
        return parts.counters().reader();
    }

    /**
     * How long messages, queries and the broker's threads take, as counted so far.
     *
     * @return histograms by owner and name, for any thread.
     */
    public List<LatencyHistogram.Snapshot> histograms() {
        return parts.counters().histograms();
    }

    /**
     * What the broker can be asked and told by those who watch it.
     *
     * @return for any thread.
     */
    public Monitor monitor() {
        return monitor;
    }

    /**
     * The gate that every command passes, for front ends of the same process that have callers of their own.
     *
     * @return for any thread.
     */
    public AccessGate gate() {
        return parts.security().gate();
    }

    /**
     * Why the broker does not take what clients send.
     *
     * @return reasons for people; empty when it does. Any thread.
     */
    public List<String> notReady() {
        final List<String> reasons = new ArrayList<>();
        if (closed.get()) {
            reasons.add("broker: is stopped");
        } else if (draining.get()) {
            reasons.add("broker: is shutting down");
        }
        for (final ShardInfo shard : monitor.shards()) {
            if (shard.journalStatus() != JournalStatus.OPEN) {
                reasons.add("shard " + shard.shard() + ": the journal's disk "
                        + (shard.journalStatus() == JournalStatus.FULL ? "is full" : "has failed"));
            }
        }
        return reasons;
    }

    /**
     * Adds up the counters of a name over agents and shards.
     *
     * @param name of the counters, for example {@code messages}.
     * @return the sum.
     */
    public long counter(final String name) {
        return parts.counters().sum(name);
    }

    /**
     * Writes the distinct error log.
     *
     * @param out to write to.
     * @return count of distinct errors.
     */
    public int printErrors(final PrintStream out) {
        return parts.errorLog().print(out);
    }

    /**
     * Refuses new messages and subscriptions from now on, and waits until accepted messages have been delivered to
     * subscriptions that are live, or that lag and become live again. Subscriptions that wait for stable storage, have
     * a rate or are paused go on after their bookmarks another time.
     *
     * @param timeout longest wait.
     * @return true when everything was delivered; false when clients did not take it in time.
     */
    public boolean drain(final Duration timeout) {
        final long deadlineNs = config.nanoClock().nanoTime() + timeout.toNanos();
        draining.set(true);
        parts.events().onDraining(timeout);
        engine.drain();
        final boolean isDrained = awaitDrained(deadlineNs);
        parts.events().onDrained(isDrained);
        return isDrained;
    }

    private boolean awaitDrained(final long deadlineNs) {
        while (!engine.isDrained()) {
            if (config.threading() == ThreadingMode.INVOKER) {
                invoke();
            } else {
                LockSupport.parkNanos(this, DRAIN_POLL_NS);
            }
            if (config.nanoClock().nanoTime() - deadlineNs > 0) {
                return engine.isDrained();
            }
        }
        return true;
    }

    /** Closes every connection and stops all threads. What was not delivered is lost to its subscribers. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            parts.close(counter("messages"), counter("messagesDelivered"));
        }
    }
}
