package io.penstock.broker.session;

import io.penstock.broker.format.MessageFormat;
import io.penstock.broker.format.MessageValidator;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.Action;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicIndex;
import io.penstock.broker.topic.TopicRules;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.LongArrayList;
import org.jspecify.annotations.Nullable;

/** What all sessions of one I/O agent share. Confined to that agent. */
final class SessionContext {
    final SessionSettings settings;
    final ShardPort[] ports;
    final CursorPort cursors;
    final AccessGate gate;
    final TopicRules rules;
    final SessionCounters counters;
    final Answers answers = new Answers();
    final StagingPool staging;
    final TopicIndex topics = new TopicIndex();

    /** Positions of each shard's log before which this agent reads nothing any more. */
    final long[] releasedPositions;

    /** Refuses new work while the broker is shutting down. */
    boolean draining;

    /** Cached once a duty cycle. */
    long nowNs;

    /** The shortest of all the times that sessions wait for something; it only ever falls. */
    private long shortestTimeoutNs;

    private final Map<MessageFormat, MessageValidator> validators = new HashMap<>();
    private final ArrayDeque<ShardCommand>[] waitingCommands;
    private final ArrayDeque<StagedSubmission> staged = new ArrayDeque<>();
    private final LongArrayList waitingStops = new LongArrayList();
    private long nextPart;

    @SuppressWarnings({"unchecked", "rawtypes"})
    SessionContext(
            final SessionSettings settings,
            final ShardPort[] ports,
            final CursorPort cursors,
            final AccessGate gate,
            final TopicRules rules,
            final SessionCounters counters) {
        this.settings = settings;
        this.ports = ports.clone();
        this.cursors = cursors;
        this.gate = gate;
        this.rules = rules;
        this.counters = counters;
        staging = new StagingPool(settings.stagingLengthMax());
        releasedPositions = new long[ports.length];
        waitingCommands = new ArrayDeque[ports.length];
        for (int i = 0; i < ports.length; i++) {
            waitingCommands[i] = new ArrayDeque<>();
        }
        shortestTimeoutNs = Math.min(settings.logonTimeoutNs(), settings.heartbeatIntervalNs());
        // Parts are unique over all I/O agents: the agent's index is in the high bits.
        nextPart = ((long) settings.ioAgent() << 48) + 1;
    }

    long nextPart() {
        return nextPart++;
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

    /** Hands over what waits. */
    int submitWaiting() {
        int count = 0;
        for (int i = 0; i < ports.length; i++) {
            ShardCommand command;
            while ((command = waitingCommands[i].peek()) != null && ports[i].offer(command)) {
                waitingCommands[i].remove();
                count++;
            }
        }
        while (!waitingStops.isEmpty() && cursors.stop(waitingStops.getLong(0))) {
            waitingStops.fastUnorderedRemove(0);
            count++;
        }
        return count;
    }

    /** Ends a cursor, now or as soon as there is room. */
    void stopCursor(final long part) {
        if (!waitingStops.isEmpty() || !cursors.stop(part)) {
            waitingStops.addLong(part);
        }
    }

    /** A slot was handed to a sequencer: it comes back when the message in it was processed. */
    void onStaged(final StagingSlot slot, final ShardPort port) {
        staged.add(new StagedSubmission(slot, port, port.submitted()));
    }

    /** Takes slots back whose messages were processed. */
    int releaseStaged() {
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
                validators.computeIfAbsent(topic.format(), MessageFormat::newValidator),
                gate.allows(session.principal, Action.PUBLISH, topic.name()),
                gate.allows(session.principal, Action.SUBSCRIBE, topic.name()));
        session.access(access);
        return access;
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
            answers.error(session.outbox, commandId, 0, 0, code, true, text);
            session.state = Session.State.CLOSING;
            session.closingNs = nowNs;
            session.entries = null;
        }
    }

    private record StagedSubmission(StagingSlot slot, ShardPort port, long submission) {}

    /** Finds a topic in the shard's table by name, slowly, or null. */
    @Nullable
    Topic findTopic(final String name) {
        return ports[rules.shard(name)].topics().find(name);
    }
}
