package io.penstock.broker.session.client;

import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.IdentityUse;
import io.penstock.broker.security.IdentityUse.Lease;
import io.penstock.broker.session.feed.ClientSubscription;
import io.penstock.broker.session.send.Answers;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.protocol.ErrorCode;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/** State that all sessions of one I/O agent share. Confined to that agent. */
public final class SessionContext {
    private final SessionSettings settings;
    private final ShardLinks shards;
    private final QueryPort queries;
    private final AccessGate gate;
    private final KnownTopics topics;
    private final SessionCounters counters;
    private final EventLog events;
    private final Answers answers = new Answers();
    private final Staging staging;
    private final PublisherSessions publishers;
    private final ReadyBits ready;
    private final AgentTime time;
    private int queryCount;
    private boolean isDraining;
    private long nextFeed;

    /**
     * Makes the context of an agent without sessions.
     *
     * @param settings  bounds and names.
     * @param ports     to other agents.
     * @param admission what every command has to pass.
     * @param reports   of what happens.
     * @param ready     marked by agents that have something for a session.
     * @param clock     for deadlines of queries.
     */
    public SessionContext(
            final SessionSettings settings,
            final AgentPorts ports,
            final Admission admission,
            final Reports reports,
            final ReadyBits ready,
            final NanoClock clock) {
        this.settings = settings;
        shards = new ShardLinks(settings.ioAgent(), ports.shards(), ports.cursors());
        queries = ports.queries();
        gate = admission.gate();
        topics = new KnownTopics(shards, admission);
        counters = reports.counters();
        events = reports.events();
        this.ready = ready;
        time = new AgentTime(clock, settings.timeouts(), reports.latencies());
        publishers = new PublisherSessions(shards.ports());
        staging = new Staging(
                settings.limits().stagingLengthMax(), settings.timeouts().frameProgressNs(), this::onStalled);
        // Feeds are unique over all I/O agents: the agent's index is in the high bits.
        nextFeed = ((long) settings.ioAgent() << 48) + 1;
    }

    /** Bounds and names. */
    public SessionSettings settings() {
        return settings;
    }

    /** The ways to shards and cursors. */
    public ShardLinks shards() {
        return shards;
    }

    /** The way to query agents. */
    public QueryPort queries() {
        return queries;
    }

    /** The gate that every command has to pass. */
    public AccessGate gate() {
        return gate;
    }

    /** Topics, and what clients may do with them. */
    public KnownTopics topics() {
        return topics;
    }

    /** Counters of this agent. */
    public SessionCounters counters() {
        return counters;
    }

    /** Events for the operator. */
    public EventLog events() {
        return events;
    }

    /** Writes answers, one at a time. */
    public Answers answers() {
        return answers;
    }

    /** Room for long frames. */
    public Staging staging() {
        return staging;
    }

    /** Which session is which publisher. */
    public PublisherSessions publishers() {
        return publishers;
    }

    /** Marked by agents that have something for a session. */
    public ReadyBits ready() {
        return ready;
    }

    /** The time of this duty cycle, and what was measured by it. */
    public AgentTime time() {
        return time;
    }

    /** When this duty cycle began. */
    public long nowNs() {
        return time.nowNs();
    }

    /** Queries of all sessions that have begun and not ended. */
    public int queryCount() {
        return queryCount;
    }

    /** Another one has begun. */
    public void onQueryBegun(final IdentityUse use) {
        queryCount++;
        use.onQueryBegun();
    }

    /** One has ended. */
    public void onQueryEnded(final IdentityUse use) {
        queryCount--;
        use.onQueryEnded();
    }

    /**
     * A client is about to subscribe.
     *
     * @param replaced the subscription that ends for it, or null.
     * @throws Refusal when its identity has as many as it may have.
     */
    public void takeSubscription(
            final Session session, final ClientSubscription subscription, final @Nullable ClientSubscription replaced) {
        final IdentityUse use = session.profile().use();
        final TopicPattern topics = subscription.topics();
        final int length = subscription.asked().length()
                + (topics.isLiteral() ? 0 : topics.text().length());
        final Lease lease = use.takeSubscription(length, replaced == null ? Lease.none() : replaced.lease());
        if (lease == null) {
            counters.quotasReached().incrementPlain();
            throw new Refusal(ErrorCode.LIMIT_REACHED, use.subscriptionRefusal(length));
        }
        subscription.lease(lease);
    }

    /** Whether a client is not read now because its identity has published faster than it may. */
    public boolean isOverRate(final Session session) {
        if (isDraining || !session.profile().use().isOverRate(nowNs())) {
            return false;
        }
        counters.readsOverRate().incrementPlain();
        return true;
    }

    /** Refuses new work from now on. */
    public void drain() {
        isDraining = true;
    }

    /** Whether new work is refused, because the broker is shutting down. */
    public boolean isDraining() {
        return isDraining;
    }

    /** A number for another feed, never used before. */
    public long nextFeed() {
        return nextFeed++;
    }

    /** A duty cycle begins. */
    public void onTime(final long timeNs) {
        time.onTime(timeNs);
    }

    /** Hands over what waits, and takes back what is done. Returns the work done. */
    public int doWork() {
        final int workCount = shards.submitWaiting() + staging.releaseSubmitted();
        counters.stagingLength().setRelease(staging.length());
        return workCount + publishers.readDuplicates();
    }

    /** Announces a topic to a client, before the first delivery of it. */
    public TopicAccess announce(final Session to, final Topic topic) {
        final TopicAccess access = topics.access(to, topic);
        if (!access.isAnnounced() && access.isVisible()) {
            access.onAnnounced();
            answers.topicEntry(to.outbox(), 0, 0, topic);
        }
        return access;
    }

    /** Refuses a command. The session goes on. */
    public void refuse(
            final Session session,
            final long commandId,
            final long subscriptionId,
            final long publisherSequence,
            final ErrorCode code,
            final String text) {
        counters.commandsRefused().incrementPlain();
        if (code == ErrorCode.NOT_AUTHORIZED || code == ErrorCode.NOT_ENTITLED) {
            SessionAudit.refused(gate.audit(), session, text);
        }
        answers.error(session.outbox(), commandId, subscriptionId, publisherSequence, code, false, text);
    }

    /** Sends a client the reason for which the broker is about to close its connection. */
    public void fail(final Session session, final long commandId, final ErrorCode code, final String text) {
        if (session.isOpen()) {
            if (code == ErrorCode.AUTHENTICATION_FAILED) {
                SessionAudit.logonRefused(gate.audit(), session, text);
                report(EventKind.LOGON_REFUSED, session, text);
            } else if (code != ErrorCode.SHUTTING_DOWN) {
                report(EventKind.SESSION_CLOSED, session, code + ": " + text);
            }
            end(session, commandId, code, text);
        }
    }

    private void end(final Session session, final long commandId, final ErrorCode code, final String text) {
        counters.fatalErrors().incrementPlain();
        answers.error(session.outbox(), commandId, 0, 0, code, true, text);
        session.state(Session.State.CLOSING);
        session.times().closingNs(nowNs());
        session.commands().entries(null);
        session.profile().logon(null);
    }

    /**
     * Sends a client that it may not log on. The operator learns why, the client does not: who guesses learns nothing.
     */
    public void refuseLogon(final Session session, final long commandId, final String text, final String reason) {
        if (session.isOpen()) {
            SessionAudit.logonRefused(gate.audit(), session, text + ": " + reason);
            report(EventKind.LOGON_REFUSED, session, text + ": " + reason);
            end(session, commandId, ErrorCode.AUTHENTICATION_FAILED, text);
        }
    }

    /** Another session needs the room that this one's frame has. */
    private void onStalled(final Session session) {
        final FrameAssembler frame = session.assembler();
        counters.stalledFrames().incrementPlain();
        fail(
                session,
                0,
                ErrorCode.TIMED_OUT,
                "frame: stalled while others need its room: " + frame.length() + " of " + frame.frameLength()
                        + " bytes, and less than " + FrameAssembler.PROGRESS_LENGTH + " in the last "
                        + TimeUnit.NANOSECONDS.toMillis(settings.timeouts().frameProgressNs())
                        + " ms (send a message without pauses, or raise sessions.frameProgressMs)");
        ready.mark(session.slot());
    }

    /** Reports something about a client to the operator. */
    public void report(final EventKind kind, final Session session, final String reason) {
        events.report(
                kind,
                "peer",
                session.connection().peer(),
                "user",
                // Of a client that is refused, what it said that it is.
                kind == EventKind.LOGON_REFUSED
                        ? session.profile().claimedUser()
                        : session.profile().user(),
                "client",
                session.profile().name(),
                "reason",
                reason);
    }
}
