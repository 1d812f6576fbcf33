package io.penstock.broker.session.client;

import io.penstock.broker.security.Identity;
import io.penstock.broker.session.feed.SessionSubscriptions;
import io.penstock.broker.session.send.Outbox;
import io.penstock.transport.Connection;
import org.jspecify.annotations.Nullable;

/**
 * One client: its connection and all that the broker knows of it. Confined to the I/O agent of the connection; opaque
 * to others.
 */
public final class Session {
    /** How far a client has come. */
    public enum State {
        /** Connected; the only command it may give is to log on. */
        CONNECTED,
        /** It has given its name; shards are asked for what they know of it. */
        LOGGING_ON,
        /** It has logged on. */
        ACTIVE,
        /** A fatal error is on its way; nothing is read any more. */
        CLOSING,
        /** The rest of a half-sent message is lost; nothing can be sent or read any more. */
        CUT_OFF,
        /** It has ended. */
        CLOSED
    }

    private final long id;
    private final int slot;
    private final Connection connection;
    private final Outbox outbox;
    private final FrameAssembler assembler = new FrameAssembler();
    private final ClientProfile profile = new ClientProfile();
    private final SessionTimes times;
    private final SessionCommands commands;
    private final SessionTopics topics = new SessionTopics();
    private final SessionPublishing publishing;
    private final SessionSubscriptions subscriptions = new SessionSubscriptions();
    private final SessionDelivery delivery;
    private final SessionQueries queries = new SessionQueries();
    private @Nullable SessionSinks sinks;
    private State state = State.CONNECTED;

    /**
     * A client has connected.
     *
     * @param id         of the session, never used again.
     * @param slot       of the I/O agent's table that it is in.
     * @param connection of the client.
     * @param shardCount of the broker.
     * @param settings   its bounds.
     * @param time       as its agent sees it.
     */
    public Session(
            final long id,
            final int slot,
            final Connection connection,
            final int shardCount,
            final SessionSettings settings,
            final AgentTime time) {
        this.id = id;
        this.slot = slot;
        this.connection = connection;
        outbox = new Outbox(connection);
        times = new SessionTimes(
                time.nowNs(), time.awakeNs(), settings.timeouts().heartbeatIntervalNs());
        commands = new SessionCommands(settings.limits().pendingAckCountMax());
        publishing = new SessionPublishing(shardCount);
        delivery = new SessionDelivery(shardCount);
    }

    /** Number of the session, never used again. */
    public long id() {
        return id;
    }

    /** Where it is in the table of its I/O agent. */
    public int slot() {
        return slot;
    }

    /** The connection of the client. */
    public Connection connection() {
        return connection;
    }

    /** Answers that the connection has not taken yet. */
    public Outbox outbox() {
        return outbox;
    }

    /** The long frame that is arriving. */
    public FrameAssembler assembler() {
        return assembler;
    }

    /** Who the client is. */
    public ClientProfile profile() {
        return profile;
    }

    /** The times of its last frames. */
    public SessionTimes times() {
        return times;
    }

    /** Its commands that are not answered yet. */
    public SessionCommands commands() {
        return commands;
    }

    /** Its permissions for topics. */
    public SessionTopics topics() {
        return topics;
    }

    /** Its publishing side. */
    public SessionPublishing publishing() {
        return publishing;
    }

    /** Its subscriptions. */
    public SessionSubscriptions subscriptions() {
        return subscriptions;
    }

    /** Deliveries on their way to it. */
    public SessionDelivery delivery() {
        return delivery;
    }

    /** Its queries. */
    public SessionQueries queries() {
        return queries;
    }

    /** The sinks that it delivers to; null before the first. */
    public @Nullable SessionSinks sinks() {
        return sinks;
    }

    /** The same, made at first use. */
    public SessionSinks openSinks() {
        SessionSinks open = sinks;
        if (open == null) {
            open = new SessionSinks();
            sinks = open;
        }
        return open;
    }

    /** It delivers to no sink any more. */
    public void forgetSinks() {
        sinks = null;
    }

    /** How far it has come. */
    public State state() {
        return state;
    }

    /** The same, from now on. */
    public void state(final State value) {
        state = value;
    }

    /** Who it counts as where things are shared out: the one for whom it acts, if it does. */
    public String identity() {
        return Identity.of(profile.principal(), peer(), isLocal());
    }

    /** Whether its owner is on this machine: the one for whom it acts, if it does. */
    public boolean isLocal() {
        return profile.origin().isOwn()
                ? connection.isLocal()
                : profile.origin().isLocal();
    }

    /** Where its owner is. */
    String peer() {
        return profile.origin().isOwn() ? connection.peer() : profile.origin().peer();
    }

    /** Whether it is neither closed nor about to be. */
    public boolean isOpen() {
        return state.compareTo(State.CLOSING) < 0;
    }

    /** Keeps what it may do with a topic. */
    void access(final TopicAccess access) {
        // The rest of a message that is half sent needs its topic.
        topics.add(access, delivery.partSent() == 0);
    }

    /** Is notified that a session ended and its connection is closed. */
    @FunctionalInterface
    public interface CloseListener {
        /**
         * A session has ended.
         *
         * @param connection of it, which is closed.
         */
        void onClosed(Connection connection);
    }

    @Override
    public String toString() {
        return "Session[id=" + id + ", name=" + profile.name() + ", peer=" + connection.peer() + ", state=" + state
                + "]";
    }
}
