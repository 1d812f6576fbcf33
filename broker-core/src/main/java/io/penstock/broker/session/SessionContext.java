package io.penstock.broker.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.Action;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.command.CloseQuery;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.feed.CursorPort;
import io.penstock.broker.staging.StagingSlot;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicIndex;
import io.penstock.broker.topic.TopicRules;
import io.penstock.format.FieldSelection;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageValidator;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** What all sessions of one I/O agent share. Confined to that agent. */
final class SessionContext {
    /** How much of the time that a sender has to go on in is held against it when the agent has not read for longer. */
    private static final int PAUSE_SHARE = 4;

    private static final int KEY_READER_COUNT_MAX = 1024;

    final SessionSettings settings;
    final ShardPort[] ports;
    final CursorPort cursors;
    final AccessGate gate;
    final TopicRules rules;
    final SessionCounters counters;
    final EventLog events;
    final Answers answers = new Answers();
    final Staging staging;
    final RefusalQueue.Texts refusalTexts = new RefusalQueue.Texts();
    final TopicIndex topics = new TopicIndex();
    final QueryPort queries;
    final ReadyBits ready;
    final NanoClock clock;
    int queryCount;

    final TopicCreator topicCreator = new TopicCreator(this);

    /** Which session is which publisher. */
    final PublisherSessions publishers;

    /** Positions of each shard's log before which this agent reads nothing any more. */
    final long[] releasedPositions;

    /** Refuses new work while the broker is shutting down. */
    boolean draining;

    /** Cached once a duty cycle. */
    long nowNs;

    /**
     * The time in which this agent could read what its clients send. Of a pause, in which that waits for the agent, only a
     * part counts.
     */
    long readableNs;

    /** The shortest of all the times that sessions wait for something; it only ever falls. */
    private long shortestTimeoutNs;

    private final Map<MessageFormat, MessageValidator> validators = new HashMap<>();
    /** By what keys are made of, so that topics of one kind share one. */
    private final Map<KeyKind, KeyReader> keyReaders = new HashMap<>();

    private final ArrayDeque<ShardCommand>[] waitingCommands;
    private final ArrayDeque<StagedSubmission> staged = new ArrayDeque<>();
    private final ArrayDeque<BooleanSupplier> waitingCursorCommands = new ArrayDeque<>();
    private long nextFeed;

    @SuppressWarnings({"unchecked", "rawtypes"})
    SessionContext(
            final SessionSettings settings,
            final ShardPort[] ports,
            final CursorPort cursors,
            final QueryPort queries,
            final ReadyBits ready,
            final NanoClock clock,
            final AccessGate gate,
            final TopicRules rules,
            final SessionCounters counters,
            final EventLog events) {
        this.settings = settings;
        this.ports = ports.clone();
        publishers = new PublisherSessions(this.ports);
        this.cursors = cursors;
        this.queries = queries;
        this.ready = ready;
        this.clock = clock;
        this.gate = gate;
        this.rules = rules;
        this.counters = counters;
        this.events = events;
        staging = new Staging(settings.stagingLengthMax(), settings.frameProgressNs(), this::onStalled);
        releasedPositions = new long[ports.length];
        waitingCommands = new ArrayDeque[ports.length];
        for (int i = 0; i < ports.length; i++) {
            waitingCommands[i] = new ArrayDeque<>();
        }
        shortestTimeoutNs = Math.min(settings.logonTimeoutNs(), settings.heartbeatIntervalNs());
        // Feeds are unique over all I/O agents: the agent's index is in the high bits.
        nextFeed = ((long) settings.ioAgent() << 48) + 1;
    }

    /** A duty cycle begins. */
    void onTime(final long timeNs) {
        readableNs += Math.min(timeNs - nowNs, settings.frameProgressNs() / PAUSE_SHARE);
        nowNs = timeNs;
    }

    long nextFeed() {
        return nextFeed++;
    }

    /** A session's timer is as short as this. */
    void onTimeout(final long timeoutNs) {
        shortestTimeoutNs = Math.min(shortestTimeoutNs, timeoutNs);
    }

    long shortestTimeoutNs() {
        return shortestTimeoutNs;
    }

    /** Hands a command to a shard, now or as soon as there is room. Bounded by the sessions, which wait for theirs. */
    void submit(final int shard, final ShardCommand command) {
        if (!waitingCommands[shard].isEmpty() || !ports[shard].offer(command)) {
            waitingCommands[shard].add(command);
        }
    }

    /** Hands over what waits, and takes back what is done. */
    int doWork() {
        return submitWaiting() + releaseStaged() + publishers.readDuplicates();
    }

    private int submitWaiting() {
        int count = 0;
        for (int i = 0; i < ports.length; i++) {
            ShardCommand command;
            while ((command = waitingCommands[i].peek()) != null && ports[i].offer(command)) {
                waitingCommands[i].remove();
                count++;
            }
        }
        BooleanSupplier command;
        while ((command = waitingCursorCommands.peek()) != null && command.getAsBoolean()) {
            waitingCursorCommands.remove();
            count++;
        }
        return count;
    }

    /** Tells those who serve cursors something, now or as soon as there is room; in the order of calls. */
    void onCursors(final BooleanSupplier command) {
        if (!waitingCursorCommands.isEmpty() || !command.getAsBoolean()) {
            waitingCursorCommands.add(command);
        }
    }

    /** Ends the cursor that serves a feed. */
    void stopCursor(final SubscriptionFeed feed) {
        final long number = feed.interest.feed();
        final boolean inFiles = feed.isReadFromFiles();
        onCursors(() -> cursors.stop(number, inFiles));
    }

    /** A slot was handed to a sequencer: it comes back when the message in it was processed. */
    void onStaged(final StagingSlot slot, final ShardPort port) {
        staged.add(new StagedSubmission(slot, port, port.submitted()));
    }

    /** Takes slots back whose messages were processed. */
    private int releaseStaged() {
        int count = 0;
        StagedSubmission next;
        while ((next = staged.peek()) != null && next.port.processed() >= next.submission) {
            staging.release(next.slot);
            staged.remove();
            count++;
        }
        counters.stagingLength.setRelease(staging.length());
        return count;
    }

    /** What a session may do with a topic; decided at first use. */
    TopicAccess access(final Session session, final Topic topic) {
        final TopicAccess known = session.access(topic.shard(), topic.id());
        if (known != null) {
            return known;
        }
        final TopicAccess access = new TopicAccess(
                topic,
                ports[topic.shard()].topics(),
                validators.computeIfAbsent(topic.format(), MessageFormat::newValidator),
                keyReader(topic),
                gate.allows(session.principal, Action.PUBLISH, topic.name()),
                gate.allows(session.principal, Action.SUBSCRIBE, topic.name()),
                topic.state() != null && gate.allows(session.principal, Action.DELETE, topic.name()),
                ports[topic.shard()].isJournaled());
        session.access(access);
        return access;
    }

    /** Whether a session may subscribe to a topic, of which it may not have heard before. */
    boolean maySubscribe(final Session session, final Topic topic) {
        final TopicAccess known = session.access(topic.shard(), topic.id());
        return known == null ? gate.allows(session.principal, Action.SUBSCRIBE, topic.name()) : known.maySubscribe;
    }

    /** Whether a topic was not deleted. */
    boolean isThere(final Topic topic) {
        return ports[topic.shard()].topics().find(topic.id()) != null;
    }

    private @Nullable KeyReader keyReader(final Topic topic) {
        final StateRule rule = topic.state();
        if (rule == null || rule.isPublisherKey()) {
            return null;
        }
        final KeyKind kind = new KeyKind(topic.format(), rule.keyText());
        if (keyReaders.size() >= KEY_READER_COUNT_MAX && !keyReaders.containsKey(kind)) {
            // Who has one keeps it; it is made anew for those who come.
            keyReaders.clear();
        }
        return keyReaders.computeIfAbsent(kind, made -> topic.newKeyReader());
    }

    /** What a key is made of. */
    private record KeyKind(MessageFormat format, String key) {}

    /** Tells a client of a topic, before the first delivery of it. */
    TopicAccess announce(final Session to, final Topic topic) {
        final TopicAccess access = access(to, topic);
        if (!access.announced) {
            access.announced = true;
            if (access.maySubscribe) {
                answers.topicEntry(to.outbox, 0, 0, topic);
            }
        }
        return access;
    }

    /** Fields of a topic's records, and those that are its key. */
    FieldSelection withKey(final String topicName, final FieldSelection selection) {
        final Topic topic = findTopic(topicName);
        final StateRule rule = topic == null ? null : topic.state();
        return rule == null ? selection : selection.union(rule.keyFields());
    }

    /** Tells shards that a query does not look at them any more. */
    void closeSources(final List<QuerySource> sources) {
        for (final QuerySource source : sources) {
            submit(source.topic().shard(), new CloseQuery(settings.ioAgent(), 0, List.of(source)));
        }
    }

    /** Refuses a command. The session goes on. */
    void refuse(
            final Session session,
            final long commandId,
            final long subscriptionId,
            final long publisherSequence,
            final ErrorCode code,
            final String text) {
        counters.commandsRefused.incrementPlain();
        answers.error(session.outbox, commandId, subscriptionId, publisherSequence, code, false, text);
    }

    /** Tells a client why its connection is about to be closed by the broker. */
    void fail(final Session session, final long commandId, final ErrorCode code, final String text) {
        if (session.isOpen()) {
            counters.fatalErrors.incrementPlain();
            if (code == ErrorCode.AUTHENTICATION_FAILED) {
                report(EventKind.LOGON_REFUSED, session, text);
            } else if (code != ErrorCode.SHUTTING_DOWN) {
                report(EventKind.SESSION_CLOSED, session, code + ": " + text);
            }
            answers.error(session.outbox, commandId, 0, 0, code, true, text);
            session.state = Session.State.CLOSING;
            session.closingNs = nowNs;
            session.entries = null;
        }
    }

    /** Another session needs the room that this one's frame has. */
    private void onStalled(final Session session) {
        final FrameAssembler frame = session.assembler;
        counters.stalledFrames.incrementPlain();
        fail(
                session,
                0,
                ErrorCode.TIMED_OUT,
                "frame: stalled while others need its room: " + frame.length() + " of " + frame.frameLength()
                        + " bytes, and less than " + FrameAssembler.PROGRESS_LENGTH + " in the last "
                        + TimeUnit.NANOSECONDS.toMillis(settings.frameProgressNs())
                        + " ms (send a message without pauses, or raise sessions.frameProgressMs)");
        ready.mark(session.slot);
    }

    /** Says something about a client to those who run the broker. */
    void report(final EventKind kind, final Session session, final String reason) {
        events.report(
                kind,
                "peer",
                session.connection.peer(),
                "user",
                session.user,
                "client",
                session.name,
                "reason",
                reason);
    }

    private record StagedSubmission(StagingSlot slot, ShardPort port, long submission) {}

    /** Has a topic found by the bytes of its name from now on, if there is one. */
    void learn(final String name) {
        final UnsafeBuffer bytes = new UnsafeBuffer(name.getBytes(UTF_8));
        final Topic known = topics.find(bytes, 0, bytes.capacity());
        final Topic topic = known == null || !isThere(known) ? findTopic(name) : null;
        if (topic != null) {
            topics.add(topic, this::isThere);
        }
    }

    /** Finds a topic in the shard's table by name, slowly, or null. */
    @Nullable
    Topic findTopic(final String name) {
        return ports[rules.shard(name)].topics().find(name);
    }
}
